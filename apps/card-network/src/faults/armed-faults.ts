import { Injectable } from '@nestjs/common';
import { idSchema } from '@pay-once/contracts';
import { z } from 'zod';
import { DOORS, type Door, FAULT_WORDS, type FaultWord, isPossible } from './fault-table.js';

const ARMED_TIMES_MAX = 1_000;
const DELAY_MS_MAX = 600_000;

export const armSchema = z
  .strictObject({
    fault: z.enum(FAULT_WORDS),
    on: z.enum(DOORS),
    /** For this reference only; mails have none. */
    reference: idSchema.optional(),
    /** How many requests it befalls. */
    times: z.int().min(1).max(ARMED_TIMES_MAX).default(1),
    delayMs: z.int().min(0).max(DELAY_MS_MAX).optional(),
  })
  .refine(({ fault, on }) => isPossible(fault, on), { path: ['fault'] })
  .refine(({ reference, on }) => reference === undefined || on !== 'mails', { path: ['reference'] });
export type Arm = z.infer<typeof armSchema>;

/** The faults that wait for their requests. They are gone with the process. */
@Injectable()
export class ArmedFaults {
  private waiting: Arm[] = [];

  arm(fault: Arm): void {
    this.waiting.push({ ...fault });
  }

  clear(): void {
    this.waiting = [];
  }

  /** The fault that befalls this request: the first that was armed for it and is not used up. */
  take(on: Door, reference?: string): { word: FaultWord; delayMs: number | undefined } | undefined {
    const armed = this.waiting.find(
      (fault) => fault.on === on && (fault.reference === undefined || fault.reference === reference),
    );
    if (armed === undefined) return undefined;
    armed.times--;
    if (armed.times === 0) this.waiting = this.waiting.filter((fault) => fault !== armed);
    return { word: armed.fault, delayMs: armed.delayMs };
  }
}
