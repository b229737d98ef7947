// Charges in batches: claim what is due and write the intents, call the bank outside any database transaction, settle.

import type { Acquirer, ChooseAcquirers, Instrument as PortInstrument, RouteFacts } from '../acquirer/index.ts';
import { blankCharge, type ChargeResult, chargeAtBank, payerOf } from '../banking/index.ts';
import type { Sql } from '../database/index.ts';
import { money, type TransactionId } from '../kernel/index.ts';
import { savedInstrument } from '../methods/index.ts';
import { randomText, type Waiting } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';
import { blankTransaction, startCharges, type Transaction } from '../transactions/index.ts';
import { cardTokenOf, isOwnCard, type OpenInstrument, openInstruments } from './instrument.ts';
import type { Recurring } from './model.ts';
import type { Share } from './pace.ts';
import { channelOf, chargeId, startsIteration, turnOf } from './rules.ts';
import { recurringDue } from './store/attempts.ts';
import {
  type AttemptStart,
  type Claimed,
  insertAttempts,
  listMerchantsAfter,
  lockDueOfMerchants,
  lockDueRecurring,
} from './store/claims.ts';
import type { ChargingTools, RecurringTools } from './tools.ts';

/** All claimed charges are sent immediately: none waits for its turn while its payer cancels. */
const chargesAtOnce = 300;
/**
 * Concurrent batches while they are full: while this process computes one, PostgreSQL writes another. They are settled
 * apart, too. With little due, one batch is enough, and the others would only look for what it has claimed.
 */
export const setsAtOnce = 3;
const chargeDeadlineMilliseconds = 10_000;

/**
 * Until then the round that claimed the charge owns its result; afterwards it is looked up. So the charges of a killed
 * worker continue.
 */
const lease = Temporal.Duration.from({ seconds: 12 });

/** If more is due than fits into a round, each merchant gets this many first; the rest goes to the oldest. */
const shareOfMerchant = 20;
const merchantsAtOnce = 2_000;

interface Started {
  readonly transactionId: TransactionId;
  readonly claimed: Claimed;
  /** Its name in the ledger. */
  readonly acquirer: string;
  /** False: nobody takes such a charge, and nothing is sent. */
  readonly taken: boolean;
  readonly at: Temporal.Instant;
}

const notTaken = { kind: 'declined', reason: 'internal error' } as const satisfies ChargeResult;

/** Charges what is due; returns the number of attempts. */
export async function chargeDue(tools: RecurringTools): Promise<number> {
  const share = tools.paces.consume(chargesAtOnce * setsAtOnce);
  try {
    const length = tools.turns.isFull ? setsAtOnce : 1;
    const sets = await Promise.all(Array.from({ length }, () => chargeSet(tools, share)));
    tools.turns.isFull = sets.includes(chargesAtOnce);
    return sets.reduce((sum, charges) => sum + charges, 0);
  } finally {
    tools.paces.release(share);
  }
}

async function chargeSet(tools: RecurringTools, share: Share): Promise<number> {
  const limit = share.places(chargesAtOnce);
  if (limit === 0) return 0;
  const started = await claim(tools, await tools.acquirers.choice(), share, limit);
  const opened = await openInstruments(
    tools,
    started.map(({ claimed }) => claimed.recurring),
  );
  await tools.settleAll(
    started.map(async ({ transactionId, claimed: { recurring }, acquirer, taken, at }, index) => ({
      chargeId: transactionId,
      result: taken
        ? await charge(tools, recurring, opened[index], {
            transactionId,
            acquirer,
            attempt: attemptNumber(recurring),
            at,
          })
        : notTaken,
    })),
  );
  return started.length;
}

