// What a difference moves in the books, why an operator decides, and what the decision does. Pure.

import type { ParkReason, UnresolvedCode } from '../../contract/codes/parking.ts';
import {
  afterComingBack,
  afterDoubt,
  type Decision,
  DecisionFault,
  hasEnded,
  type Outgoing,
  type OutgoingResult,
  type OutgoingStep,
} from '../banking/index.ts';
import { decimalText } from '../kernel/index.ts';
import { type Journal, reconciledJournal } from '../ledger/index.ts';
import { totalOf } from './judge.ts';
import { isKeyed, isOfDispute, isOwnKind, isSuspense, signOf, totalKindOf } from './kinds.ts';
import type { Booked, Item, Keyed, Moves, Outcome, OwnKind } from './model.ts';

const nothing = {
  receivableMinor: 0n,
  lossMinor: 0n,
  unallocatedMinor: 0n,
  bankMinor: 0n,
  feeMinor: 0n,
  disputeMinor: 0n,
  suspenseMinor: 0n,
} as const;
const least = (one: bigint, other: bigint) => (one < other ? one : other);
const atLeastNothing = (minor: bigint) => (minor > 0n ? minor : 0n);

function owedOf(kind: Item['kind'], minor: bigint): bigint {
  return signOf(kind) * minor;
}

/** Money that nobody here asked for: it belongs to payers until an operator knows better. Undefined: nothing moves. */
export function followed(kind: Exclude<Keyed, OwnKind>, minor: bigint): Moves | undefined {
  if (minor === 0n) return undefined;
  const receivableMinor = owedOf(kind, minor);
  return { ...nothing, kind: `unmatched ${kind}`, receivableMinor, unallocatedMinor: receivableMinor };
}

/** What moves against a line of the acquirer's own. `isKnown`: an operator said what it was for. */
function ownMoves(kind: OwnKind, journalKind: string, minor: bigint, isKnown = false): Moves {
  const receivableMinor = owedOf(kind, minor);
  return { ...nothing, ...against(kind, receivableMinor, isKnown), kind: journalKind, receivableMinor };
}

function against(kind: OwnKind, owedMinor: bigint, isKnown: boolean): Partial<Moves> {
  if (kind === 'fee' || (isSuspense(kind) && isKnown)) return { feeMinor: -owedMinor };
  if (kind === 'payout_returned') return { bankMinor: -owedMinor };
  return isSuspense(kind) ? { suspenseMinor: owedMinor } : { disputeMinor: owedMinor };
}

const lineJournals: Readonly<Record<OwnKind, string>> = {
  fee: 'acquirer fee',
  payout_returned: 'payout came back',
  dispute: 'dispute taken',
  dispute_won: 'dispute given back',
  other_taken: 'line suspended',
  other_given: 'line suspended',
};

/** A line of the acquirer's own, the first time that it is named. */
export function bookedAtOnce(kind: OwnKind, minor: bigint): Moves {
  return ownMoves(kind, lineJournals[kind], minor);
}

/** An operator says that a line was the acquirer's own: what it keeps, or gives. */
function explained(heldMinor: bigint): Moves {
  return { ...nothing, kind: 'suspense explained', suspenseMinor: -heldMinor, feeMinor: -heldMinor };
}

/**
 * The bank moved `minor` more than is booked. More owed to us first makes up for what this key took from payers' money or
 * cost us; the rest belongs to payers. Less owed first takes what payers' money has of this key; the rest is our loss.
 */
export function corrected(kind: Keyed, minor: bigint, booked: Booked): Moves | undefined {
  if (minor === 0n) return undefined;
  if (isOwnKind(kind)) return ownMoves(kind, `${kind} corrected`, minor, booked.unallocatedMinor === 0n);
  const owed = owedOf(kind, minor);
  const toLoss =
    owed > 0n
      ? least(owed - least(owed, atLeastNothing(-booked.unallocatedMinor)), atLeastNothing(booked.lossMinor))
      : -(-owed - least(-owed, atLeastNothing(booked.unallocatedMinor)));
  return {
    ...nothing,
    kind: `${kind} corrected`,
    receivableMinor: owed,
    lossMinor: -toLoss,
    unallocatedMinor: owed - toLoss,
  };
}

