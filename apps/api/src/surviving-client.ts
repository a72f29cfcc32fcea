import { Client } from 'pg';

/**
 * A connection that ends at any moment ends no process. Between the pool, which stops listening when it hands one out,
 * and its user, who starts to a moment later, nobody hears `error`; a database that is stopped just then would take the
 * whole process with it. Whoever waits for an answer on it is told by that answer all the same.
 */
export class SurvivingClient extends Client {
  constructor(...args: ConstructorParameters<typeof Client>) {
    super(...args);
    this.on('error', () => undefined);
  }
}
