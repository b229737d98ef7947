// What a comparison means, and what an operator's decision moves. Pure.

import type { ParkReason, UnresolvedCode } from '../../contract/codes/parking.ts';
import type { FindAnswer } from '../acquirer/index.ts';
import {
  afterDoubt,
  type Decision,
  DecisionFault,
  hasEnded,
  type Outgoing,
  type OutgoingResult,
  type OutgoingStep,
} from '../banking/index.ts';
import { decimalText } from '../kernel/index.ts';
import { type Journal, statementJournal } from '../ledger/index.ts';
import type { Difference, Found, Item, Line, Moved, Ours, Unconfirmed } from './model.ts';

/** `apply`: the room of the payment or refund settles it, as if the bank had just reported it. */
export type Verdict = 'agrees' | 'apply' | Difference;

/** A line of the statement against what we have. */
export function judgeLine(bankMinor: bigint, { bookedMinor, askedMinor, row, sameCharge, whole }: Ours): Verdict {
  // The ledger has no journal of nothing.
  if (bookedMinor === null && bankMinor === 0n) return 'agrees';
  if (!sameCharge) return 'other_charge';
  if (bookedMinor === null && (row === 'open' || row === 'ended')) {
    return askedMinor === null || askedMinor === bankMinor ? 'apply' : 'other_amount';
  }
  if (bookedMinor === null) return 'not_booked';
  if (bookedMinor !== bankMinor) return 'other_amount';
  return row === 'moved' && whole ? 'agrees' : 'row_missing';
}

/** `unanswered`: the bank could not be asked, so nothing is claimed. */
export function judgeAnswer({ ourMinor }: Unconfirmed, answer: FindAnswer): Verdict | 'unanswered' {
  if (answer.kind === 'unknown' || answer.kind === 'notReached') return 'unanswered';
  if (answer.kind !== 'approved') return 'not_at_bank';
  return answer.amount.minor === ourMinor ? 'agrees' : 'other_amount';
}

export function foundOf({ kind, key, amountMinor }: Line, ours: Ours, difference: Difference): Found {
  const ourMinor = ours.bookedMinor ?? (difference === 'not_booked' ? null : ours.askedMinor);
  return { kind, key, difference, bankMinor: amountMinor, ourMinor };
}

/** Why an operator decides. */
export function whyOf({ kind, difference, bankMinor, ourMinor }: Found): ParkReason {
  const [bank, ours] = [decimalText(bankMinor ?? 0n), decimalText(ourMinor ?? 0n)];
  switch (difference) {
    case 'not_booked':
      return { code: kind === 'refund' ? 'refund_not_booked' : 'capture_not_booked', parameters: { bank } };
    case 'not_at_bank':
      return { code: 'not_at_bank', parameters: { kind, ours } };
    case 'other_amount':
      return { code: 'amounts_differ', parameters: { kind, bank, ours } };
    case 'other_charge':
      return { code: 'other_charge', parameters: { bank } };
    case 'row_missing':
      return { code: 'rows_missing', parameters: { kind, ours } };
  }
}

/** The journal of something that was not in the books: payers' money that belongs to nobody yet. */
export function bookingOf(item: Item): Journal[] {
  if (item.difference !== 'not_booked') return [];
  return [unallocated(item, item.key, `unmatched ${item.kind}`, signed(item.kind, item.bankMinor ?? 0n))];
}

/** Outcomes that the next run looks at again. */
export const notMoved = 'not moved by the bank';
export const returned = 'returned to the payer';

/** What a decision does to an item: moves money in the books, closes it, or first returns the money to the payer. */
export interface Step {
  readonly kind: 'close' | 'giveBack';
  readonly outcome: string;
  readonly journals: readonly Journal[];
}

export function afterDecision(item: Item, decision: Decision): Step {
  const { difference, kind } = item;
  if (difference === 'other_amount') return afterOtherAmount(item, decision);
  confirm(decision, (difference === 'not_booked' ? item.bankMinor : item.ourMinor) ?? 0n);
  if (decision !== 'not-captured') {
    if (difference === 'not_booked' && kind === 'capture') {
      return { kind: 'giveBack', outcome: returned, journals: [] };
    }
    return { kind: 'close', outcome: 'confirmed', journals: [] };
  }
  switch (difference) {
    case 'not_booked':
      return reversed(item, 'reversed by the bank');
    case 'not_at_bank':
      return { kind: 'close', outcome: notMoved, journals: [correction(item, -(item.ourMinor ?? 0n))] };
    case 'other_charge':
      throw new DecisionFault({ code: 'moved_elsewhere', parameters: { bank: decimalText(item.bankMinor ?? 0n) } });
    case 'row_missing':
      throw new DecisionFault({ code: 'agreed_on', parameters: { amount: decimalText(item.ourMinor ?? 0n) } });
  }
}

