// A run: reads the statement of a period page by page, compares each page with the books in one query, then compares
// the books with the statement. Memory is bounded by a page, whatever the period holds.

import type { StatementFaultReason } from '../../contract/codes/parking.ts';
import type { Callback } from '../acquirer/index.ts';
import { planByHash } from '../database/index.ts';
import { money } from '../kernel/index.ts';
import { ledgerAccounts } from '../ledger/index.ts';
import { generateInParallel, inParallel } from '../runtime/index.ts';
import { askFor, promisesOf } from './ask.ts';
import { currency } from './changes.ts';
import { ownKinds } from './kinds.ts';
import type { Facts, Keyed, Run, Total } from './model.ts';
import { type Named, nameAll } from './name.ts';
import { comparePayouts } from './payouts.ts';
import { nameRepeated } from './repeated.ts';
import { borderOf, endRun, type Reconciliation, StatementFault, saveRun, startRun, withLease } from './run.ts';
import { Statement } from './statement.ts';
import { compareJournals, findPageEnd, type JournalPage } from './store/books.ts';
import { type ComparedPage, compareCaptures, compareRefunds, compareReturned, type Page } from './store/compare.ts';
import { countOpenOf } from './store/items.ts';
import { compareLines, listMissingLines, sumLines } from './store/lines.ts';
import { tellDisputes } from './tell.ts';
import type { ReconciliationTools } from './tools.ts';
import { nameTotals, Tally } from './totals.ts';

export type { Reconciliation } from './run.ts';

/** The acquirer's own lines that need no payout to be in the books. */
const atOnceKinds = ownKinds.filter((kind) => kind !== 'payout_returned');
const journalsAtOnce = 5_000;
/** Pages in work: with the database's processes, enough for a few cores. */
const pagesAtOnce = 3;
const appliedAtOnce = 50;
const missingAtOnce = 500;
/** A bank that is slow with each of them is asked for some at a time, so that the progress is saved. */
const askedBeforeSaving = 500;

/** Told after each page. */
export type Progress = (run: Run, step: 'statement' | 'books') => void;

/** Compares a period; undefined if another run is in progress. */
export async function reconcile(
  tools: ReconciliationTools,
  period: Reconciliation = {},
  progress: Progress = () => undefined,
): Promise<Run | undefined> {
  const run = await startRun(tools, period);
  if (!run) return undefined;
  const comparison = new Comparison(tools, run, progress);
  return withLease(tools, run, async () => {
    try {
      await comparison.readStatement();
      await comparison.readBooks();
      return await comparison.end();
    } catch (error) {
      if (!(error instanceof StatementFault)) tools.log.error({ err: error }, 'a reconciliation failed');
      const why: StatementFaultReason =
        error instanceof StatementFault ? error.why : { code: 'failed', parameters: {} };
      return await comparison.giveUp(why);
    }
  });
}

class Comparison {
  readonly #tools: ReconciliationTools;
  readonly #progress: Progress;
  readonly #statement: Statement;
  readonly #tally = new Tally();
  readonly #failed: string[] = [];
  #run: Run;
  #unanswered = 0;

  constructor(tools: ReconciliationTools, run: Run, progress: Progress) {
    this.#tools = tools;
    this.#run = run;
    this.#progress = progress;
    this.#statement = new Statement(tools, run, ledgerAccounts.receivable(run.acquirer));
  }

  /** What the bank has: in the books? Payouts last: what they pay out must be booked before. */
  async readStatement(): Promise<void> {
    await generateInParallel(this.#statement.pages(), pagesAtOnce, (page) => this.#comparePage(page));
    const { found, carried, totals } = await comparePayouts(this.#tools, this.#run, this.#statement);
    if (carried) this.#run = { ...this.#run, ...carried };
    this.#tally.add(totals);
    this.#found(found);
    await this.#compareReturns();
    await this.#missLines();
    this.#run = { ...this.#run, applied: this.#run.applied + (await tellDisputes(this.#tools, this.#run.acquirer)) };
    await this.#save('statement');
  }

  /** What came back of payouts: they are in the books by now. */
  async #compareReturns(): Promise<void> {
    const compared = await this.#tools.db.atomic(async (sql) => {
      await planByHash(sql);
      return compareLines(sql, this.#statement.whole(), ['payout_returned']);
    });
    for (const [kind, some] of compared) {
      this.#tally.addBooked(kind, some.bookedMinor);
      await this.#judge(kind, some.facts);
    }
  }

