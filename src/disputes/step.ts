// A step of a dispute: its row, who bears it, the event and the mail, in one database transaction.

import type { OutgoingRefunds } from '../banking/index.ts';
import type { Sql } from '../database/index.ts';
import { type AccountId, knownId } from '../kernel/index.ts';
import { type Borne, disputeJournal, ledgerAccounts, lockBalances, openOwedAccounts, post } from '../ledger/index.ts';
import { composeMails, insertEvents, insertMails } from '../notifications/index.ts';
import { type Consequence, listRefundable } from '../refunds/index.ts';
import type { Tools } from '../tools.ts';
import { lockForRefund, type RefundableTransaction } from '../transactions/index.ts';
import { disputeMail } from './mail.ts';
import type { About, Decided, Dispute, DisputeStep, Share } from './model.ts';
import { stepEvent } from './notify.ts';
import { borneOf, overpaid } from './rules.ts';
import { borneBy, changesOf, movesOf, sharesOf } from './shares.ts';
import {
  countRefunds,
  type DisputedCharge,
  findGoing,
  listBorne,
  listUnsent,
  lockBorne,
  lockUnsent,
  writeStep,
} from './store/disputes.ts';

export interface DisputeTools extends Tools {
  /** Whether a mail transport is configured. */
  readonly sendsMail: boolean;
  readonly outgoing: Pick<OutgoingRefunds, 'settleIn'>;
}

export interface Locked {
  readonly about: About;
  readonly refundable: RefundableTransaction;
  readonly unsent: readonly string[];
}

/** Locks what a step of a dispute changes, before the dispute itself. Undefined if a refund came in between. */
export async function lockAround(
  sql: Sql,
  about: About,
  { transactionId, merchantId }: Pick<DisputedCharge, 'transactionId' | 'merchantId'>,
): Promise<Locked | undefined> {
  // Outgoing refunds are locked before their transaction.
  const unsent = await lockUnsent(sql, transactionId);
  const [refundable] = await lockForRefund(sql, [merchantId], [transactionId]);
  if (!refundable) throw new Error(`Charge ${about.chargeKey} has no transaction.`);
  if ((await listUnsent(sql, transactionId)).some((id) => !unsent.includes(id))) return undefined;
  return { about, refundable, unsent };
}

/** Writes a step: the dispute as it is afterwards, who bears what of it, the event, the mail and the journal. */
export async function applyStep(
  tools: DisputeTools,
  sql: Sql,
  { about, refundable, unsent }: Locked,
  before: Dispute | undefined,
  decided: Extract<Decided, { kind: 'step' }>,
): Promise<void> {
  const now = tools.clock.now();
  const { id: transactionId, merchantId, amount } = refundable.transaction;
  const first = {
    id: knownId<Dispute['id']>(tools.ids.ulid()),
    acquirer: about.acquirer,
    key: about.key,
    chargeId: about.chargeKey,
    transactionId,
    merchantId,
    currency: amount.currency,
    openedAt: now,
    parkedAt: null,
    parkedWhy: null,
    seenAt: null,
    parkAt: null,
    lostMinor: 0n,
  };
  const { facts } = decided;
  const endedAt = facts.state === 'opened' ? null : facts.state === before?.state ? before.endedAt : now;
  const next: Dispute = { ...(before ?? first), ...facts, endedAt, steps: (before?.steps ?? 0) + 1 };
  const dispute = { ...next, ...(await parkedBy(tools, sql, { refundable, unsent }, next, before)) };
  const taken = changesOf(before ? await listBorne(sql, before.id) : [], await bearersOf(sql, refundable, dispute));
  const step = await write(tools, sql, dispute, { kind: decided.step, at: now, taken, isNew: before === undefined });
  await insertEvents(sql, tools.vault, [stepEvent(tools, dispute, refundable, now)]);
  if (tools.sendsMail && step.kind !== 'changed') {
    await insertMails(
      sql,
      composeMails(tools, [dispute], (one) => disputeMail(tools, tools.ids.ulid(), one, refundable, now)),
    );
  }
  await postShares(tools, sql, step, dispute, taken);
}

/**
 * Refunds of these payments ended without the payer: the disputes that counted them as gone are shared anew, without them,
 * in a step that takes from some accounts what it gives to others.
 */
export async function shareAgain(
  tools: DisputeTools,
  sql: Sql,
  payments: readonly RefundableTransaction[],
  now: Temporal.Instant,
): Promise<Consequence | undefined> {
  // A standard payment has one account that bears all of it.
  const shared = payments.filter(({ transaction }) => transaction.origin === 'marketplace');
  if (shared.length === 0) return undefined;
  const paymentOf = new Map(shared.map((payment) => [payment.transaction.id, payment]));
  const written: { readonly step: DisputeStep; readonly dispute: Dispute; readonly taken: readonly Share[] }[] = [];
  for (const before of await lockBorne(sql, [...paymentOf.keys()])) {
    const payment = paymentOf.get(before.transactionId);
    const taken = payment && movesOf(await listBorne(sql, before.id), await bearersOf(sql, payment, before));
    if (!taken || taken.length === 0) continue;
    const dispute = { ...before, steps: before.steps + 1 };
    const step = await write(tools, sql, dispute, { kind: 'shared', at: now, taken, isNew: false });
    written.push({ step, dispute, taken });
  }
  if (written.length === 0) return undefined;
  return {
    accounts: written.flatMap(({ taken }) => balancesOf(taken)),
    post: async () => {
      for (const { step, dispute, taken } of written) await postShares(tools, sql, step, dispute, taken);
    },
  };
}

