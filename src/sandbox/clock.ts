// The sandbox clock: the wall clock plus an offset. It can be moved forward by any distance in one step; what is due on
// the way happens at its own time, not at the end of the jump.

import type { Database } from '../database/index.ts';
import type { BusinessClock, Clock } from '../runtime/index.ts';
import { findClock } from './store.ts';

interface Jump {
  readonly from: Temporal.Instant;
  readonly now: Temporal.Instant;
}

export class SandboxClock implements BusinessClock {
  readonly #wall: Clock;
  #aheadMilliseconds = 0;
  #jump: Jump | undefined;
  #movedElsewhere = false;

  constructor(wall: Clock) {
    this.#wall = wall;
  }

  now(): Temporal.Instant {
    if (this.#jump) return this.#jump.now;
    const wall = this.#wall.now();
    return this.#aheadMilliseconds === 0 ? wall : wall.add({ milliseconds: this.#aheadMilliseconds });
  }

  /** During a jump: the due time itself, as if the time had really passed. */
  momentOf(dueAt: Temporal.Instant): Temporal.Instant {
    const jump = this.#jump;
    if (!jump) return this.now();
    if (Temporal.Instant.compare(dueAt, jump.from) < 0) return jump.from;
    return Temporal.Instant.compare(dueAt, jump.now) > 0 ? jump.now : dueAt;
  }

  /**
   * Whether another node is moving the clock: this one then does no due work, so that nothing happens at the wrong
   * time.
   */
  get movedElsewhere(): boolean {
    return this.#movedElsewhere;
  }

  get isJumping(): boolean {
    return this.#jump !== undefined;
  }

  /** Reads the offset that other nodes set. Their move takes effect here when it is done. */
  async refresh(db: Database): Promise<void> {
    if (this.#jump) return;
    const row = await findClock(db.sql);
    const alive = row.leaseUntil !== null && Temporal.Instant.compare(row.leaseUntil, this.#wall.now()) > 0;
    // A move may have started in this process meanwhile.
    if (this.#jump) return;
    this.#movedElsewhere = row.movingTo !== null && alive;
    if (!this.#movedElsewhere) this.#aheadMilliseconds = row.aheadMilliseconds;
  }

  /** How far ahead of the wall clock this instant is. */
  aheadAt(instant: Temporal.Instant): number {
    return Math.max(0, instant.epochMilliseconds - this.#wall.now().epochMilliseconds);
  }

  /** Stays at `now` until the next step or `land`. */
  jumpTo(now: Temporal.Instant): void {
    this.#jump = { from: this.now(), now };
  }

  /** Continues from where the jump ended. */
  land(): void {
    if (!this.#jump) return;
    this.#aheadMilliseconds = this.aheadAt(this.#jump.now);
    this.#jump = undefined;
  }
}
