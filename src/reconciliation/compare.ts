// A run: reads the statement of a period page by page, compares each page with the books in one query, then compares
// the books with the statement. Memory is bounded by a page, whatever the period holds.

import type { StatementFaultReason } from '../../contract/codes/parking.ts';
import type { Callback, FindAnswer, StatementAnswer, StatementLine } from '../acquirer/index.ts';
import { type Currency, money, ulid } from '../kernel/index.ts';
import { ledgerAccounts, payoutJournal, post } from '../ledger/index.ts';
import { generateInParallel, inParallel, pause } from '../runtime/index.ts';
import { correctItems } from './correct.ts';
import type { Found, Item, Line, Run, Unconfirmed } from './model.ts';
import { bookingOf, foundOf, judgeAnswer, judgeLine, whyOf } from './rules.ts';
import {
  type Compared,
  findPageEnd,
  type JournalPage,
  listOtherCaptures,
  listOtherPayouts,
  listOtherRefunds,
  listUnconfirmed,
  type Page,
  type Payout,
} from './store/compare.ts';
import { insertItems } from './store/items.ts';
import {
  clearLines,
  copyLines,
  deleteRepeats,
  findBeginning,
  findComparedUntil,
  insertRun,
  updateRun,
} from './store/runs.ts';
import type { ReconciliationTools } from './tools.ts';

const linesAtOnce = 5_000;
const journalsAtOnce = 5_000;
/** Pages in work: with the database's processes, enough for a few cores. */
const pagesAtOnce = 3;
const askedAtOnce = 50;
/** A bank that is slow with each of them must not outlast the lease. */
const askedBeforeSaving = 500;
const deadlineMilliseconds = 30_000;
const askDeadlineMilliseconds = 10_000;
const triesAtMost = 3;
const retryMilliseconds = 1_000;
const currency: Currency = 'PLN';
/** A run that writes nothing for this long has died. */
const lease = Temporal.Duration.from({ minutes: 10 });
/** How far a run looks back before the end of the last one: open payments are parked after three days at the latest. */
const overlap = Temporal.Duration.from({ hours: 72 });

const clockSkew = Temporal.Duration.from({ hours: 24 });

/** The period; by default from three days before the end of the last one until now. */
export interface Reconciliation {
  readonly from?: Temporal.Instant | undefined;
  readonly to?: Temporal.Instant | undefined;
}

/** Told after each page. */
export type Progress = (run: Run, step: 'statement' | 'books') => void;

type StatementPage = Extract<StatementAnswer, { kind: 'page' }>;

/** The acquirer gave no complete statement. */
class StatementFault extends Error {
  readonly why: StatementFaultReason;

  constructor(code: Exclude<StatementFaultReason['code'], 'repeated_lines' | 'unanswered'>) {
    super(code);
    this.why = { code, parameters: {} };
  }
}

/** Compares a period; undefined if another run is in progress. */
export async function reconcile(
  tools: ReconciliationTools,
  period: Reconciliation = {},
  progress: Progress = () => undefined,
): Promise<Run | undefined> {
  const run = await startRun(tools, period);
  if (!run) return undefined;
  const comparison = new Comparison(tools, run, progress);
  try {
    await comparison.readStatement();
    await comparison.readBooks();
    return await comparison.end();
  } catch (error) {
    if (!(error instanceof StatementFault)) tools.log.error({ err: error }, 'a reconciliation failed');
    const { why } = error instanceof StatementFault ? error : new StatementFault('failed');
    return await comparison.giveUp(why);
  }
}