/** In one database transaction: a claimed charge has its intent, or is still due. */
async function claim(tools: RecurringTools, choose: ChooseAcquirers, share: Share, limit: number): Promise<Started[]> {
  return tools.db.atomic(async (sql) => {
    const claimed = await lockDue(tools, sql, limit);
    const started = claimed.flatMap((row): Started[] => {
      const chosen = acquirerOf(tools, choose, row.recurring);
      // What its acquirer does not take now stays due.
      if (chosen.taken && !share.take(chosen.acquirer)) return [];
      const transactionId = chargeId(row.recurring, attemptNumber(row.recurring));
      return [{ transactionId, claimed: row, ...chosen, at: tools.clock.momentOf(row.dueAt) }];
    });
    if (started.length === 0) return started;
    await startCharges(
      sql,
      started.map((row) => transactionOf(tools, row)),
    );
    const leaseEnd = tools.clock.now().add(lease);
    await insertAttempts(
      sql,
      started.map((row) => attemptOf(tools, row, leaseEnd)),
    );
    return started;
  });
}

/**
 * Oldest first. After a round that could not do everything, the next ones give each merchant its share first, in turn.
 */
async function lockDue(tools: RecurringTools, sql: Sql, limit: number): Promise<Claimed[]> {
  const now = tools.clock.now();
  const { after } = tools.turns;
  const dealt = after === undefined ? [] : await deal(tools, sql, now, after, limit);
  const rest = limit - dealt.length;
  const dealtIds = dealt.map(({ recurring }) => recurring.id);
  const oldest = rest > 0 ? await lockDueRecurring(sql, now, rest, dealtIds) : [];
  if (after === undefined && oldest.length === limit) tools.turns.after = '';
  if (after !== undefined && oldest.length < rest) tools.turns.after = undefined;
  return [...dealt, ...oldest];
}

async function deal(
  tools: RecurringTools,
  sql: Sql,
  now: Temporal.Instant,
  after: string,
  limit: number,
): Promise<Claimed[]> {
  const merchants = await listMerchantsAfter(sql, after, merchantsAtOnce);
  const dealt = await lockDueOfMerchants(sql, merchants, now, shareOfMerchant, limit);
  const stopped = dealt.length === limit ? dealt.at(-1)?.recurring.merchantId : undefined;
  tools.turns.after = stopped ?? (merchants.length === merchantsAtOnce ? (merchants.at(-1) ?? '') : '');
  return dealt;
}

function attemptNumber(recurring: Recurring): number {
  return recurring.progress.attempts + 1;
}

/**
 * The first that takes it. A card of our own vault can be charged by any of them, so the next attempt of the same iteration
 * is made by the next one; tokens and aliases are known only to who issued them, and a card that an acquirer keeps to that
 * one. If nobody takes it, the row names one of them, which is not asked.
 */
function acquirerOf(tools: Tools, choose: ChooseAcquirers, recurring: Recurring): Pick<Started, 'acquirer' | 'taken'> {
  const { acquirers, log } = tools;
  const { merchantId, amountMinor, currency, instrument, progress } = recurring;
  const channelId = channelOf(instrument.type);
  const facts = { merchantId, channelId, currency, amountMinor, recurring: instrument.blikModel ?? 'card' } as const;
  const able =
    instrument.acquirer === null ? choose({ ...facts, fields: 'own' }) : pinnedOf(tools, instrument.acquirer, facts);
  const turn = able.length > 1 && isOwnCard(tools, recurring) ? turnOf(progress, able.length) : 0;
  const chosen = able[turn];
  if (chosen) return { acquirer: chosen.name, taken: true };
  log.error({ recurringId: recurring.id, channelId }, 'no acquirer takes this recurring charge');
  const [unasked] = acquirers.list;
  if (!unasked) throw new Error('No acquirer is open.');
  return { acquirer: unasked.acquirer.name, taken: false };
}

function pinnedOf({ acquirers }: Tools, name: string, facts: RouteFacts): readonly Acquirer[] {
  const only = acquirers.pinned(name, facts);
  return only ? [only] : [];
}