/** A payout as the bank has it, less what is booked. */
export function payoutMoves(
  kind: 'payout' | 'payout corrected',
  bankMinor: bigint,
  feeMinor: bigint,
): Moves | undefined {
  if (bankMinor === 0n && feeMinor === 0n) return undefined;
  return { ...nothing, kind, receivableMinor: -(bankMinor + feeMinor), bankMinor, feeMinor };
}

/** The journal of what a step moves; its source is the record of the step. */
export function journalOf(
  source: string,
  { acquirer, currency }: Pick<Item, 'acquirer' | 'currency'>,
  moves: Moves,
): Journal {
  return reconciledJournal({ source, acquirer, currency, amountMinor: moves.receivableMinor }, moves);
}

/** Why an operator decides. */
export function whyOf({
  kind,
  difference,
  bankMinor,
  ourMinor,
  chargeKey,
  ourChargeKey,
  what,
}: Pick<Item, 'kind' | 'difference' | 'bankMinor' | 'ourMinor'> &
  Partial<Pick<Item, 'chargeKey' | 'ourChargeKey' | 'what'>>): ParkReason {
  const [bank, ours] = [decimalText(bankMinor ?? 0n), decimalText(ourMinor ?? 0n)];
  switch (difference) {
    case 'not_booked':
      if (kind === 'payout') return { code: 'payout_exceeds', parameters: { bank, owed: ours } };
      if (kind === 'payout_returned') return { code: 'payout_return_not_booked', parameters: { bank } };
      if (kind === 'refund_returned') return { code: 'return_not_booked', parameters: { bank } };
      return { code: kind === 'refund' ? 'refund_not_booked' : 'capture_not_booked', parameters: { bank } };
    case 'not_at_bank':
      return { code: 'not_at_bank', parameters: { kind: movedKind(kind), ours } };
    case 'other_amount':
      return { code: 'amounts_differ', parameters: { kind: movedKind(kind), bank, ours } };
    case 'other_charge': {
      const charge = chargeKey ?? '';
      if (!isOfDispute(kind)) return { code: 'other_charge', parameters: { bank, charge } };
      return { code: 'dispute_other_charge', parameters: { kind, bank, charge, ours: ourChargeKey ?? '' } };
    }
    case 'row_missing':
      return { code: 'rows_missing', parameters: { kind: movedKind(kind), ours } };
    case 'repeated':
      return { code: 'line_repeated', parameters: { kind: movedKind(kind), bank, once: ours } };
    case 'total':
      return { code: 'totals_differ', parameters: { kind: totalKindOf(kind), off: ours } };
    case 'suspended':
      return {
        code: 'line_suspended',
        parameters: { kind: isSuspense(kind) ? kind : 'other_taken', bank, what: what ?? '' },
      };
  }
}

/** The bank was to correct it, and did not in time. */
export function promiseBroken(item: Item): ParkReason {
  // The amounts were never what differs.
  if (item.difference === 'other_charge') return whyOf(item);
  const [bank, ours] = [decimalText(item.bankMinor ?? 0n), decimalText(item.ourMinor ?? 0n)];
  return {
    code: 'promise_not_kept',
    parameters: { kind: movedKind(item.kind), bank, ours, since: item.promisedAt?.toString() ?? '' },
  };
}

function movedKind(kind: Item['kind']): Keyed | 'payout' {
  return isKeyed(kind) ? kind : 'payout';
}

/**
 * What a decision does to an item. `close`: bank and books agree from here on, or the operator knows about it. `promise`:
 * the bank is to correct it. `giveBack`: the money goes back to the payer first.
 */
export type Step =
  | { readonly kind: 'close'; readonly outcome: Outcome; readonly moves?: Moves | undefined }
  | { readonly kind: 'promise'; readonly moves?: Moves | undefined }
  | { readonly kind: 'giveBack'; readonly moves?: Moves | undefined };

