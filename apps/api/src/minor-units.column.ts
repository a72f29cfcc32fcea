import type { ValueTransformer } from 'typeorm';

/** `bigint` arrives as text; amounts stay far below 2^53, so a number holds them exactly. */
export const MINOR_UNITS: ValueTransformer = {
  from: (value: string): number => Number(value),
  to: (value: number): number => value,
};
