/** Paths that are never a page of the web app; an unknown one of these is a problem, not the shop. */
const NOT_A_PAGE = /^\/(api|assets|problems|healthz|readyz|metrics)(\/|$)/;

/** Whether the web app's document is served at this path, decoded: it knows itself which of its pages there are. */
export function isPage(path: string): boolean {
  return !NOT_A_PAGE.test(path);
}

const ORDER_PAGE = /^\/(checkout|orders)\/([^/]+)\/?$/;

/** Which order the page at this path, decoded, is of; undefined for pages that are of none. */
export function orderPageOf(path: string): { kind: string; orderId: string } | undefined {
  const [, kind, orderId] = ORDER_PAGE.exec(path) ?? [];
  return kind === undefined || orderId === undefined ? undefined : { kind, orderId };
}
