import type { ProblemCode } from '@pay-once/contracts';
import type { FastifyRequest } from 'fastify';
import { pathOf } from '../known-addresses.js';

const FORM_PATH = /^\/checkout\/([^/]*)\/pay$/;

/** Whether this is the checkout's plain form. Its answer is always a redirect, so that a reload sends nothing. */
export function isFormPost(request: FastifyRequest): boolean {
  return request.method === 'POST' && FORM_PATH.test(pathOf(request.url));
}

/** The key in the form's field, as it was sent; undefined when this is no form, or one without a text there. */
export function formKey(request: FastifyRequest): string | undefined {
  const { body } = request;
  if (!isFormPost(request) || typeof body !== 'object' || body === null) return undefined;
  const key = 'idempotencyKey' in body ? body.idempotencyKey : undefined;
  return typeof key === 'string' ? key : undefined;
}

/** The problems after which the order's own page says more than the form would. */
const ON_ORDER_PAGE: ReadonlySet<ProblemCode> = new Set([
  'internal',
  'not_found',
  'order_already_paid',
  'order_being_paid',
  'request_in_progress',
  'unavailable',
]);

/** Where the browser is sent after a problem with the form; a GET page that says what happened. */
export function pageAfterProblem(request: FastifyRequest, code: ProblemCode): string {
  const orderId = FORM_PATH.exec(pathOf(request.url))?.[1] ?? '';
  if (!/^[0-9a-f-]{36}$/i.test(orderId)) return '/';
  const page = ON_ORDER_PAGE.has(code) ? 'orders' : 'checkout';
  return `/${page}/${orderId}?problem=${code}`;
}