interface Writing extends Pick<DisputeStep, 'kind' | 'at'> {
  readonly taken: readonly Share[];
  readonly isNew: boolean;
}

/** Writes a dispute as it is after this step, and what the step takes and gives back. */
async function write(
  { ids }: DisputeTools,
  sql: Sql,
  dispute: Dispute,
  { kind, at, taken, isNew }: Writing,
): Promise<DisputeStep> {
  const { id: disputeId, steps: number, state, amountMinor, returnedMinor, transactionId } = dispute;
  const refunds = await countRefunds(sql, transactionId);
  const step = { id: ids.ulid(), disputeId, number, kind, state, amountMinor, returnedMinor, refunds, at };
  const shares = taken.map(({ accountId, minor }) => ({ stepId: step.id, accountId, amountMinor: minor }));
  await writeStep(sql, { dispute, step, shares, isNew });
  return step;
}

/** Who bears what of a dispute: the merchant, or the sellers of a payment over several and their partner. */
async function bearersOf(sql: Sql, { transaction }: RefundableTransaction, dispute: Dispute): Promise<Share[]> {
  const minor = borneOf(dispute);
  if (minor === 0n) return [];
  const { id, merchantId, origin } = transaction;
  if (origin !== 'marketplace') return [{ accountId: merchantId, minor }];
  const parts = (await listRefundable(sql, id)).map(({ part, goneMinor, commissionReturnedMinor }) => ({
    accountId: part.merchantId,
    amountMinor: part.amountMinor,
    leftMinor: part.amountMinor - goneMinor,
    commissionLeftMinor: part.commissionMinor - commissionReturnedMinor,
  }));
  return sharesOf(minor, merchantId, parts);
}

/** Refunds that were not sent wait if the payer gets the money by the dispute; what was sent, an operator is told of. */
async function parkedBy(
  tools: DisputeTools,
  sql: Sql,
  { refundable: { transaction }, unsent }: Pick<Locked, 'refundable' | 'unsent'>,
  next: Dispute,
  before: Dispute | undefined,
): Promise<Partial<Pick<Dispute, 'parkedAt' | 'parkedWhy' | 'seenAt'>>> {
  const minor = borneOf(next);
  const isOver = async () => {
    const { id, amountPaidMinor } = transaction;
    const { refundedMinor, disputedMinor } = await findGoing(sql, id, next.id);
    return overpaid(amountPaidMinor, refundedMinor, disputedMinor + minor);
  };
  if (minor === 0n || !(await isOver())) return minor === 0n ? notParked : kept(before);
  for (const key of unsent) await tools.outgoing.settleIn(sql, { key, result: { kind: 'hold' } });
  // What an operator has seen is not shown again, unless it is more.
  const isMore = minor > (before ? borneOf(before) : 0n);
  if (!isMore || !(await isOver())) return kept(before);
  tools.log.error({ dispute: next.id }, 'refunded_too');
  return { parkedAt: next.parkedAt ?? tools.clock.now(), parkedWhy: 'refunded_too', seenAt: null };
}

const notParked = { parkedAt: null, parkedWhy: null } as const;

function kept(before: Dispute | undefined): Pick<Dispute, 'parkedAt' | 'parkedWhy'> {
  return before ? { parkedAt: before.parkedAt, parkedWhy: before.parkedWhy } : notParked;
}

/** Balances are locked last: they are the most contended rows. What they do not cover is owed, and never lost. */
async function postShares(
  tools: DisputeTools,
  sql: Sql,
  { id: source, at }: DisputeStep,
  { currency }: Dispute,
  taken: readonly Share[],
): Promise<void> {
  if (taken.length === 0) return;
  const { available, owed } = ledgerAccounts;
  const balances = await lockBalances(sql, balancesOf(taken));
  const minorOf = (name: string) => balances.get(name) ?? 0n;
  const borne = taken.map((share) =>
    borneBy(share, {
      availableMinor: minorOf(available(share.accountId)),
      owedMinor: minorOf(owed(share.accountId)),
    }),
  );
  const inDebt: AccountId[] = borne.flatMap(({ accountId, owedMinor }) => (owedMinor > 0n ? [accountId] : []));
  if (inDebt.length > 0) await openOwedAccounts(sql, inDebt, at);
  const isTaken = ({ availableMinor, owedMinor }: Borne) => availableMinor + owedMinor > 0n;
  const sides = [borne.filter(isTaken), borne.filter((one) => !isTaken(one))].filter((side) => side.length > 0);
  const journals = sides.map((side) => disputeJournal(source, currency, side));
  await post(sql, tools.ids, journals, at);
}

function balancesOf(shares: readonly Share[]): string[] {
  const { available, owed } = ledgerAccounts;
  return shares.flatMap(({ accountId }) => [available(accountId), owed(accountId)]);
}
