import { randomUUID } from 'node:crypto';
import type { JsonValue, KeyedCommand } from '../src/command.js';
import type { Work } from '../src/idempotency.service.js';
import type { Answer } from '../src/outcome.js';

/** A command that no other test has: its tenant and key are new. */
export function newCommand(fields: JsonValue = { amountMinor: 1000 }): KeyedCommand {
  return { tenantId: `tenant-${randomUUID()}`, key: randomUUID(), operation: 'things.create', fields };
}

export function created(changed: Partial<Answer> = {}): Answer {
  return { status: 201, contentType: 'application/json', body: Buffer.from('{"done":true}'), ...changed };
}

/** Work that leaves one row in `effects`, and answers. */
export function oneEffect({ key }: KeyedCommand, answer = created()): Work {
  return async (manager) => {
    await manager.query('insert into effects (key) values ($1)', [key]);
    return answer;
  };
}

/** Work that must not be called. */
export const noWork: Work = () => {
  throw new Error('This work must not run.');
};

/** Work that takes effect and is then held until `letGo` is called, its transaction open. */
export function heldEffect(command: KeyedCommand): { work: Work; isHeld: Promise<void>; letGo: () => void } {
  const held = newGate();
  const gate = newGate();
  const work: Work = async (manager, operation) => {
    const answer = await oneEffect(command)(manager, operation);
    held.open();
    await gate.opened;
    return answer;
  };
  return { work, isHeld: held.opened, letGo: gate.open };
}

export function newGate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