  /** Lines of the acquirer's own that are in the books and not in the statement any more. */
  async #missLines(): Promise<void> {
    const { sql } = this.#tools.db;
    for (let after: { readonly kind: string; readonly key: string } = { kind: '', key: '' }; ; ) {
      const missing = await this.#tools.db.atomic(async (inside) => {
        await planByHash(inside);
        return listMissingLines(inside, this.#run, after, missingAtOnce);
      });
      for (const [, some] of Map.groupBy(missing, ({ kind }) => kind)) {
        const { found, failed } = await nameAll(this.#tools, this.#run, some);
        this.#found(found);
        this.#failed.push(...failed);
      }
      const last = missing.at(-1);
      if (!last || missing.length < missingAtOnce) break;
      after = last;
    }
    for (const [kind, minor] of await sumLines(sql, this.#run)) this.#tally.setOurs(kind, minor);
  }

  async #comparePage(page: Page): Promise<void> {
    const outdated: Facts[] = [];
    for (const [kind, some] of await this.#readPage(page)) {
      this.#tally.addBooked(kind, some.bookedMinor);
      outdated.push(...(await this.#judge(kind, some.facts)));
    }
    if (outdated.length > 0) await this.#readAgain(page, outdated);
    await this.#save('statement');
  }

  #readPage(page: Page): Promise<[Keyed, ComparedPage][]> {
    return this.#tools.db.atomic(async (sql) => {
      await planByHash(sql);
      return [
        ['capture', await compareCaptures(sql, page)],
        ['refund', await compareRefunds(sql, page)],
        ['refund_returned', await compareReturned(sql, page)],
        ...(await compareLines(sql, page, atOnceKinds)),
      ];
    });
  }

  /** What was settled after its row was read, and before what is booked for it was: now its row is newer than that. */
  async #readAgain(page: Page, outdated: readonly Facts[]): Promise<void> {
    const read = new Map(await this.#readPage(page));
    for (const [kind, some] of Map.groupBy(outdated, (one) => one.kind)) {
      const keys = new Set(some.map(({ key }) => key));
      const differing = (read.get(kind)?.facts ?? []).filter(({ key }) => keys.has(key));
      const again = differing.map((one): Facts => ({ ...one, isReadAgain: true }));
      await this.#judge(kind, again);
      for (const { key } of differing) keys.delete(key);
      // The others agree, so the bank's amount is the one in the books.
      for (const { key, bankMinor } of some) if (keys.has(key)) this.#tally.addBooked(kind, bankMinor ?? 0n);
    }
  }

  /** Returns what has to be read again. */
  async #judge(kind: Keyed, facts: readonly Facts[]): Promise<readonly Facts[]> {
    const named = await nameAll(this.#tools, this.#run, facts);
    this.#took(kind, named);
    if (named.toApply.length > 0) {
      await inParallel(named.toApply, appliedAtOnce, (one) => this.#applyResult(one));
      // What its room did not take is a difference.
      const notified = named.toApply.map((one): Facts => ({ ...one, isApplied: true, row: 'moved' }));
      this.#took(kind, await nameAll(this.#tools, this.#run, notified));
    }
    return named.outdated;
  }

  #took(kind: Keyed, { found, bookedMinor, explainedMinor, failed }: Named): void {
    this.#found(found);
    this.#tally.addBooked(kind, bookedMinor);
    this.#tally.addNamed(kind, explainedMinor);
    this.#failed.push(...failed);
  }

  #found(count: number): void {
    this.#run = { ...this.#run, found: this.#run.found + count };
  }

  /** A room that cannot take it does not keep the others from being told. */
  async #applyResult({ kind, key, bankMinor }: Facts): Promise<void> {
    const approved = { kind: 'approved', amount: money(bankMinor ?? 0n, currency) } as const;
    const callback: Callback =
      kind === 'capture'
        ? { kind: 'charge', key, result: approved }
        : { kind: 'refund', key, result: { kind: kind === 'refund_returned' ? 'returned' : 'approved' } };
    try {
      await this.#tools.applyResult(this.#run.acquirer, callback);
      this.#run = { ...this.#run, applied: this.#run.applied + 1 };
    } catch (error) {
      this.#tools.log.error({ err: error, key }, 'a result of the statement could not be passed on');
    }
  }

  /** What the books have: at the bank? What the statement does not name is asked for by key: it may be at its border. */
  async readBooks(): Promise<void> {
    await generateInParallel(this.#journalPages(), pagesAtOnce, async (page) => {
      const { unconfirmed, sums } = await this.#tools.db.atomic(async (sql) => {
        await planByHash(sql);
        return compareJournals(sql, page);
      });
      this.#tally.addOurs(sums);
      for (let asked = 0; asked < unconfirmed.length; asked += askedBeforeSaving) {
        await this.#ask(unconfirmed.slice(asked, asked + askedBeforeSaving));
        await this.#save('books');
      }
      await this.#save('books');
    });
    for await (const promises of promisesOf(this.#tools, this.#run)) {
      await this.#ask(promises);
      await this.#save('books');
    }
  }

  async #ask(unconfirmed: Parameters<typeof askFor>[2]): Promise<void> {
    const { found, failed, unanswered } = await askFor(this.#tools, this.#run, unconfirmed);
    this.#found(found);
    this.#failed.push(...failed);
    this.#unanswered += unanswered;
  }

  async *#journalPages(): AsyncGenerator<JournalPage> {
    const { id: runId, fromAt, toAt, acquirer } = this.#run;
    const receivable = ledgerAccounts.receivable(acquirer);
    const { until: lines } = this.#statement.whole();
    // Journals of the last millisecond count.
    const end = borderOf(toAt.add({ milliseconds: 1 }));
    for (let after = borderOf(fromAt); ; ) {
      const until: string | null = await findPageEnd(this.#tools.db.sql, after, end, journalsAtOnce);
      if (until === null) return;
      yield { runId, lines, after, until, receivable };
      after = until;
    }
  }

  async end(): Promise<Run> {
    await this.#statement.checkLines();
    const isComplete = this.#whyIncomplete() === undefined;
    const repeated = await nameRepeated(this.#tools, this.#run, isComplete);
    if (isComplete) await this.#statement.noteAmended();
    const totals = this.#tally.totals(this.#run.id, this.#statement);
    this.#found(repeated.found + (await nameTotals(this.#tools, this.#run, totals, isComplete)));
    const open = await countOpenOf(this.#tools.db.sql, this.#run.acquirer);
    this.#run = { ...this.#counted(), open };
    const incomplete = this.#whyIncomplete();
    if (incomplete) return this.#end('incomplete', incomplete, totals);
    const { count, first: key } = repeated.open;
    if (count > 0) return this.#end('differs', { code: 'repeated_lines', parameters: { count, key } }, totals);
    return this.#end(this.#run.found + open === 0 ? 'agreed' : 'differs', null, totals);
  }

  #whyIncomplete(): StatementFaultReason | undefined {
    const { unreadable, outside } = this.#statement;
    const [key] = this.#failed;
    if (key !== undefined) return { code: 'not_written', parameters: { count: this.#failed.length, key } };
    if (unreadable.count > 0) {
      return { code: 'unreadable_lines', parameters: { count: unreadable.count, place: Number(unreadable.first) } };
    }
    if (outside.count > 0) {
      return { code: 'other_period', parameters: { count: outside.count, place: Number(outside.first) } };
    }
    return this.#unanswered > 0 ? { code: 'unanswered', parameters: { count: this.#unanswered } } : undefined;
  }

  giveUp(why: StatementFaultReason): Promise<Run> {
    return this.#end('incomplete', why, []);
  }

  async #end(state: Run['state'], why: StatementFaultReason | null, totals: readonly Total[]): Promise<Run> {
    this.#run = { ...this.#counted(), state, why, endedAt: this.#tools.wall.now() };
    await endRun(this.#tools, this.#run, totals);
    return this.#run;
  }

  async #save(step: 'statement' | 'books'): Promise<void> {
    this.#run = this.#counted();
    await saveRun(this.#tools, this.#run);
    this.#progress(this.#run, step);
  }

  #counted(): Run {
    const [captures, refunds, payouts, fees] = (['capture', 'refund', 'payout', 'fee'] as const).map((kind) =>
      this.#statement.sumOf(kind),
    );
    return {
      ...this.#run,
      captures: captures?.lines ?? 0n,
      capturedMinor: captures?.minor ?? 0n,
      refunds: refunds?.lines ?? 0n,
      refundedMinor: refunds?.minor ?? 0n,
      payouts: payouts?.lines ?? 0n,
      paidOutMinor: payouts?.minor ?? 0n,
      feesMinor: (payouts?.feeMinor ?? 0n) + (fees?.minor ?? 0n),
    };
  }
}
