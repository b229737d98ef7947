// A step of a dispute: its row, who bears it, the event and the mail, in one database transaction.

import type { OutgoingRefunds } from '../banking/index.ts';
import type { Sql } from '../database/index.ts';
import { knownId } from '../kernel/index.ts';
import {
  type Borne,
  borneBy,
  disputeJournal,
  type Journal,
  ledgerAccounts,
  lockBalances,
  openOwedAccounts,
  post,
} from '../ledger/index.ts';
import { composeMails, insertEvents, insertMails } from '../notifications/index.ts';
import type { Consequence } from '../refunds/index.ts';
import type { Tools } from '../tools.ts';
import { lockForRefund, type RefundableTransaction } from '../transactions/index.ts';
import { disputeMail } from './mail.ts';
import type { About, Decided, Dispute, DisputeStep, Share } from './model.ts';
import { stepEvent } from './notify.ts';
import { borneOf, overpaid } from './rules.ts';
import { changesOf, sharesOfAll, unshared } from './shares.ts';
import {
  type DisputedCharge,
  findGoing,
  listSharings,
  listUnsent,
  lockBorne,
  lockUnsent,
  ofTransactions,
  unparkRefunded,
  type Written,
  writeSteps,
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
  const [refundable] = await lockForRefund(sql, [merchantId], [transactionId], null);
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
  const taken = await takenBy(sql, dispute);
  const own = await write(tools, sql, [{ dispute, kind: decided.step, taken }], now, before === undefined);
  const written = [...own, ...(await shareAll(tools, sql, [refundable], now))];
  await insertEvents(sql, tools.vault, [stepEvent(tools, dispute, refundable, now)]);
  if (tools.sendsMail && decided.step !== 'changed') {
    await insertMails(
      sql,
      composeMails(tools, [dispute], (one) => disputeMail(tools, tools.ids.ulid(), one, refundable, now)),
    );
  }
  await postShares(tools, sql, written, now);
}

/** What a step takes from each account, or gives back, so that the dispute is shared as it is now. */
async function takenBy(sql: Sql, dispute: Dispute): Promise<Share[]> {
  const [sharing] = await listSharings(sql, ofTransactions([dispute.transactionId]));
  if (!sharing) throw new Error(`Dispute ${dispute.id} has no transaction.`);
  const { id } = dispute;
  const borne = sharing.disputes.find((one) => one.id === id)?.borne ?? [];
  const disputes = [...sharing.disputes.filter((one) => one.id !== id), { id, minor: borneOf(dispute), borne }];
  const inOrder = disputes.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return changesOf(borne, sharesOfAll({ ...sharing, disputes: inOrder }).get(id) ?? []);
}

/**
 * Refunds of these payments were made, or ended without the payer: their disputes are shared anew, by what sellers have
 * given now, in steps that take from some accounts what they give to others. Those by which the payer gets no more than was
 * paid any more leave the list.
 */
export async function shareAgain(
  tools: DisputeTools,
  sql: Sql,
  payments: readonly RefundableTransaction[],
  now: Temporal.Instant,
): Promise<Consequence | undefined> {
  const written = await shareAll(tools, sql, payments, now);
  if (written.length === 0) return undefined;
  return {
    accounts: written.flatMap(({ taken }) => balancesOf(taken)),
    post: () => postShares(tools, sql, written, now),
  };
}

/**
 * Takes those disputes of these payments off the list by which no payer gets more than was paid any more, and shares those
 * anew of which accounts bear something else than the rules say.
 */
async function shareAll(
  tools: DisputeTools,
  sql: Sql,
  payments: readonly RefundableTransaction[],
  now: Temporal.Instant,
): Promise<Written[]> {
  const ids = payments.map(({ transaction }) => transaction.id);
  const disputes = ids.length === 0 ? [] : await withdrawn(sql, await lockBorne(sql, ids));
  // A standard payment has one account that bears all of it.
  const shared = payments.filter(({ transaction }) => transaction.origin === 'marketplace');
  if (disputes.length === 0 || shared.length === 0) return [];
  const sharings = await listSharings(sql, ofTransactions(shared.map(({ transaction }) => transaction.id)));
  const moves = new Map(sharings.flatMap((sharing) => [...unshared(sharing)]));
  const writings = disputes.flatMap((before): Writing[] => {
    const taken = moves.get(before.id);
    return taken ? [{ dispute: { ...before, steps: before.steps + 1 }, kind: 'shared', taken }] : [];
  });
  return write(tools, sql, writings, now);
}

/** These disputes, of which those are no longer listed whose payers get no more than was paid by now. */
async function withdrawn(sql: Sql, disputes: readonly Dispute[]): Promise<Dispute[]> {
  const listed = disputes.filter(({ parkedWhy }) => parkedWhy === 'refunded_too').map(({ id }) => id);
  const over = new Set(listed.length === 0 ? [] : await unparkRefunded(sql, listed));
  return disputes.map((dispute) => (over.has(dispute.id) ? { ...dispute, ...notParked } : dispute));
}

interface Writing extends Pick<Written, 'dispute' | 'taken'> {
  readonly kind: DisputeStep['kind'];
}

/** Writes disputes as they are after these steps, and what the steps take and give back. */
async function write(
  { ids }: DisputeTools,
  sql: Sql,
  writings: readonly Writing[],
  at: Temporal.Instant,
  isNew = false,
): Promise<Written[]> {
  const written = writings.map(({ dispute, kind, taken }) => {
    const { id: disputeId, steps: number, state, amountMinor, returnedMinor } = dispute;
    return { dispute, taken, step: { id: ids.ulid(), disputeId, number, kind, state, amountMinor, returnedMinor, at } };
  });
  if (written.length > 0) await writeSteps(sql, written, isNew);
  return written;
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
  written: readonly Written[],
  at: Temporal.Instant,
): Promise<void> {
  const accounts = written.flatMap(({ taken }) => balancesOf(taken));
  if (accounts.length === 0) return;
  const { available, owed } = ledgerAccounts;
  const balances = await lockBalances(sql, accounts);
  const minorOf = (name: string) => balances.get(name) ?? 0n;
  // One step after the other: what the first one takes, the next one does not find.
  const bornes = written.map(({ taken }) =>
    taken.map((share) => {
      const [name, debt] = [available(share.accountId), owed(share.accountId)];
      const borne = borneBy(share, { availableMinor: minorOf(name), owedMinor: minorOf(debt) });
      balances.set(name, minorOf(name) - borne.availableMinor).set(debt, minorOf(debt) + borne.owedMinor);
      return borne;
    }),
  );
  const inDebt = bornes.flat().flatMap(({ accountId, owedMinor }) => (owedMinor > 0n ? [accountId] : []));
  if (inDebt.length > 0) await openOwedAccounts(sql, [...new Set(inDebt)], at);
  const journals = written.flatMap(({ step, dispute }, index) => journalsOf(step, dispute, bornes[index] ?? []));
  await post(sql, tools.ids, journals, at);
}

/** What is taken, and what is given back. */
function journalsOf({ id: source }: DisputeStep, { currency }: Dispute, borne: readonly Borne[]): Journal[] {
  const isTaken = ({ availableMinor, owedMinor }: Borne) => availableMinor + owedMinor > 0n;
  const sides = [borne.filter(isTaken), borne.filter((one) => !isTaken(one))].filter((side) => side.length > 0);
  return sides.map((side) => disputeJournal(source, currency, side));
}

function balancesOf(shares: readonly Share[]): string[] {
  const { available, owed } = ledgerAccounts;
  return shares.flatMap(({ accountId }) => [available(accountId), owed(accountId)]);
}
