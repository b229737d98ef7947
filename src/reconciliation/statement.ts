// The statement of a run, page by page. A line that cannot be used is named with its place; the others are compared.

import type { StatementAnswer, StatementLine } from '../acquirer/index.ts';
import { planByHash } from '../database/index.ts';
import { isStorable } from '../http/index.ts';
import { inParallel, pause } from '../runtime/index.ts';
import type { Line, Moved, Run } from './model.ts';
import { noting } from './noted.ts';
import { notePageOf } from './repeated.ts';
import { StatementFault } from './run.ts';
import type { Page } from './store/compare.ts';
import { commitUnawaited, listDisplaced, noteAmended, sumRepeated } from './store/named.ts';
import { copyLines } from './store/runs.ts';
import { countLines, digestOf, readStored, type Stored } from './store/stored.ts';
import type { ReconciliationTools } from './tools.ts';

const linesAtOnce = 5_000;
const deadlineMilliseconds = 30_000;
const triesAtMost = 3;
const retryMilliseconds = 1_000;
const pagesRepeatedAtMost = 3;
const pagesCheckedAtOnce = 3;
/** So many lines wait for the end of the statement; they are kept in memory. */
const heldAtMost = 20_000;
/** A bank's clock may differ from ours. */
const clockSkew = Temporal.Duration.from({ hours: 24 });

/** What each kind of line is called here. */
const keptAs: Readonly<Record<Exclude<StatementLine['kind'], 'other'>, Moved>> = {
  capture: 'capture',
  refund: 'refund',
  refundReturned: 'refund_returned',
  payout: 'payout',
  payoutReturned: 'payout_returned',
  fee: 'fee',
  dispute: 'dispute',
  disputeWon: 'dispute_won',
};

function kindOf(line: StatementLine): Moved {
  if (line.kind !== 'other') return keptAs[line.kind];
  return line.taken ? 'other_taken' : 'other_given';
}

type StatementPage = Extract<StatementAnswer, { kind: 'page' }>;

/** What was wrong with single lines: how many, and the place or key of the first. */
export interface Odd {
  readonly count: number;
  readonly first: string;
}

const noneOdd: Odd = { count: 0, first: '' };
const odder = ({ count, first }: Odd, places: readonly (string | number)[]): Odd => ({
  count: count + places.length,
  first: count === 0 ? String(places[0] ?? '') : first,
});

/** As over HTTP (src/acquirer/protocol.ts): sums of such amounts stay far from the limits of the database. */
const minorAtMost = 9_999_999_999_999n;
const key = /^[!-~]{1,128}$/;

/** Whether the database can store it. Lines of connectors in this process have not passed the checks of the protocol. */
function isReadable(line: StatementLine): boolean {
  const amounts = line.kind === 'payout' ? [line.amount, line.fee] : [line.amount];
  const keys = 'chargeKey' in line && line.chargeKey !== null ? [line.key, line.chargeKey] : [line.key];
  const isAmount = ({ minor }: { readonly minor: bigint }) => minor >= 0n && minor <= minorAtMost;
  const isText = line.kind !== 'other' || isStorable(line.what);
  return amounts.every(isAmount) && keys.every((one) => key.test(one)) && isText;
}

/** Lines and amounts of one kind. */
export interface Sum {
  readonly lines: bigint;
  readonly minor: bigint;
  readonly feeMinor: bigint;
}

const noSum: Sum = { lines: 0n, minor: 0n, feeMinor: 0n };

/** Ends the database transaction of a page without its effect. */
class Displaced extends Error {
  readonly positions: ReadonlySet<bigint>;

  constructor(positions: readonly bigint[]) {
    super('lines of a page are stored at the end of the statement');
    this.positions = new Set(positions);
  }
}

export class Statement {
  readonly #tools: ReconciliationTools;
  readonly #run: Run;
  readonly #receivable: string;
  readonly #sums = new Map<Moved, Sum>();
  /** Lines in the statement so far, and those of them that were stored. */
  #place = 0;
  #position = 0n;
  unreadable: Odd = noneOdd;
  outside: Odd = noneOdd;
  /** The last pages, one after the other, that had nothing new. */
  #pagesRepeated = 0;
  readonly #repeatedSums = new Map<Moved, Omit<Sum, 'lines'>>();
  /**
   * Lines under keys that were named for another time of the period. Whether the acquirer moved it again or has amended the
   * time shows where the statement ends: the line that was named before is there, or it is not.
   */
  readonly #held: Line[] = [];
  /** Pages with lines that were named otherwise before. */
  readonly #amended: Page[] = [];
  /** The state of each page in the table when it was written. */
  readonly #stored: { readonly page: Page; readonly stored: Stored }[] = [];

