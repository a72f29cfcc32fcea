import type { Phases } from '../src/phases.js';
import { created } from './one-command.js';
import type { TestDatabase } from './test-database.js';

/** A command in phases that leaves one row in `effects` for each phase that ran, and counts how often it asked. */
export class PhasedCommand implements Phases<string> {
  asked = 0;

  constructor(
    private readonly key: string,
    /** What asking brings, `undefined` for nothing yet; called with how often it was asked before, and with when the right to settle is over. */
    private readonly reply: (
      before: number,
      signal: AbortSignal,
    ) => Promise<string | undefined> | string | undefined = () => 'yes',
  ) {}

  begin: Phases<string>['begin'] = async (manager) => {
    await manager.query('insert into effects (key) values ($1)', [`${this.key} begun`]);
    return undefined;
  };

  ask: Phases<string>['ask'] = async ({ signal }) => this.reply(this.asked++, signal);

  settle: Phases<string>['settle'] = async (manager) => {
    await manager.query('insert into effects (key) values ($1)', [`${this.key} settled`]);
    return created();
  };

  /** How often it took effect: [begun, settled]. */
  async effects(database: TestDatabase): Promise<[number, number]> {
    return [await database.effects(`${this.key} begun`), await database.effects(`${this.key} settled`)];
  }
}
