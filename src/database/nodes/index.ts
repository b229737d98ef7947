// Which processes are alive. Each adds a beat to its own row every second and reads those of the others; one whose beat
// did not change for three seconds, by the reader's own clock, is dead. So wall clocks need not agree, and poolers that
// share connections do not matter. A process that was only frozen may come back: what was taken from it is fenced where
// it matters (docs/decisions/0015).

import type { Clock, Random } from '../../runtime/index.ts';
import { type Loop, processName, startLoop } from '../../runtime/index.ts';
import type { Database } from '../database.ts';
import { beat, deleteNodes, listBeats } from './store.ts';

const everyMilliseconds = 1_000;
const silentAtMostMilliseconds = 3_000;
/** Rows of the dead are of use until nobody can ask about them: keys have leases of a minute. */
const forgottenAfterMilliseconds = 600_000;

interface Seen {
  beat: bigint | undefined;
  /** For how long it did not change, counting only time in which we were able to look. */
  silentMilliseconds: number;
}

export class Nodes {
  readonly #db: Database;
  readonly #wall: Clock;
  readonly #random: Random;
  readonly #monotonic: () => number;
  #row: { readonly id: string; readonly name: string; readonly startedAt: Temporal.Instant } | undefined;
  readonly #seen = new Map<string, Seen>();
  #lookedAt: number | undefined;
  #beats = false;
  #loop: Loop | undefined;

  /** `monotonic` is in milliseconds. */
  constructor(db: Database, wall: Clock, random: Random, monotonic = () => performance.now()) {
    this.#db = db;
    this.#monotonic = monotonic;
    this.#wall = wall;
    this.#random = random;
  }

  /** The id of this process; null while it does not beat: others would take it for dead. */
  get self(): string | null {
    return this.#row && this.#beats ? this.#row.id : null;
  }

  /** Begins to beat; resolves after the first one. */
  async start(onError: (error: unknown) => void): Promise<void> {
    await this.round();
    this.#loop = startLoop(everyMilliseconds, () => this.round(), onError);
  }

  /** One beat, and one look at the others. */
  async round(): Promise<void> {
    this.#row ??= {
      id: Buffer.from(this.#random.bytes(12)).toString('hex'),
      name: processName('node'),
      startedAt: this.#wall.now(),
    };
    await beat(this.#db.sql, this.#row);
    this.#beats = true;
    const beats = await listBeats(this.#db.sql);
    const now = this.#monotonic();
    // A look that took long says nothing about the others.
    const passed = Math.min(now - (this.#lookedAt ?? now), 2 * everyMilliseconds);
    this.#lookedAt = now;
    for (const [id, count] of beats) {
      const seen = this.#seen.get(id);
      if (seen?.beat === count) seen.silentMilliseconds += passed;
      else this.#seen.set(id, { beat: count, silentMilliseconds: 0 });
    }
    for (const [id, seen] of this.#seen) if (!beats.has(id)) seen.silentMilliseconds += passed;
    await this.#forget(beats);
  }

  async #forget(beats: ReadonlyMap<string, bigint>): Promise<void> {
    const old = [...this.#seen].filter(([, seen]) => seen.silentMilliseconds >= forgottenAfterMilliseconds);
    for (const [id] of old) this.#seen.delete(id);
    const gone = old.map(([id]) => id).filter((id) => beats.has(id));
    if (gone.length > 0) await deleteNodes(this.#db.sql, gone);
  }

  /** Whether the process has ended, or is frozen. One that was never seen is watched from now on. */
  isDead(id: string): boolean {
    if (id === this.self || this.#lookedAt === undefined) return false;
    const seen = this.#seen.get(id);
    if (!seen) this.#seen.set(id, { beat: undefined, silentMilliseconds: 0 });
    return seen !== undefined && seen.silentMilliseconds >= silentAtMostMilliseconds;
  }

  /** Stops beating. What this process still holds is free for others at once. */
  async close(): Promise<void> {
    await this.#loop?.stop();
    const { self } = this;
    if (self === null) return;
    this.#beats = false;
    await deleteNodes(this.#db.sql, [self]).catch(() => undefined);
  }
}
