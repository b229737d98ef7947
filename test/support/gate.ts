// Edges of a code path: a test holds work there, does something else meanwhile, and releases it, or never does.

import type { Acquirer } from '../../src/acquirer/index.ts';
import type { Database } from '../../src/database/index.ts';

/** Work waits at a gate until it is opened; after that everything passes immediately. */
export class Gate {
  #arrived = 0;
  #open = false;
  #waiting: (() => void)[] = [];
  #watching: { count: number; resolve: () => void }[] = [];

  /** Resolves when the gate is open. */
  async pass(): Promise<void> {
    this.#arrived += 1;
    for (const { count, resolve } of this.#watching) if (this.#arrived >= count) resolve();
    if (!this.#open) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Resolves when this many have arrived. */
  async arrived(count = 1): Promise<void> {
    if (this.#arrived >= count) return;
    await new Promise<void>((resolve) => this.#watching.push({ count, resolve }));
  }

  /** The same for work that must reach the gate: it must not end before. */
  async reachedBy(work: Promise<unknown>): Promise<void> {
    const ended = work.then((result) => {
      throw new Error(`The work ended before it came to the gate: ${JSON.stringify(result)}`);
    });
    await Promise.race([this.arrived(), ended]);
    ended.catch(() => undefined);
  }

  open(): void {
    this.#open = true;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

export interface Gates {
  /** Before the first byte is sent. */
  readonly before?: Gate;
  /** After it was done, before the response. */
  readonly after?: Gate;
}

type Request = 'charge' | 'refund' | 'cancel' | 'findCharge' | 'findRefund';

/** The same acquirer, with one kind of its requests held at the gates. */
export function gated(acquirer: Acquirer, gates: Gates, held: Request = 'charge'): Acquirer {
  function through<Asked, Answer>(name: Request, ask: (request: Asked) => Promise<Answer>) {
    return async (request: Asked): Promise<Answer> => {
      if (name !== held) return ask(request);
      await gates.before?.pass();
      const answer = await ask(request);
      await gates.after?.pass();
      return answer;
    };
  }
  return {
    name: acquirer.name,
    ...(acquirer.offers && { offers: acquirer.offers }),
    charge: through('charge', (request) => acquirer.charge(request)),
    refund: through('refund', (request) => acquirer.refund(request)),
    cancel: through('cancel', (request) => acquirer.cancel(request)),
    findCharge: through('findCharge', (request) => acquirer.findCharge(request)),
    findRefund: through('findRefund', (request) => acquirer.findRefund(request)),
    statement: (request) => acquirer.statement(request),
  };
}

/** The same database, with its batched writes of this name held at the gates. */
export function gatedDatabase(db: Database, gates: Gates, held: string): Database {
  const wrapped: Pick<Database, 'sql' | 'atomic' | 'batch' | 'joined' | 'connections' | 'close'> = {
    sql: db.sql,
    atomic: (work) => db.atomic(work),
    async batch(statement, row) {
      if (statement.name !== held) return db.batch(statement, row);
      await gates.before?.pass();
      const written = await db.batch(statement, row);
      await gates.after?.pass();
      return written;
    },
    joined: (statement) => (row) => wrapped.batch(statement, row),
    connections: () => db.connections(),
    close: () => db.close(),
  };
  return wrapped as Database;
}
