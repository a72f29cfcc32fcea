import type { Locale } from '@pay-once/contracts';
import type { FastifyRequest } from 'fastify';

/** The first of our two languages that the browser asks for; English when it asks for neither. */
export function languageOf(request: FastifyRequest): Locale {
  const wanted = (request.headers['accept-language'] ?? '').toLowerCase().split(',');
  const first = wanted
    .map((range) => range.trim().slice(0, 2))
    .find((code) => code === 'id' || code === 'en');
  return first === 'id' ? 'id' : 'en';
}