/** A capture that turned up in the books after all, or was reversed by the bank. */
export function reversed(item: Item, outcome: string): Step {
  const minor = -signed(item.kind, item.bankMinor ?? 0n);
  return { kind: 'close', outcome, journals: [unallocated(item, item.key, `unmatched ${item.kind} reversed`, minor)] };
}

/** Returned to the payer, and then taken by its payment: the merchant keeps it, so it is our loss. */
export function returnedTwice(item: Item): Journal {
  const { key: source, acquirer, currency } = item;
  const amountMinor = -(item.bankMinor ?? 0n);
  return statementJournal({ source, acquirer, currency, amountMinor }, 'unmatched capture reversed', 'loss');
}

/** The reverse of what was booked for something that the bank had not named, and now does. */
export function namedAfterAll(item: Item): Journal {
  const owed = signed(item.kind, item.ourMinor ?? 0n);
  const capture = { source: item.key, acquirer: item.acquirer, currency: item.currency, amountMinor: owed };
  return statementJournal(capture, `${item.kind} named later`, owed > 0n ? 'loss' : 'payerUnallocated');
}

/** The bank paid the money back to the payer. */
export function givenBackJournal(item: Item, key: string): Journal {
  return unallocated(item, key, 'unmatched returned', -(item.bankMinor ?? 0n));
}

/** `why` it cannot go back. */
export type ReturnStep =
  | Exclude<OutgoingStep, { kind: 'held' | 'returned' }>
  | { readonly kind: 'held'; readonly why: UnresolvedCode }
  | { readonly kind: 'returned'; readonly by: 'bank'; readonly why: UnresolvedCode };

/** The effect of a result for a capture that goes back. What the bank refuses it never pays under this key. */
export function afterReturn(outgoing: Outgoing, result: OutgoingResult): ReturnStep {
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

function afterOtherAmount(item: Item, decision: Decision): Step {
  const [bank, ours] = [item.bankMinor ?? 0n, item.ourMinor ?? 0n];
  if (decision !== 'not-captured') {
    if (decision.capturedMinor === ours) return { kind: 'close', outcome: 'corrected by the bank', journals: [] };
    if (decision.capturedMinor === bank && item.kind !== 'payout') {
      return { kind: 'close', outcome: 'difference booked', journals: [correction(item, bank - ours)] };
    }
  }
  const parameters = { bank: decimalText(bank), ours: decimalText(ours) };
  if (item.kind !== 'payout') throw new DecisionFault({ code: 'amounts_differ', parameters });
  throw new DecisionFault({ code: 'payout_differs', parameters: { ours: parameters.ours } });
}

function confirm(decision: Decision, minor: bigint): void {
  if (decision === 'not-captured' || decision.capturedMinor === minor) return;
  const [amount, named] = [decimalText(minor), decimalText(decision.capturedMinor)];
  throw new DecisionFault({ code: 'not_about', parameters: { amount, named } });
}

/** A capture makes the acquirer owe us more, a refund less. */
function signed(kind: Moved, minor: bigint): bigint {
  return kind === 'capture' ? minor : -minor;
}

/** The bank moved `minor` more than our books say: what is missing is our loss, what is left over belongs to payers. */
function correction(item: Item, minor: bigint): Journal {
  const owed = signed(item.kind, minor);
  const capture = { source: item.key, acquirer: item.acquirer, currency: item.currency, amountMinor: owed };
  return statementJournal(capture, `${item.kind} corrected`, owed < 0n ? 'loss' : 'payerUnallocated');
}

function unallocated(item: Item, source: string, kind: string, amountMinor: bigint): Journal {
  const { acquirer, currency } = item;
  return statementJournal({ source, acquirer, currency, amountMinor }, kind, 'payerUnallocated');
}
