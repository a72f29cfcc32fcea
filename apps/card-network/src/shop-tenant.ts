/** The one customer of this network. */
export const SHOP_TENANT = 'shop';