/** Relative to what is booked now, whatever was booked when the item was found. */
export function afterDecision(item: Item, decision: Decision, booked: Booked): Step {
  switch (item.difference) {
    case 'not_booked':
      return item.kind === 'payout' ? afterPayout(item, decision) : afterNotBooked(item, decision, booked);
    case 'not_at_bank':
      return afterNotAtBank(item, decision, booked);
    case 'other_amount':
      return afterOtherAmount(item, decision, booked);
    case 'other_charge':
      // Of a dispute, the acquirer is to correct its statement.
      if (decision === 'not-captured' && isOfDispute(item.kind)) return { kind: 'promise' };
      if (decision === 'not-captured') {
        throw new DecisionFault({ code: 'moved_elsewhere', parameters: { bank: decimalText(item.bankMinor ?? 0n) } });
      }
      confirm(decision, item.bankMinor ?? 0n);
      return { kind: 'close', outcome: 'confirmed' };
    case 'row_missing':
      if (decision === 'not-captured') {
        throw new DecisionFault({ code: 'agreed_on', parameters: { amount: decimalText(item.ourMinor ?? 0n) } });
      }
      confirm(decision, item.ourMinor ?? 0n);
      return { kind: 'close', outcome: 'confirmed' };
    case 'repeated':
      return afterRepeated(item, decision);
    case 'total':
      if (decision === 'not-captured')
        throw new DecisionFault({ code: 'totals_differ', parameters: { off: offOf(item) } });
      confirm(decision, sizeOf(item.ourMinor ?? 0n));
      return { kind: 'close', outcome: 'confirmed' };
    case 'suspended':
      // The acquirer is to take it back.
      if (decision === 'not-captured') return { kind: 'promise' };
      confirm(decision, sizeOf(booked.unallocatedMinor));
      return { kind: 'close', outcome: 'confirmed', moves: explained(booked.unallocatedMinor) };
  }
}

/** The money moved once, and the bank repeats itself; or it moved as often as the statement says, which the bank is to correct. */
function afterRepeated({ bankMinor, ourMinor }: Item, decision: Decision): Step {
  const [bank, once] = [bankMinor ?? 0n, ourMinor ?? 0n];
  if (decision !== 'not-captured' && decision.capturedMinor === once) return { kind: 'close', outcome: 'confirmed' };
  if (decision !== 'not-captured' && decision.capturedMinor === bank) return { kind: 'promise' };
  const parameters = { bank: decimalText(bank), once: decimalText(once) };
  throw new DecisionFault({ code: 'line_repeated', parameters });
}

const sizeOf = (minor: bigint) => (minor < 0n ? -minor : minor);
const offOf = ({ ourMinor }: Item) => decimalText(sizeOf(ourMinor ?? 0n));

function afterNotBooked(item: Item, decision: Decision, booked: Booked): Step {
  if (isOwnKind(item.kind)) return afterUnbooked(item.kind, item, decision);
  const kind = isFollowed(item.kind) ? item.kind : 'capture';
  if (booked.ownMinor !== null) throw new DecisionFault({ code: 'settled_by_payment', parameters: {} });
  const [bank, total] = [item.bankMinor ?? 0n, totalOf(booked)];
  // The bank reversed it: its statement is to say so.
  if (decision === 'not-captured') return { kind: 'promise', moves: followed(kind, -total) };
  confirm(decision, bank);
  const moves = followed(kind, bank - total);
  return kind === 'capture' ? { kind: 'giveBack', moves } : { kind: 'close', outcome: 'confirmed', moves };
}

/** A line of the acquirer's own that was not booked by itself: it moved as it says, or the acquirer is to correct it. */
function afterUnbooked(kind: OwnKind, item: Item, decision: Decision): Step {
  const bank = item.bankMinor ?? 0n;
  if (decision === 'not-captured') return { kind: 'promise' };
  confirm(decision, bank);
  return { kind: 'close', outcome: 'booked', moves: bookedAtOnce(kind, bank) };
}

