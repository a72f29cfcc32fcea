/** Reads what a keyed request has made. Throws for what the shop does not answer, such as the page of a proxy. */
export function readMade<Made extends { id: string }>(body: unknown): Made {
  const { id } = (body ?? {}) as Partial<Made>;
  if (typeof id !== 'string') throw new TypeError('This is not an answer of the shop.');
  return body as Made;
}