function attemptOf(
  tools: Tools,
  { transactionId, claimed, acquirer, at }: Started,
  leaseEnd: Temporal.Instant,
): AttemptStart {
  const { recurring } = claimed;
  const { instrument, progress, manual } = recurring;
  const attempt = attemptNumber(recurring);
  const scheduledRetry = !manual && !startsIteration(progress);
  return {
    attempt: {
      ...blankCharge,
      id: transactionId,
      purpose: 'recurring',
      transactionId,
      merchantId: recurring.merchantId,
      acquirer,
      amountMinor: recurring.amountMinor,
      currency: recurring.currency,
      channelId: channelOf(instrument.type),
      cardToken: cardTokenOf(tools, recurring),
      initiator: 'merchant',
      createdAt: at,
      nextCheckAt: leaseEnd,
      recurringId: recurring.id,
      iteration: progress.iteration,
      attempt,
      manual,
      instrumentType: instrument.type,
      instrumentSealed: instrument.sealed,
      blikModel: instrument.blikModel,
      blikNoDelay: instrument.blikNoDelay,
    },
    retriesUsed: progress.retriesUsed + (scheduledRetry ? 1 : 0),
  };
}

function transactionOf(tools: RecurringTools, { transactionId, claimed, at }: Started): Transaction {
  const { recurring, posId } = claimed;
  const { payer } = recurring;
  return {
    ...blankTransaction,
    id: transactionId,
    origin: 'recurring',
    merchantId: recurring.merchantId,
    posId,
    title: tools.drawTitle(),
    createdAt: at,
    amount: money(recurring.amountMinor, recurring.currency),
    description: recurring.description,
    hiddenDescription: recurring.hiddenDescription ?? '',
    lang: recurring.language ?? '',
    payer: {
      payerId: recurring.id,
      email: payer.email,
      name: payer.name,
      phone: payer.phone,
      address: payer.address,
      city: payer.city,
      postalCode: payer.code,
      country: payer.country,
      taxId: payer.taxId,
      ip: null,
      userAgent: '',
    },
    paymentMethod: 'sale',
    channelId: channelOf(recurring.instrument.type),
    payKey: randomText(tools.random, 16),
  };
}

/** Which charge of a recurring payment. */
interface ChargeGiven {
  readonly transactionId: TransactionId;
  readonly acquirer: string;
  readonly attempt: number;
  readonly at: Temporal.Instant;
}

/** Charges under the attempt's own key; repeating it with the same key charges once. */
export async function charge(
  tools: ChargingTools,
  recurring: Recurring,
  opened: OpenInstrument | undefined,
  { transactionId, acquirer, attempt, at }: ChargeGiven,
): Promise<ChargeResult> {
  if (!opened) return { kind: 'park', why: 'key_missing' };
  // A card that another acquirer keeps: this one does not know it.
  if ('kept' in opened && opened.kept.acquirer !== acquirer) return { kind: 'declined', reason: 'instrument rejected' };
  return chargeAtBank(tools.acquirers.named(acquirer), {
    key: transactionId,
    merchant: recurring.merchantId,
    initiator: 'merchant',
    amount: money(recurring.amountMinor, recurring.currency),
    instrument: portInstrument(recurring, opened, attempt),
    description: recurring.description,
    ...payerOf(recurring.payer),
    returnUrl: tools.config.baseUrl,
    deadlineMilliseconds: chargeDeadlineMilliseconds,
    at,
  });
}

function portInstrument({ instrument, progress }: Recurring, opened: OpenInstrument, attempt: number): PortInstrument {
  const turn = { iteration: progress.iteration, attempt };
  if (!('value' in opened)) return savedInstrument(opened, turn);
  const { blikModel: model, blikNoDelay } = instrument;
  return { kind: 'recurring', value: opened.value, ...turn, blik: model && { model, noDelay: blikNoDelay ?? false } };
}

export function dueRecurring(tools: Pick<Tools, 'clock' | 'db'>): Promise<Waiting> {
  return recurringDue.waiting(tools.db.sql, tools.clock.now());
}
