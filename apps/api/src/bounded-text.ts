/** The body of an answer from outside. Rejects when it is longer than `bytesMax`: one that does not end fills no memory. */
export async function readBoundedText({ body }: Response, bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new Error('The answer is too long.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
