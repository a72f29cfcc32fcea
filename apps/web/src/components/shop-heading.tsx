/** The heading while there is no page that has its own. */
export function ShopHeading() {
  return <h1 className="sr-only">Pay Once</h1>;
}
