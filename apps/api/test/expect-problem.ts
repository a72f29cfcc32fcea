import {
  PROBLEM_CONTENT_TYPE,
  PROBLEMS,
  type Problem,
  type ProblemCode,
  problemSchema,
} from '@pay-once/contracts';
import { expect } from 'vitest';
import type { Reply } from './http-request.js';

/** Asserts that the reply is this problem, whole and as the table has it. */
export function expectProblem(reply: Reply, code: ProblemCode): Problem {
  expect(reply.text, 'a problem').toContain(`"code":"${code}"`);
  const problem = problemSchema.parse(JSON.parse(reply.text));
  expect(problem).toMatchObject({ ...PROBLEMS[code], code, type: `/problems/${code}` });
  expect(reply.status).toBe(PROBLEMS[code].status);
  expect(reply.headers['content-type']).toBe(PROBLEM_CONTENT_TYPE);
  // The bytes of a replay are the first answer's, the request id in them included.
  if (reply.headers['idempotent-replayed'] === undefined) {
    expect(problem.requestId).toBe(reply.headers['x-request-id']);
  }
  return problem;
}