async function startRun(tools: ReconciliationTools, { from, to }: Reconciliation): Promise<Run | undefined> {
  const { sql } = tools.db;
  const { name: acquirer } = tools.acquirer;
  const [startedAt, now] = [tools.wall.now(), tools.clock.now()];
  // What has not happened yet is not compared, so that the next run begins there.
  const toAt = to && Temporal.Instant.compare(to, now) < 0 ? to : now;
  const after = (await findComparedUntil(sql, acquirer))?.subtract(overlap);
  const since = after && Temporal.Instant.compare(after, toAt) < 0 ? after : await findBeginning(sql);
  const fromAt = from ?? since ?? toAt;
  const run: Run = {
    id: ulid(startedAt.epochMilliseconds, tools.random.bytes(16)),
    acquirer,
    // A period that begins where it ends would be empty; an installation may be that young.
    fromAt: Temporal.Instant.compare(fromAt, toAt) < 0 ? fromAt : toAt.subtract({ milliseconds: 1 }),
    toAt,
    startedAt,
    leaseUntil: startedAt.add(lease),
    endedAt: null,
    state: 'running',
    captures: 0n,
    capturedMinor: 0n,
    refunds: 0n,
    refundedMinor: 0n,
    payouts: 0n,
    paidOutMinor: 0n,
    applied: 0,
    found: 0,
    why: null,
  };
  if (!(await tools.db.atomic((sql) => insertRun(sql, run)))) return undefined;
  await clearLines(sql);
  return run;
}

class Comparison {
  readonly #tools: ReconciliationTools;
  readonly #progress: Progress;
  readonly #receivable: string;
  #run: Run;
  #position = 0n;
  #unanswered = 0;
  #repeats = 0;
  #repeatedKey: string | undefined;

  constructor(tools: ReconciliationTools, run: Run, progress: Progress) {
    this.#tools = tools;
    this.#run = run;
    this.#progress = progress;
    this.#receivable = ledgerAccounts.receivable(run.acquirer);
  }

  /** What the bank has: in the books? While pages are compared, the next one is fetched and stored. */
  readStatement(): Promise<void> {
    return generateInParallel(this.#storedPages(), pagesAtOnce, (page) => this.#comparePage(page));
  }

  async *#storedPages(): AsyncGenerator<Page> {
    for (let asked: Promise<StatementPage> | undefined = this.#ask(null), seen: string | null = null; asked; ) {
      const { lines, next }: StatementPage = await asked;
      if (next !== null && (next === seen || lines.length === 0)) throw new StatementFault('not_continued');
      asked = next === null ? undefined : this.#ask(next);
      // If something else fails first, nobody waits for it any more.
      asked?.catch(() => undefined);
      yield await this.#store(lines);
      seen = next;
    }
  }

