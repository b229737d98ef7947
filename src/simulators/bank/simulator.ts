// The simulated bank behind the port: it responds like an acquirer, keeps its own record, and misbehaves on request.

import type { DatabaseSync } from 'node:sqlite';
import type {
  Acquirer,
  CancelAnswer,
  ChargeAnswer,
  ChargeRequest,
  FindAnswer,
  KeyRequest,
  OnCallback,
  RefundAnswer,
  RefundRequest,
  StatementAnswer,
  StatementRequest,
} from '../../acquirer/index.ts';
import { callbackFromWire } from '../../acquirer/index.ts';
import type { Money } from '../../kernel/index.ts';
import { type Clock, type Log, pause, type Random } from '../../runtime/index.ts';
import { Bank, type Choice, type Reply } from './bank.ts';
import { checkFaults, type Faults } from './faults.ts';
import { amountOf } from './rows.ts';
import { shownToPayers } from './shown.ts';
import { Statements } from './statement.ts';
import { type AliasRow, type CallbackRow, type ChargeRow, openFile, Store } from './store.ts';
import { Turns } from './turns.ts';

export interface SimulatorOptions {
  /** `DATA_DIR/bank.sqlite`; several processes may share it. */
  readonly file: string;
  /** The business clock. */
  readonly clock: Clock;
  /** Generates link ids, which must be unguessable. */
  readonly random: Random;
  readonly log: Log;
  /** Public URL of the bank's pages, without a trailing slash: `{baseUrl}/bank`. */
  readonly pagesUrl: string;
  /** The acquirer's name in the ledger. */
  readonly name?: string;
  /** Waits for slow and lost responses; tests pass a function that does not wait. */
  readonly wait?: (milliseconds: number) => Promise<void>;
}

/** What the bank's page shows, and where it returns the payer. */
export interface BankPage {
  readonly kind: ChargeRow['kind'];
  readonly amount: Money;
  readonly description: string;
  readonly cardTail: string | null;
  readonly state: ChargeRow['state'];
  readonly returnUrl: string;
  readonly merchantName: string | null;
  readonly language: string | null;
  readonly bank: string | null;
}

/** What happened to the money, according to the bank's books. */
export interface BankRecord {
  readonly captures: readonly { readonly key: string; readonly amount: Money; readonly capturedAt: Temporal.Instant }[];
  readonly refunds: readonly {
    readonly key: string;
    readonly chargeKey: string;
    readonly amount: Money;
    readonly refundedAt: Temporal.Instant;
  }[];
  readonly cancels: readonly { readonly key: string; readonly amount: Money; readonly canceledAt: Temporal.Instant }[];
  /** Captured minus refunded, in minor units, for each captured key. */
  readonly netMinor: ReadonlyMap<string, bigint>;
}

const callbacksAtMost = 100;
const claimMilliseconds = 15_000;
const firstRetryMilliseconds = 5_000;
const longestRetryMilliseconds = 3_600_000;

export class Simulator implements Acquirer {
  readonly name: string;
  readonly shown = shownToPayers;
  /** Public URL of its pages. */
  readonly pagesUrl: string;
  readonly #options: SimulatorOptions;
  readonly #wait: (milliseconds: number) => Promise<void>;
  readonly #db: DatabaseSync;
  readonly #store: Store;
  readonly #bank: Bank;
  readonly #turns: Turns;
  readonly #statements: Statements;

  constructor(options: SimulatorOptions) {
    this.name = options.name ?? 'simulator';
    this.pagesUrl = options.pagesUrl;
    this.#options = options;
    this.#wait = options.wait ?? pause;
    this.#db = openFile(options.file);
    this.#store = new Store(this.#db);
    this.#bank = new Bank({ ...options, store: this.#store });
    this.#turns = new Turns(this.#db, () => this.#bank.begin());
    this.#statements = new Statements(this.#db, (payout) => this.#bank.followPayout(payout));
  }

  charge(request: ChargeRequest): Promise<ChargeAnswer> {
    return this.#answer(request, () => this.#bank.charge(request));
  }

  refund(request: RefundRequest): Promise<RefundAnswer> {
    return this.#answer(request, () => this.#bank.refund(request));
  }

  cancel(request: KeyRequest): Promise<CancelAnswer> {
    return this.#answer(request, () => this.#bank.cancel(request.key));
  }

  findCharge(request: KeyRequest): Promise<FindAnswer> {
    return this.#answer(request, () => prompt(this.#bank.findCharge(request.key)));
  }

  findRefund(request: KeyRequest): Promise<FindAnswer> {
    return this.#answer(request, () => prompt(this.#bank.findRefund(request.key)));
  }

  /** The true record, whatever was reported: a statement is made from the books. */
  async statement(request: StatementRequest): Promise<StatementAnswer> {
    try {
      const page = await this.#turns.run(() => this.#statements.page(request, this.#now()));
      return { kind: 'page', ...page };
    } catch (error) {
      this.#options.log.error({ err: error }, 'the bank could not read its record');
      return { kind: 'unknown' };
    }
  }

  /** Switches on exactly these scenarios, in every process that shares the file. `{}` makes the bank honest again. */
  setFaults(faults: Faults): void {
    checkFaults(faults);
    this.#turns.now(() => this.#store.saveFaults(faults));
  }

