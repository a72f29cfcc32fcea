import { z } from 'zod';

const PAGE_ROWS_MAX = 1_000;
const PAGE_ROWS = 100;

/** Which part of a record is read: what comes after this sequence, and at most so much. */
export const pageSchema = z.object({
  after: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
  limit: z.coerce.number().int().min(1).max(PAGE_ROWS_MAX).default(PAGE_ROWS),
});
export type Page = z.infer<typeof pageSchema>;