  async #store(lines: readonly StatementLine[]): Promise<Page> {
    const { sql } = this.#tools.db;
    const after = this.#position;
    if (lines.some(({ at }) => this.#isOutside(at))) throw new StatementFault('other_period');
    const rows = lines.map((line) => this.#lineOf(line));
    this.#count(lines);
    await copyLines(sql, rows);
    const repeated = await deleteRepeats(sql, this.#run.id, after);
    this.#repeats += repeated.count;
    this.#repeatedKey ??= repeated.key;
    // A cursor that goes round would never end.
    if (rows.length > 0 && repeated.count === rows.length) throw new StatementFault('not_continued');
    return { runId: this.#run.id, after, until: after + BigInt(rows.length), receivable: this.#receivable };
  }

  /** What the books have: at the bank? What the statement does not name is asked for by key: it may be at its border. */
  readBooks(): Promise<void> {
    return generateInParallel(this.#journalPages(), pagesAtOnce, async (page) => {
      const unconfirmed = await listUnconfirmed(this.#tools.db.sql, page);
      for (let asked = 0; asked < unconfirmed.length; asked += askedBeforeSaving) {
        await this.#askFor(unconfirmed.slice(asked, asked + askedBeforeSaving));
        await this.#save('books');
      }
      await this.#save('books');
    });
  }

  async *#journalPages(): AsyncGenerator<JournalPage> {
    const { id: runId, fromAt, toAt } = this.#run;
    // Journals of the last millisecond count.
    const end = borderOf(toAt.add({ milliseconds: 1 }));
    for (let after = borderOf(fromAt); ; ) {
      const until: string | null = await findPageEnd(this.#tools.db.sql, after, end, journalsAtOnce);
      if (until === null) return;
      yield { runId, after, until, receivable: this.#receivable };
      after = until;
    }
  }

  async end(): Promise<Run> {
    const corrected = await correctItems(this.#tools, this.#run.id);
    this.#run = { ...this.#run, found: this.#run.found + corrected };
    if (this.#unanswered > 0) {
      return this.giveUp({ code: 'unanswered', parameters: { count: this.#unanswered } });
    }
    // Each was compared once. Whether the bank repeats itself or moved the money twice, only the bank can say.
    if (this.#repeats > 0) {
      const parameters = { count: this.#repeats, key: this.#repeatedKey ?? '' };
      return this.#end('differs', { code: 'repeated_lines', parameters });
    }
    return this.#end(this.#run.found === 0 ? 'agreed' : 'differs', null);
  }

  giveUp(why: StatementFaultReason): Promise<Run> {
    return this.#end('incomplete', why);
  }

  async #end(state: Run['state'], why: StatementFaultReason | null): Promise<Run> {
    this.#run = { ...this.#run, state, why, endedAt: this.#tools.wall.now() };
    await updateRun(this.#tools.db.sql, this.#run);
    return this.#run;
  }

  async #save(step: 'statement' | 'books'): Promise<void> {
    this.#run = { ...this.#run, leaseUntil: this.#tools.wall.now().add(lease) };
    if (!(await updateRun(this.#tools.db.sql, this.#run))) throw new StatementFault('taken_over');
    this.#progress(this.#run, step);
  }

  async #ask(after: string | null): Promise<StatementPage> {
    const { fromAt: from, toAt: to } = this.#run;
    for (let tries = 1; ; tries += 1) {
      const request = { from, to, after, limit: linesAtOnce, deadlineMilliseconds };
      const answer = await this.#tools.acquirer.statement(request);
      if (answer.kind === 'page') return answer;
      if (tries === triesAtMost) throw new StatementFault('no_statement');
      await pause(retryMilliseconds);
    }
  }

  /** A bank's clock may differ from ours. */
  #isOutside(at: Temporal.Instant): boolean {
    const { fromAt, toAt } = this.#run;
    const compare = Temporal.Instant.compare;
    return compare(at, fromAt.subtract(clockSkew)) < 0 || compare(at, toAt.add(clockSkew)) > 0;
  }

  #lineOf(line: StatementLine): Line {
    this.#position += 1n;
    return {
      runId: this.#run.id,
      position: this.#position,
      kind: line.kind,
      key: line.key,
      chargeKey: line.kind === 'refund' ? line.chargeKey : null,
      amountMinor: line.amount.minor,
      feeMinor: line.kind === 'payout' ? line.fee.minor : 0n,
      at: line.at,
    };
  }

  #count(lines: readonly StatementLine[]): void {
    const of = (kind: StatementLine['kind']) => lines.filter((line) => line.kind === kind);
    const sum = (some: readonly StatementLine[]) => some.reduce((total, { amount }) => total + amount.minor, 0n);
    const [captures, refunds, payouts] = [of('capture'), of('refund'), of('payout')];
    this.#run = {
      ...this.#run,
      captures: this.#run.captures + BigInt(captures.length),
      capturedMinor: this.#run.capturedMinor + sum(captures),
      refunds: this.#run.refunds + BigInt(refunds.length),
      refundedMinor: this.#run.refundedMinor + sum(refunds),
      payouts: this.#run.payouts + BigInt(payouts.length),
      paidOutMinor: this.#run.paidOutMinor + sum(payouts),
    };
  }

  async #comparePage(page: Page): Promise<void> {
    const { sql } = this.#tools.db;
    const others = [...(await listOtherCaptures(sql, page)), ...(await listOtherRefunds(sql, page))];
    await this.#judge(others);
    await this.#bookPayouts(
      await listOtherPayouts(sql, page, ledgerAccounts.acquirerFee, sourceOfPayout(this.#run.acquirer, '')),
    );
    await this.#save('statement');
  }

  async #judge(others: readonly Compared[]): Promise<void> {
    const judged = others.map((one) => ({ ...one, verdict: judgeLine(one.line.amountMinor, one.ours) }));
    const waited = judged.filter(({ verdict }) => verdict === 'apply');
    await inParallel(waited, askedAtOnce, ({ line }) => this.#applyResult(line));
    await this.#name(
      judged.flatMap(({ line, ours, verdict }) =>
        verdict === 'agrees' || verdict === 'apply' ? [] : [foundOf(line, ours, verdict)],
      ),
    );
  }

  async #applyResult({ kind, key, amountMinor }: Line): Promise<void> {
    const approved = { kind: 'approved', amount: money(amountMinor, currency) } as const;
    const callback: Callback =
      kind === 'capture'
        ? { kind: 'charge', key, result: approved }
        : { kind: 'refund', key, result: { kind: 'approved' } };
    await this.#tools.applyResult(callback);
    this.#run = { ...this.#run, applied: this.#run.applied + 1 };
  }

  /** Names differences and books what was not in the books, in one transaction. */
  async #name(found: readonly Found[]): Promise<void> {
    if (found.length === 0) return;
    const now = this.#tools.clock.now();
    const items = found.map((one) => this.#itemOf(one, now));
    const fresh = await this.#tools.db.atomic(async (sql) => {
      const ids = await insertItems(sql, items);
      const journals = items.filter(({ id }) => ids.has(id)).flatMap(bookingOf);
      await post(sql, this.#tools.ids, journals, now);
      return ids.size;
    });
    this.#run = { ...this.#run, found: this.#run.found + fresh };
  }

  #itemOf(found: Found, foundAt: Temporal.Instant): Item {
    return {
      ...found,
      id: this.#tools.ids.ulid(),
      runId: this.#run.id,
      acquirer: this.#run.acquirer,
      currency,
      state: 'parked',
      why: whyOf(found),
      foundAt,
      closedAt: null,
      outcome: null,
    };
  }

  async #bookPayouts(payouts: readonly Payout[]): Promise<void> {
    if (payouts.length === 0) return;
    const { acquirer } = this.#run;
    // The ledger has no journal of nothing.
    const fresh = payouts.filter((one) => one.bookedMinor === null && one.amountMinor + one.feeMinor > 0n);
    const journals = fresh.map(({ key, amountMinor, feeMinor }) =>
      payoutJournal({ source: sourceOfPayout(acquirer, key), acquirer, currency, amountMinor }, feeMinor),
    );
    await this.#tools.db.atomic((sql) => post(sql, this.#tools.ids, journals, this.#tools.clock.now()));
    await this.#name(payouts.flatMap(otherPayout));
  }

  async #askFor(unconfirmed: readonly Unconfirmed[]): Promise<void> {
    const found = await inParallel(unconfirmed, askedAtOnce, async (ours): Promise<Found[]> => {
      const answer = await this.#find(ours);
      const difference = judgeAnswer(ours, answer);
      if (difference === 'unanswered') this.#unanswered += 1;
      if (difference === 'unanswered' || difference === 'agrees' || difference === 'apply') return [];
      const bankMinor = answer.kind === 'approved' ? answer.amount.minor : null;
      return [{ kind: ours.kind, difference, key: ours.source, bankMinor, ourMinor: ours.ourMinor }];
    });
    await this.#name(found.flat());
  }

  #find({ kind, key }: Unconfirmed): Promise<FindAnswer> {
    if (key === null) return Promise.resolve({ kind: 'notFound' });
    const request = { key, deadlineMilliseconds: askDeadlineMilliseconds };
    const { acquirer } = this.#tools;
    return kind === 'capture' ? acquirer.findCharge(request) : acquirer.findRefund(request);
  }
}

/** The smallest id of this time; ids begin in 1970. */
function borderOf(at: Temporal.Instant): string {
  return ulid(Math.max(0, at.epochMilliseconds), new Uint8Array(16));
}

/** A payout that is booked otherwise: by what the bank paid and kept, or if that agrees, by what it paid. */
function otherPayout({ key, amountMinor, feeMinor, bookedMinor, bookedFeeMinor }: Payout): Found[] {
  if (bookedMinor === null) return [];
  const withFee = { bankMinor: amountMinor + feeMinor, ourMinor: bookedMinor };
  const paid = { bankMinor: amountMinor, ourMinor: bookedMinor - bookedFeeMinor };
  const amounts = withFee.bankMinor === withFee.ourMinor ? paid : withFee;
  return [{ kind: 'payout', difference: 'other_amount', key, ...amounts }];
}

/** Keys of payouts are the acquirer's own: only with its name are they unique. */
function sourceOfPayout(acquirer: string, key: string): string {
  return `${acquirer}:${key}`;
}