  faults(): Faults {
    return JSON.parse(this.#store.findFaults()) as Faults;
  }

  /**
   * Sends up to a hundred due callbacks and returns how many were accepted. At least once: a callback becomes due again
   * after a throw, and after a crash. Callbacks of one key are sent in sequence.
   */
  deliverDue(onCallback: OnCallback): Promise<number> {
    return this.#deliver(onCallback);
  }

  /** The same for the callbacks of one key. */
  deliverDueOf(key: string, onCallback: OnCallback): Promise<number> {
    return this.#deliver(onCallback, key);
  }

  /** The BLIK aliases that payers registered with a payment. */
  aliases(): readonly AliasRow[] {
    return this.#turns.now(() => this.#store.listAliases());
  }

  /** When the bank next acts by itself, by the business clock; null if nothing is scheduled. */
  nextDueAt(): Temporal.Instant | null {
    const at = this.#turns.now(() => this.#store.findNextDue());
    return at === null ? null : instant(at);
  }

  /** The page behind a link; undefined if there is no such link. */
  async findPage(linkId: string): Promise<BankPage | undefined> {
    const row = await this.#turns.run(() => this.#store.findChargeByLink(linkId));
    return row && pageOf(row);
  }

  /** Records the payer's choice, once; returns the current page and the charge's key. */
  async choose(linkId: string, choice: Choice): Promise<{ key: string; page: BankPage } | undefined> {
    const row = await this.#turns.run(() => this.#bank.choose(linkId, choice));
    return row && { key: row.key, page: pageOf(row) };
  }

  /** What was really captured, refunded and canceled, whatever was reported; for tests. */
  record(): BankRecord {
    const [charges, refundRows] = this.#turns.now(
      () => [this.#store.listCharges(), this.#store.listRefunds()] as const,
    );
    const captures = charges.flatMap((row) =>
      row.capturedAt === null ? [] : [{ key: row.key, amount: amountOf(row), capturedAt: instant(row.capturedAt) }],
    );
    const refunds = refundRows.flatMap(({ key, chargeKey, refundedAt, ...row }) =>
      refundedAt === null ? [] : [{ key, chargeKey, amount: amountOf(row), refundedAt: instant(refundedAt) }],
    );
    const cancels = charges.flatMap((row) =>
      row.canceledAt === null ? [] : [{ key: row.key, amount: amountOf(row), canceledAt: instant(row.canceledAt) }],
    );
    const netMinor = new Map(captures.map(({ key, amount }) => [key, amount.minor]));
    for (const { chargeKey, amount } of refunds) {
      netMinor.set(chargeKey, (netMinor.get(chargeKey) ?? 0n) - amount.minor);
    }
    return { captures, refunds, cancels, netMinor };
  }

  /** Waits for work in progress, then closes the file. */
  async close(): Promise<void> {
    if (!this.#db.isOpen) return;
    await this.#turns.run(() => undefined).catch(() => undefined);
    this.#db.close();
  }

  /** The port never throws: if the record cannot be written, the result is unknown. */
  async #answer<Answer extends { readonly kind: string }>(
    request: KeyRequest,
    work: () => Reply<Answer>,
  ): Promise<Answer | { readonly kind: 'unknown' }> {
    try {
      const { answer, lost, delayMilliseconds } = await this.#turns.run(work);
      if (lost || delayMilliseconds > request.deadlineMilliseconds) {
        await this.#wait(request.deadlineMilliseconds);
        return { kind: 'unknown' };
      }
      if (delayMilliseconds > 0) await this.#wait(delayMilliseconds);
      return answer;
    } catch (error) {
      this.#options.log.error({ err: error, key: request.key }, 'the bank could not write its record');
      return { kind: 'unknown' };
    }
  }

  async #deliver(onCallback: OnCallback, key?: string): Promise<number> {
    const now = this.#now();
    const claimed = await this.#turns.run(() =>
      this.#store.claimCallbacks(now, now + claimMilliseconds, callbacksAtMost, key),
    );
    const byKey = Object.values(Object.groupBy(claimed, (row) => row.key));
    const counts = await Promise.all(byKey.map((rows) => this.#sendInOrder(rows ?? [], onCallback)));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  async #sendInOrder(rows: readonly CallbackRow[], onCallback: OnCallback): Promise<number> {
    let arrived = 0;
    for (const row of rows) if (await this.#send(row, onCallback)) arrived += 1;
    return arrived;
  }

  async #send(row: CallbackRow, onCallback: OnCallback): Promise<boolean> {
    try {
      const callback = callbackFromWire(JSON.parse(row.body));
      if (!callback) throw new Error(`Callback ${row.id} of the bank's record cannot be read.`);
      await onCallback(callback);
      await this.#turns.run(() => this.#store.saveDelivered(row.id, this.#now()));
      return true;
    } catch (error) {
      this.#options.log.warn({ err: error, key: row.key, tries: row.tries + 1 }, 'a callback was not accepted');
      const delay = Math.min(firstRetryMilliseconds * 2 ** row.tries, longestRetryMilliseconds);
      await this.#turns.run(() => this.#store.saveFailed(row.id, this.#now() + delay));
      return false;
    }
  }

  #now(): number {
    return this.#options.clock.now().epochMilliseconds;
  }
}

/** Opens the bank's file and creates it if necessary. */
export function openSimulator(options: SimulatorOptions): Simulator {
  return new Simulator(options);
}

function prompt<Answer>(answer: Answer): Reply<Answer> {
  return { answer, lost: false, delayMilliseconds: 0 };
}

function instant(epochMilliseconds: number): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(epochMilliseconds);
}

function pageOf(row: ChargeRow): BankPage {
  const { kind, description, cardTail, state, returnUrl, merchantName, language, bank } = row;
  return { kind, amount: amountOf(row), description, cardTail, state, returnUrl, merchantName, language, bank };
}
