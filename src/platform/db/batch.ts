// Concurrent writes joined into one statement.
//
// Calls that arrive while a write is in flight wait and go together with the next ones: one statement over a set of
// rows, one commit, one fsync. A caller is answered only once its row is durable. When a set fails because of its
// data it is split, so that one bad row does not affect the others. The queue is bounded: further callers get 503.

import { Unavailable } from '../../kernel/index.ts';
import { DatabaseAway, isAboutRows, TooLate } from './errors.ts';
import { Deadline } from './times.ts';

/**
 * A write that can take many rows at once. `write` is atomic, tries again by itself where that may help, and returns one
 * result per row, in order.
 */
export interface BatchStatement<Input, Output> {
  readonly name: string;
  write(rows: readonly Input[]): Promise<readonly Output[]>;
}

export interface BatchLimits {
  /** Rows in one statement at most. */
  readonly rowsAtMost: number;
  /** Statements in flight at once. */
  readonly lanes: number;
  /** Rows waiting at most; the next caller is refused with 503. */
  readonly queueAtMost: number;
}

/**
 * One statement in flight: while it is written, the next set gathers. With two the sets were half as large, each row took
 * the server a sixth more of its time, and the service answered a tenth less.
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
  /** Writes one row and resolves when it is durable. */
  write(row: Input): Promise<Output>;
  /** How long the oldest row has waited, in the queue or in flight. */
  oldestWaitMilliseconds(): number;
}

/** Rows that have waited for `queueMilliseconds` are not written any more: their callers get an error that the database is busy. */
export function batch<Input, Output>(
  statement: BatchStatement<Input, Output>,
  limits: BatchLimits,
  queueMilliseconds: number,
): Batch<Input, Output> {
  let queue: Waiting<Input, Output>[] = [];
  /** The sets in flight, oldest rows first. */
  const flying = new Set<readonly Waiting<Input, Output>[]>();
  /** Rows of the latest set. */
  let flown = Number.POSITIVE_INFINITY;
  let gathering = false;

  /**
   * The first row waits until all that the process has read by now is looked at, so that those beside it come along:
   * otherwise it would fly alone, and all others would wait for its fsync and then for their own.
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
   * Sets are kept of one size: one that is larger than the one before leaves half of the difference to the next. Callers
   * who come back with their answers would otherwise stay in one large and one small crowd, and the server would wait for
   * the one to be read and the process for the other to be written, by turns. Few rows always go together.
   */
  function fly(): void {
    refuseLate();
    while (flying.size < limits.lanes && queue.length > 0) {
      const even = Math.ceil((queue.length + flown) / 2);
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

  /** The queue is in the order of arrival. */
  function refuseLate(): void {
    const oldest = performance.now() - queueMilliseconds;
    const fresh = queue.findIndex(({ since }) => since >= oldest);
    const late = fresh === -1 ? queue.splice(0) : queue.splice(0, fresh);
    if (late.length > 0) reject(late, new DatabaseAway(new TooLate()));
  }

  /** Writes the set. One with bad rows is split; with any other error the halves would fail as the whole did. */
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

  /** Never throws: the rows are written, and an error from here would write them again. */
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
