// Group commit: concurrent single-row writes share one statement.
//
// Calls that arrive while a write is in flight are queued and written together by the next statement: one statement for
// many rows, one commit, one fsync. A call resolves only when its row is durable. A batch that fails because of its
// data is split, so one bad row does not affect the others. The queue is bounded: when it is full, calls fail with 503.

import { Unavailable } from '../kernel/index.ts';
import { DatabaseAway, isAboutRows, TooLate } from './errors.ts';
import { Deadline } from './times.ts';

/**
 * A statement over many rows. `execute` is atomic, retries by itself where that can help, and returns one result per
 * row, in order.
 */
export interface BatchStatement<Input, Output> {
  readonly name: string;
  /** A batch is all rows that are queued, for statements that cost much more than a row. */
  readonly drainsQueue?: boolean;
  /** Statements in flight, if their number differs from the usual one. */
  readonly lanes?: number;
  execute(rows: readonly Input[]): Promise<readonly Output[]>;
}

export interface BatchLimits {
  /** Maximum number of rows per statement. */
  readonly rowsAtMost: number;
  /** Maximum number of statements in flight. */
  readonly lanes: number;
  /** Maximum number of queued rows; further calls fail with 503. */
  readonly queueAtMost: number;
}

/**
 * One statement in flight: the next batch fills while it is written. With two, batches were half as large, PostgreSQL
 * used a sixth more CPU per row, and throughput fell by a tenth.
 */
export const usualBatchLimits: BatchLimits = { rowsAtMost: 500, lanes: 1, queueAtMost: 20_000 };

const fewRows = 16;

interface Waiting<Input, Output> {
  readonly row: Input;
  readonly since: number;
  readonly resolve: (output: Output) => void;
  readonly reject: (error: unknown) => void;
}

export interface Batch<Input, Output> {
  /** Writes one row; resolves when it is durable. */
  add(row: Input): Promise<Output>;
  /** The age of the oldest row that is queued or in flight. */
  oldestWaitMilliseconds(): number;
}

type Rows<Input, Output> = readonly Waiting<Input, Output>[];

/** Rows queued for longer than `queueMilliseconds` are not written: their calls fail as if the database were busy. */
export function batch<Input, Output>(
  statement: BatchStatement<Input, Output>,
  limits: BatchLimits,
  queueMilliseconds: number,
): Batch<Input, Output> {
  return new GroupCommit(statement, limits, queueMilliseconds);
}

class GroupCommit<Input, Output> implements Batch<Input, Output> {
  readonly #statement: BatchStatement<Input, Output>;
  readonly #limits: BatchLimits;
  readonly #queueMilliseconds: number;
  #queue: Waiting<Input, Output>[] = [];
  /** Batches in flight, oldest rows first. */
  readonly #flying = new Set<Rows<Input, Output>>();
  /** Size of the latest batch. */
  #flown = Number.POSITIVE_INFINITY;
  #gathering = false;

  constructor(statement: BatchStatement<Input, Output>, limits: BatchLimits, queueMilliseconds: number) {
    this.#statement = statement;
    this.#limits = { ...limits, lanes: statement.lanes ?? limits.lanes };
    this.#queueMilliseconds = queueMilliseconds;
  }

  add(row: Input): Promise<Output> {
    return new Promise((resolve, reject) => {
      if (this.#queue.length >= this.#limits.queueAtMost) {
        reject(new Unavailable('service_unavailable'));
        return;
      }
      this.#queue.push({ row, since: performance.now(), resolve, reject });
      this.#gather();
    });
  }

  oldestWaitMilliseconds(): number {
    const now = performance.now();
    return Math.max(0, ...[this.#queue, ...this.#flying].map(([first]) => (first ? now - first.since : 0)));
  }

  /**
   * The first row waits until the requests that the process has already read are handled, so that their rows join it.
   * Otherwise it would be written alone, and the others would wait for its fsync and then for their own.
   */
  #gather(): void {
    if (this.#gathering || this.#flying.size >= this.#limits.lanes || this.#queue.length === 0) return;
    this.#gathering = true;
    setImmediate(() => {
      this.#gathering = false;
      this.#fly();
    });
  }

  /**
   * Keeps batches at an even size: a batch larger than the previous one leaves half of the difference to the next.
   * Otherwise clients that send their next request on each response stay in one large and one small group, and the
   * server and this process take turns waiting for each other. Small batches are never split.
   */
  #fly(): void {
    this.#refuseLate();
    while (this.#flying.size < this.#limits.lanes && this.#queue.length > 0) {
      const queued = this.#queue;
      const even = this.#statement.drainsQueue ? queued.length : Math.ceil((queued.length + this.#flown) / 2);
      const size = Math.min(this.#limits.rowsAtMost, Math.max(fewRows, even));
      const rows = queued.length <= size ? queued : queued.slice(0, size);
      this.#queue = queued.length <= size ? [] : queued.slice(size);
      this.#flown = rows.length;
      this.#flying.add(rows);
      this.#executeAll(rows).finally(() => {
        this.#flying.delete(rows);
        this.#gather();
      });
    }
  }

  /** The queue is in order of arrival. */
  #refuseLate(): void {
    const oldest = performance.now() - this.#queueMilliseconds;
    const fresh = this.#queue.findIndex(({ since }) => since >= oldest);
    const late = fresh === -1 ? this.#queue.splice(0) : this.#queue.splice(0, fresh);
    if (late.length > 0) reject(late, new DatabaseAway(new TooLate()));
  }

  /** Writes a batch. One with bad rows is split; after any other error the halves would fail just as the whole did. */
  async #executeAll(whole: Rows<Input, Output>): Promise<void> {
    const parts = [whole];
    const deadline = new Deadline(this.#queueMilliseconds);
    for (let rows = parts.pop(); rows; rows = parts.pop()) {
      try {
        if (deadline.left < 0) throw new DatabaseAway(new TooLate());
        this.#answer(rows, await this.#statement.execute(rows.map((waiting) => waiting.row)));
      } catch (error) {
        if (!isAboutRows(error)) return reject([rows, ...parts].flat(), error);
        if (rows.length === 1) reject(rows, error);
        else {
          const middle = Math.ceil(rows.length / 2);
          parts.push(rows.slice(middle), rows.slice(0, middle));
        }
      }
    }
  }

  /** Never throws: the rows are already written, and an error here would write them again. */
  #answer(rows: Rows<Input, Output>, outputs: readonly Output[]): void {
    if (outputs.length === rows.length) {
      for (let index = 0; index < rows.length; index += 1) rows[index]?.resolve(outputs[index] as Output);
      return;
    }
    const { name } = this.#statement;
    reject(rows, new Error(`Batch ${name} wrote ${rows.length} rows and answered ${outputs.length}.`));
  }
}

function reject<Input, Output>(rows: Rows<Input, Output>, error: unknown): void {
  for (const waiting of rows) waiting.reject(error);
}
