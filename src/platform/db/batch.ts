// Group commit: concurrent single-row writes share one statement.
//
// Calls that arrive while a write is in flight are queued and written together by the next statement: one statement for
// many rows, one commit, one fsync. A call resolves only when its row is durable. A batch that fails because of its
// data is split, so one bad row does not affect the others. The queue is bounded: when it is full, calls fail with 503.

import { Unavailable } from '../../kernel/index.ts';
import { DatabaseAway, isAboutRows, TooLate } from './errors.ts';
import { Deadline } from './times.ts';

/**
 * A write that takes many rows. `write` is atomic, retries by itself where that can help, and returns one result per
 * row, in order.
 */
export interface BatchStatement<Input, Output> {
  readonly name: string;
  /** A batch takes all rows that are queued, for statements that cost much more than a row. */
  readonly takesAll?: boolean;
  write(rows: readonly Input[]): Promise<readonly Output[]>;
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
  write(row: Input): Promise<Output>;
  /** The age of the oldest row that is queued or in flight. */
  oldestWaitMilliseconds(): number;
}

/** Rows queued for longer than `queueMilliseconds` are not written: their calls fail as if the database were busy. */
export function batch<Input, Output>(
  statement: BatchStatement<Input, Output>,
  limits: BatchLimits,
  queueMilliseconds: number,
): Batch<Input, Output> {
  let queue: Waiting<Input, Output>[] = [];
  /** Batches in flight, oldest rows first. */
  const flying = new Set<readonly Waiting<Input, Output>[]>();
  /** Size of the latest batch. */
  let flown = Number.POSITIVE_INFINITY;
  let gathering = false;

  /**
   * The first row waits until the requests that the process has already read are handled, so that their rows join it.
   * Otherwise it would be written alone, and the others would wait for its fsync and then for their own.
   */
  function gather(): void {
    if (gathering || flying.size >= limits.lanes || queue.length === 0) return;
    gathering = true;
    setImmediate(() => {
      gathering = false;
      fly();
    });
  }

  /**
   * Keeps batches at an even size: a batch larger than the previous one leaves half of the difference to the next.
   * Otherwise clients that send their next request on each response stay in one large and one small group, and the
   * server and this process take turns waiting for each other. Small batches are never split.
   */
  function fly(): void {
    refuseLate();
    while (flying.size < limits.lanes && queue.length > 0) {
      const even = statement.takesAll ? queue.length : Math.ceil((queue.length + flown) / 2);
      const size = Math.min(limits.rowsAtMost, Math.max(fewRows, even));
      const set = queue.length <= size ? queue : queue.slice(0, size);
      queue = queue.length <= size ? [] : queue.slice(size);
      flown = set.length;
      flying.add(set);
      writeSet(set).finally(() => {
        flying.delete(set);
        gather();
      });
    }
  }

  /** The queue is in order of arrival. */
  function refuseLate(): void {
    const oldest = performance.now() - queueMilliseconds;
    const fresh = queue.findIndex(({ since }) => since >= oldest);
    const late = fresh === -1 ? queue.splice(0) : queue.splice(0, fresh);
    if (late.length > 0) reject(late, new DatabaseAway(new TooLate()));
  }

  /** Writes a batch. One with bad rows is split; after any other error the halves would fail just as the whole did. */
  async function writeSet(whole: readonly Waiting<Input, Output>[]): Promise<void> {
    const sets = [whole];
    const deadline = new Deadline(queueMilliseconds);
    for (let set = sets.pop(); set; set = sets.pop()) {
      try {
        if (deadline.left < 0) throw new DatabaseAway(new TooLate());
        answer(set, await statement.write(set.map((waiting) => waiting.row)));
      } catch (error) {
        if (!isAboutRows(error)) return reject([set, ...sets].flat(), error);
        if (set.length === 1) reject(set, error);
        else {
          const middle = Math.ceil(set.length / 2);
          sets.push(set.slice(middle), set.slice(0, middle));
        }
      }
    }
  }

  function reject(set: readonly Waiting<Input, Output>[], error: unknown): void {
    for (const waiting of set) waiting.reject(error);
  }

  /** Never throws: the rows are already written, and an error here would write them again. */
  function answer(set: readonly Waiting<Input, Output>[], outputs: readonly Output[]): void {
    if (outputs.length === set.length) {
      for (let index = 0; index < set.length; index += 1) set[index]?.resolve(outputs[index] as Output);
      return;
    }
    const bug = new Error(`Batch ${statement.name} wrote ${set.length} rows and answered ${outputs.length}.`);
    for (const waiting of set) waiting.reject(bug);
  }

  return {
    write: (row) =>
      new Promise((resolve, reject) => {
        if (queue.length >= limits.queueAtMost) {
          reject(new Unavailable('service_unavailable'));
          return;
        }
        queue.push({ row, since: performance.now(), resolve, reject });
        gather();
      }),
    oldestWaitMilliseconds() {
      const now = performance.now();
      return Math.max(0, ...[queue, ...flying].map(([first]) => (first ? now - first.since : 0)));
    },
  };
}
