// The charge, in sets: claim what is due and write the intents; ask the bank outside any database transaction; settle.

import type { ChargeAnswer, Instrument as PortInstrument } from '../../acquirer/index.ts';
import { knownId, money, type TransactionId } from '../../kernel/index.ts';
import { inParallel, randomText } from '../../platform/index.ts';
import { drawTitle, startCharges, type Transaction } from '../../transactions/index.ts';
import type { World } from '../../world.ts';
import { openInstrument } from '../instrument.ts';
import type { Recurring } from '../store.ts';
import type { Result } from './rules.ts';
import { settleSet } from './settle.ts';
import { type AttemptStart, type Claimed, claimDueRecurring, claimFairShare, insertAttempts } from './store.ts';

const claimedAtOnce = 500;
const chargesInFlight = 100;
const chargeDeadlineMilliseconds = 10_000;

/** Until then the round that claimed it has the answer; afterwards the bank is asked. A killed worker's charges go on after it. */
const lease = Temporal.Duration.from({ seconds: 12 });

/** Whether the last round left work behind: then merchants share the next ones. */
const behind = new WeakMap<World, boolean>();

interface Started {
  readonly transactionId: TransactionId;
  readonly claimed: Claimed;
  readonly at: Temporal.Instant;
}

/** Charges what is due; answers how many attempts were made. */
export async function chargeDue(world: World): Promise<number> {
  const started = await claim(world);
  if (started.length === 0) return 0;
  const results = await inParallel(started, chargesInFlight, async ({ transactionId, claimed, at }) => ({
    transactionId,
    result: await charge(world, transactionId, claimed.recurring, attemptNumber(claimed.recurring), at),
  }));
  await settleSet(world, results);
  return started.length;
}

/** In one database transaction: what is claimed has its intent, or is due still. */
async function claim(world: World): Promise<Started[]> {
  return world.db.atomic(async (sql) => {
    const now = world.clock.now();
    const fair = behind.get(world) ?? false;
    const claimed = await (fair ? claimFairShare : claimDueRecurring)(sql, now, claimedAtOnce);
    behind.set(world, claimed.length >= claimedAtOnce || (fair && claimed.length > 0));
    const started = claimed.map((row): Started => {
      return {
        transactionId: knownId<TransactionId>(world.ids.ulid()),
        claimed: row,
        at: world.clock.momentOf(row.dueAt),
      };
    });
    if (started.length === 0) return started;
    await startCharges(
      sql,
      started.map((row) => transactionOf(world, row)),
    );
    await insertAttempts(
      sql,
      started.map((row) => attemptOf(world, row)),
    );
    return started;
  });
}

function attemptNumber(recurring: Recurring): number {
  return recurring.progress.attempts + 1;
}

function attemptOf(world: World, { transactionId, claimed, at }: Started): AttemptStart {
  const { recurring } = claimed;
  const { instrument, progress, manual } = recurring;
  const attempt = attemptNumber(recurring);
  const scheduledRetry = attempt > 1 && !manual;
  return {
    transaction_id: transactionId,
    recurring_id: recurring.id,
    iteration: progress.iteration,
    attempt,
    manual,
    retries_used: progress.retriesUsed + (scheduledRetry ? 1 : 0),
    acquirer: world.acquirer.name,
    instrument_type: instrument.type,
    instrument_sealed: instrument.sealed,
    blik_model: instrument.blikModel,
    blik_no_delay: instrument.blikNoDelay,
    created_at: at.toString(),
    next_check_at: world.clock.now().add(lease).toString(),
  };
}

function transactionOf(world: World, { transactionId, claimed, at }: Started): Transaction {
  const { recurring, posId } = claimed;
  const { payer } = recurring;
  return {
    id: transactionId,
    origin: 'recurring',
    merchantId: recurring.merchantId,
    posId,
    title: drawTitle(world.random),
    status: 'pending',
    createdAt: at,
    realizedAt: null,
    amount: money(recurring.amountMinor, recurring.currency),
    description: recurring.description,
    hiddenDescription: recurring.hiddenDescription ?? '',
    lang: 'pl',
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
    paymentStatus: 'pending',
    paymentMethod: 'sale',
    channelId: channelOf(recurring.instrument.type),
    amountPaidMinor: 0n,
    paidAt: null,
    successUrl: null,
    errorUrl: null,
    notificationUrl: null,
    notificationEmail: null,
    payKey: randomText(world.random, 16),
  };
}

/** Cards go by channel 53, BLIK by 64 (decisions 4). */
export function channelOf(type: 'card_token' | 'blik_payid'): number {
  return type === 'card_token' ? 53 : 64;
}

/** Asks the bank under the attempt's own key; asking again under the same key charges once. */
export async function charge(
  world: World,
  transactionId: TransactionId,
  recurring: Recurring,
  attempt: number,
  at: Temporal.Instant,
): Promise<Result> {
  const { instrument, progress } = recurring;
  const ready: PortInstrument = {
    kind: 'recurring',
    value: openInstrument(world, recurring.id, instrument.sealed),
    iteration: progress.iteration,
    attempt,
    blik: instrument.blikModel && { model: instrument.blikModel, noDelay: instrument.blikNoDelay ?? false },
  };
  const answer: ChargeAnswer = await world.acquirer.charge({
    key: transactionId,
    amount: money(recurring.amountMinor, recurring.currency),
    instrument: ready,
    description: recurring.description,
    returnUrl: world.config.baseUrl,
    deadlineMilliseconds: chargeDeadlineMilliseconds,
    at,
  });
  return answer.kind === 'approved' ? { kind: 'approved', amountMinor: answer.amount.minor } : answer;
}
