import type { PipeTransform } from '@nestjs/common';
import { ProblemError } from './problem-error.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** An id from the path in its one spelling. Whether it names anything is asked later, with `requireId`. */
export class PathIdPipe implements PipeTransform<string, string> {
  transform(value: string): string {
    return value.toLowerCase();
  }
}

/** What cannot be an id names nothing: the same 404 as an unknown one, and no hostile text reaches SQL. */
export function requireId(id: string): void {
  if (!UUID.test(id)) throw notFound();
}

/** The one answer for unknown, malformed and strangers' ids alike. */
export function notFound(): ProblemError {
  return new ProblemError('not_found', 'There is nothing with this id in this sandbox.');
}