  constructor(tools: ReconciliationTools, run: Run, receivable: string) {
    this.#tools = tools;
    this.#run = run;
    this.#receivable = receivable;
  }

  /** Everything that was read so far. */
  whole(): Page {
    const { id: runId, acquirer } = this.#run;
    return { runId, acquirer, receivable: this.#receivable, after: 0n, until: this.#position };
  }

  sumOf(kind: Moved): Sum {
    return this.#sums.get(kind) ?? noSum;
  }

  /** What lines that were named twice add to the sum of their kind. */
  repeatedOf(kind: Moved): Omit<Sum, 'lines'> {
    return this.#repeatedSums.get(kind) ?? noSum;
  }

  /** While a page is compared, the next one is fetched and stored. */
  async *pages(): AsyncGenerator<Page> {
    for (let asked: Promise<StatementPage> | undefined = this.#ask(null), seen: string | null = null; asked; ) {
      const page: StatementPage = await asked;
      const { next, lines, unreadable = [] } = page;
      if (next !== null && (next === seen || lines.length + unreadable.length === 0)) throw notContinued();
      asked = next === null ? undefined : this.#ask(next);
      // If something else fails first, nobody waits for it any more.
      asked?.catch(() => undefined);
      yield await this.#store(page);
      seen = next;
    }
    while (this.#held.length > 0) yield await this.#insert(this.#held.splice(0, linesAtOnce), false);
  }

  async #ask(after: string | null): Promise<StatementPage> {
    const { fromAt: from, toAt: to } = this.#run;
    for (let tries = 1; ; tries += 1) {
      const request = { from, to, after, limit: linesAtOnce, deadlineMilliseconds };
      const answer = await this.#tools.acquirers.named(this.#run.acquirer).statement(request);
      if (answer.kind === 'page') return answer;
      if (tries === triesAtMost) throw new StatementFault({ code: 'no_statement', parameters: {} });
      await pause(retryMilliseconds);
    }
  }

  async #store({ lines, unreadable = [] }: StatementPage): Promise<Page> {
    const rows = this.#usable(lines, unreadable);
    this.#count(rows);
    return this.#insert(rows, this.#held.length < heldAtMost);
  }