function afterNotAtBank(item: Item, decision: Decision, booked: Booked): Step {
  if (item.kind === 'payout') return afterPayout(item, decision);
  const [kind, total] = [keyedOf(item), totalOf(booked)];
  if (decision === 'not-captured') {
    return { kind: 'close', outcome: 'not_moved', moves: corrected(kind, -total, booked) };
  }
  confirm(decision, total);
  return { kind: 'promise' };
}

function afterOtherAmount(item: Item, decision: Decision, booked: Booked): Step {
  if (item.kind === 'payout') return afterPayout(item, decision);
  const [kind, bank, total] = [keyedOf(item), item.bankMinor ?? 0n, totalOf(booked)];
  const named = decision === 'not-captured' ? 0n : decision.capturedMinor;
  if (named === bank) return { kind: 'close', outcome: 'booked', moves: corrected(kind, bank - total, booked) };
  if (named === total && decision !== 'not-captured') return { kind: 'promise' };
  const parameters = { bank: decimalText(bank), ours: decimalText(total) };
  throw new DecisionFault({ code: 'amounts_differ', parameters });
}

function isFollowed(kind: Item['kind']): kind is Exclude<Keyed, OwnKind> {
  return isKeyed(kind) && !isOwnKind(kind);
}

function keyedOf({ kind }: Item): Keyed {
  return isKeyed(kind) ? kind : 'capture';
}

/** A payout is what arrived on our bank account: the operator sees it there. */
function afterPayout(item: Item, decision: Decision): Step {
  const [bank, ours] = [item.bankMinor ?? 0n, item.ourMinor ?? 0n];
  const booked = item.difference === 'not_booked' ? { minor: 0n, fee: 0n } : { minor: ours, fee: item.ourFeeMinor };
  const named = decision === 'not-captured' ? 0n : decision.capturedMinor;
  const isThere = item.difference !== 'not_at_bank';
  if (isThere && decision !== 'not-captured' && named === bank) {
    const kind = item.difference === 'not_booked' ? 'payout' : 'payout corrected';
    return {
      kind: 'close',
      outcome: 'booked',
      moves: payoutMoves(kind, bank - booked.minor, item.bankFeeMinor - booked.fee),
    };
  }
  if (!isThere && decision === 'not-captured') {
    return { kind: 'close', outcome: 'not_moved', moves: payoutMoves('payout corrected', -booked.minor, -booked.fee) };
  }
  if (named === booked.minor) return { kind: 'promise' };
  const parameters = { bank: decimalText(bank), ours: decimalText(booked.minor) };
  throw new DecisionFault({ code: isThere ? 'amounts_differ' : 'payout_differs', parameters });
}

function confirm(decision: Exclude<Decision, 'not-captured'>, minor: bigint): void {
  if (decision.capturedMinor === minor) return;
  const [amount, named] = [decimalText(minor), decimalText(decision.capturedMinor)];
  throw new DecisionFault({ code: 'not_about', parameters: { amount, named } });
}

/** `why` it cannot go back. */
export type ReturnStep =
  | Exclude<OutgoingStep, { kind: 'held' | 'returned' }>
  | { readonly kind: 'held'; readonly why: UnresolvedCode }
  | { readonly kind: 'returned'; readonly by: 'bank'; readonly why: UnresolvedCode };

/** The effect of a result for a capture that goes back. What the bank refuses it never pays under this key. */
export function afterReturn(outgoing: Outgoing, result: OutgoingResult): ReturnStep {
  if (result.kind === 'cameBack' && (outgoing.state === 'done' || !hasEnded(outgoing)))
    return afterComingBack(outgoing);
  // The statement has what was paid and came back after that; another return may be on its way.
  if (hasEnded(outgoing)) return { kind: 'none' };
  if (result.kind === 'approved') return { kind: 'done' };
  if (outgoing.state !== 'sent') return { kind: 'none' };
  switch (result.kind) {
    case 'declined':
      return { kind: 'returned', by: 'bank', why: 'return_refused' };
    case 'park':
      return { kind: 'held', why: result.why };
    case 'waiting':
    case 'again':
      return afterDoubt(result);
    default:
      return { kind: 'refused' };
  }
}
