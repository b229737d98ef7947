// Moves of the clock that go on after their response, and those that a process left unfinished.

import type { Nodes } from '../database/index.ts';
import { Unavailable } from '../kernel/index.ts';
import { pause, type Work } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';
import { moveTo, ownTimes, sandboxClockOf } from './advance.ts';
import { type ClockRow, findClock } from './store.ts';

/** Most moves are done by then; a longer one is followed with GET. */
const answerAfterMilliseconds = 10_000;
const looksEveryMilliseconds = 500;

export class ClockMoves {
  readonly #tools: Tools;
  readonly #works: readonly Work[];
  readonly #nodes: Pick<Nodes, 'self' | 'isDead'>;
  readonly #closing = new AbortController();
  readonly #answerAfterMilliseconds: number;
  #current: Promise<void> | undefined;

  constructor(
    tools: Tools,
    works: readonly Work[],
    nodes: Pick<Nodes, 'self' | 'isDead'>,
    answerAfter = answerAfterMilliseconds,
  ) {
    this.#tools = tools;
    this.#works = works;
    this.#nodes = nodes;
    this.#answerAfterMilliseconds = answerAfter;
  }

  /** Moves the clock; resolves when that is done, or goes on in the background. Refuses if it is being moved. */
  async begin(to: Temporal.Instant): Promise<void> {
    await this.#inBackground(to);
  }

  /** For a run that was repeated: whoever else moves the clock to this target now does it for us. */
  async follow(to: Temporal.Instant): Promise<void> {
    const endsAt = performance.now() + this.#answerAfterMilliseconds;
    const isGoingOn = async () => {
      const row = await findClock(this.#tools.db.sql);
      return row.movingTo?.equals(to) === true && !this.#isAbandoned(row);
    };
    if (!(await isGoingOn())) return this.begin(to);
    while (performance.now() < endsAt && (await isGoingOn())) await pause(looksEveryMilliseconds, this.#closing.signal);
  }

  /** Continues a move whose process has ended. */
  async resume(): Promise<void> {
    if (this.#current || this.#closing.signal.aborted) return;
    const row = await findClock(this.#tools.db.sql);
    if (row.movingTo === null || !this.#isAbandoned(row)) return;
    this.#tools.log.warn({ to: row.movingTo.toString() }, 'a move of the clock was left unfinished and goes on here');
    void this.#inBackground(row.movingTo, row.movingFrom).catch((error: unknown) => this.#failed(error));
  }

  /** Whether the process of the move is gone. */
  #isAbandoned({ leaseUntil, movingNode }: ClockRow): boolean {
    const expired = leaseUntil !== null && Temporal.Instant.compare(leaseUntil, this.#tools.wall.now()) < 0;
    return expired || (movingNode !== null && this.#nodes.isDead(movingNode));
  }

  async #inBackground(to: Temporal.Instant, from?: Temporal.Instant | null): Promise<void> {
    const tools = this.#tools;
    const moving = moveTo(tools, this.#works, to, {
      report: ({ now, done }) => tools.log.info({ now: now.toString(), done }, 'moving the clock'),
      nodes: this.#nodes,
      signal: this.#closing.signal,
      from: from ?? undefined,
    });
    const current = moving.then(
      () => undefined,
      () => undefined,
    );
    this.#current = current;
    void current.then(() => {
      if (this.#current === current) this.#current = undefined;
    });
    const over = new AbortController();
    const late = pause(this.#answerAfterMilliseconds, over.signal).then(() => true);
    const isLate = await Promise.race([moving.then(() => false), late]).finally(() => over.abort());
    if (!isLate) return;
    moving.catch((error: unknown) => this.#failed(error));
  }

  /** Another process was faster, or this one stops: the move goes on there. */
  #failed(error: unknown): void {
    if (error instanceof Unavailable) return;
    this.#tools.log.error({ err: error }, 'the clock could not be moved to its target; it is tried again');
  }

  /** Stops after the current step; another process goes on. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#current;
  }
}

/** What is shown of the clock, also while another process moves it. */
export async function clockShown(tools: Tools) {
  const { movingTo, movingFrom, movingDone, aheadMilliseconds } = await findClock(tools.db.sql);
  const clock = sandboxClockOf(tools);
  const elsewhere = movingTo !== null && !clock.isJumping;
  const now = elsewhere ? tools.wall.now().add({ milliseconds: aheadMilliseconds }) : clock.now();
  return {
    now: now.toString(),
    movingTo: movingTo?.toString() ?? null,
    movingFrom: movingFrom?.toString() ?? null,
    done: movingDone,
    fixedBy: ownTimes(tools),
  };
}
