/** Paths that programs read; what goes wrong there is told to them, whoever asks. */
const FOR_PROGRAMS = /^\/(api|assets|healthz|readyz|metrics)(\/|$)/;

/** The pages about problems are the server's own; an unknown one of them is a problem, not the shop. */
const OF_THE_SERVER = /^\/problems(\/|$)/;

/** Whether only programs ask for what is at this path, decoded. */
export function isForPrograms(path: string): boolean {
  return FOR_PROGRAMS.test(path);
}

/** Whether the web app's document is served at this path, decoded: it knows itself which of its pages there are. */
export function isPage(path: string): boolean {
  return !isForPrograms(path) && !OF_THE_SERVER.test(path);
}

const ORDER_PAGE = /^\/(checkout|orders)\/([^/]+)\/?$/;

/** Which order the page at this path, decoded, is of; undefined for pages that are of none. */
export function orderPageOf(path: string): { kind: string; orderId: string } | undefined {
  const [, kind, orderId] = ORDER_PAGE.exec(path) ?? [];
  return kind === undefined || orderId === undefined ? undefined : { kind, orderId };
}
