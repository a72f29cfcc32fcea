/** Paths that are never a page of the web app; an unknown one of these is a problem, not the shop. */
const NOT_A_PAGE = /^\/(api|assets|problems|healthz|readyz|metrics)(\/|\?|$)/;

/** Whether the web app's document is served at this address: it knows itself which of its pages there are. */
export function isPage(url: string): boolean {
  return !NOT_A_PAGE.test(url);
}
