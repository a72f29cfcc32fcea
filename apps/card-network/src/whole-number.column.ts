import type { ValueTransformer } from 'typeorm';

/** `bigint` arrives as text; what is counted here stays far below 2^53, so a number holds it exactly. */
export const WHOLE_NUMBER: ValueTransformer = {
  from: (value: string): number => Number(value),
  to: (value: number): number => value,
};