  /** Throws if the lines in the table are not those that were read: a line added there would seem to confirm a payment. */
  async checkLines(): Promise<void> {
    const { sql } = this.#tools.db;
    const pages = await inParallel(this.#stored, pagesCheckedAtOnce, async ({ page, stored }) =>
      isSame(await readStored(sql, page), stored),
    );
    if (!pages.every(Boolean)) throw linesChanged();
    if ((await countLines(sql, this.#run.id)) !== Number(this.#position)) throw linesChanged();
  }

  /** The lines of this period. `unreadable` are places in the page, which count too. */
  #usable(lines: readonly StatementLine[], unreadable: readonly number[]): Line[] {
    const bad = new Set(unreadable);
    const size = lines.length + bad.size;
    const queue = lines.values();
    const rows: Line[] = [];
    const outside: number[] = [];
    for (let index = 1; index <= size; index += 1) {
      if (bad.has(index)) continue;
      const { value: line } = queue.next();
      if (!line) continue;
      if (!isReadable(line)) bad.add(index);
      else if (this.#isOutside(line.at)) outside.push(this.#place + index);
      else rows.push(this.#lineOf(line));
    }
    const places = [...bad].sort((one, other) => one - other);
    this.unreadable = odder(
      this.unreadable,
      places.map((index) => this.#place + index),
    );
    this.outside = odder(this.outside, outside);
    this.#place += size;
    return rows;
  }

  /** `holds`: lines that have to wait for the end of the statement do. */
  async #insert(some: readonly Line[], holds: boolean): Promise<Page> {
    const after = this.#position;
    const rows = some.map((row, index) => ({ ...row, position: after + BigInt(index) + 1n }));
    const { id: runId, acquirer } = this.#run;
    const page = { runId, acquirer, receivable: this.#receivable, after, until: after + BigInt(rows.length) };
    if (rows.length === 0) return page;
    try {
      await this.#keep(rows, page, holds);
      this.#position = page.until;
      return page;
    } catch (error) {
      if (!(error instanceof Displaced)) throw error;
      this.#held.push(...rows.filter(({ position }) => error.positions.has(position)));
      return this.#insert(
        rows.filter(({ position }) => !error.positions.has(position)),
        false,
      );
    }
  }

  async #keep(rows: readonly Line[], page: Page, holds: boolean): Promise<void> {
    const { repeated, isAmended, stored, sums } = await this.#write(rows, page, holds);
    this.#stored.push({ page, stored });
    if (isAmended) this.#amended.push(page);
    this.#pagesRepeated = repeated === rows.length ? this.#pagesRepeated + 1 : 0;
    // A cursor that goes round would never end.
    if (this.#pagesRepeated > pagesRepeatedAtMost) throw notContinued();
    for (const { kind, ...sum } of sums) {
      const { minor, feeMinor } = this.repeatedOf(kind);
      this.#repeatedSums.set(kind, { minor: minor + sum.minor, feeMinor: feeMinor + sum.feeMinor });
    }
  }

  /** Nothing is noted of lines that are not those that were read. */
  #write(rows: readonly Line[], page: Page, holds: boolean) {
    return this.#tools.db.atomic(async (sql) => {
      await planByHash(sql);
      await commitUnawaited(sql);
      await copyLines(sql, rows);
      const { repeated, isAmended } = await notePageOf(this.#tools, sql, this.#run, page);
      const displaced = holds && isAmended ? await listDisplaced(sql, this.#run, page) : [];
      if (displaced.length > 0) throw new Displaced(displaced);
      const sums = repeated > 0 ? await sumRepeated(sql, this.#run, page) : [];
      const stored = await readStored(sql, page);
      const read = { lines: rows.length, repeated, digest: digestOf(rows), writtenBy: stored.writtenBy };
      if (!isSame(stored, read)) throw linesChanged();
      return { isAmended, repeated, stored, sums };
    });
  }

  /** Notes what the acquirer has amended, once it is known that nothing is missing. */
  async noteAmended(): Promise<void> {
    for (const page of this.#amended) {
      await this.#tools.db.atomic(async (sql) => {
        await planByHash(sql);
        await noting(this.#tools, sql, this.#run.acquirer, async () => {
          return { change: await noteAmended(sql, this.#run, page) };
        });
      });
    }
  }

  #isOutside(at: Temporal.Instant): boolean {
    const { fromAt, toAt } = this.#run;
    const compare = Temporal.Instant.compare;
    return compare(at, fromAt.subtract(clockSkew)) < 0 || compare(at, toAt.add(clockSkew)) > 0;
  }

  #lineOf(line: StatementLine): Line {
    return {
      runId: this.#run.id,
      // Its page has it.
      position: 0n,
      kind: kindOf(line),
      key: line.key,
      chargeKey: 'chargeKey' in line ? line.chargeKey : null,
      amountMinor: line.amount.minor,
      feeMinor: line.kind === 'payout' ? line.fee.minor : 0n,
      what: line.kind === 'other' ? line.what : null,
      // With the precision of the database.
      at: line.at.round({ smallestUnit: 'microsecond', roundingMode: 'trunc' }),
      isRepeated: false,
    };
  }

  #count(rows: readonly Line[]): void {
    for (const { kind, amountMinor, feeMinor } of rows) {
      const { lines, minor, feeMinor: fees } = this.sumOf(kind);
      this.#sums.set(kind, { lines: lines + 1n, minor: minor + amountMinor, feeMinor: fees + feeMinor });
    }
  }
}

function isSame(one: Stored, other: Stored): boolean {
  return (
    one.lines === other.lines &&
    one.repeated === other.repeated &&
    one.digest === other.digest &&
    one.writtenBy === other.writtenBy
  );
}

function linesChanged(): StatementFault {
  return new StatementFault({ code: 'lines_changed', parameters: {} });
}

function notContinued(): StatementFault {
  return new StatementFault({ code: 'not_continued', parameters: {} });
}
