/** May the request be sent again: not at all, with the same key, or as another intention with a new key. */
export type RetryVerdict = 'never' | 'same_key' | 'new_key';

const verdicts: readonly unknown[] = ['never', 'same_key', 'new_key'] satisfies RetryVerdict[];

/** What this package needs of an RFC 9457 problem; whatever else the server sent is kept beside it. */
export interface Problem {
  /** The status of the HTTP answer, whatever the body says. */
  status: number;
  code: string;
  retry: RetryVerdict;
  title: string;
  detail: string;
  [member: string]: unknown;
}

/** Reads a problem by its shape. `null` for any other body: it may come from a proxy, which knows no verdict. */
export function readProblem(status: number, body: unknown): Problem | null {
  if (typeof body !== 'object' || body === null) return null;
  const { code, retry, title, detail } = body as Record<string, unknown>;
  if (typeof code !== 'string' || !isVerdict(retry)) return null;
  return { ...body, status, code, retry, title: textOf(title), detail: textOf(detail) };
}

/** Stands in for the problem that a final answer did not carry. */
export function problemWithoutBody(status: number): Problem {
  return { status, code: `http_${status}`, retry: 'never', title: `HTTP ${status}`, detail: '' };
}

function isVerdict(value: unknown): value is RetryVerdict {
  return verdicts.includes(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
