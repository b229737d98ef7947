// The lines of the provider's balance as lines of our statement. Pure. A line that is about nothing of ours, or that has no
// kind of its own, is `other`: it moved money that the acquirer owes us, so it is never left out.

import type { Stripe } from 'stripe';
import type { StatementLine } from '../acquirer/index.ts';
import { type Money, money } from '../kernel/index.ts';

type Balance = Stripe.BalanceTransaction;

/** The keys of intents, by their ids. */
export type KeysOfIntents = ReadonlyMap<string, string>;

export function intentOf({ source }: Balance): string | undefined {
  if (source === null || typeof source === 'string' || !('payment_intent' in source)) return undefined;
  const intent = source.payment_intent;
  return typeof intent === 'string' ? intent : intent?.id;
}

interface Read {
  readonly balance: Balance;
  readonly at: Temporal.Instant;
  readonly chargeKey: string | undefined;
  readonly installation: string;
}

/**
 * Undefined for a line in another currency than that of the books. `keys` are asked only about lines that do not say
 * themselves whose they are.
 */
export function linesOf(balance: Balance, keys: KeysOfIntents, installation: string): StatementLine[] | undefined {
  if (balance.currency !== 'pln') return undefined;
  const at = Temporal.Instant.fromEpochMilliseconds(balance.created * 1_000);
  const intent = intentOf(balance);
  const chargeKey = namedCharge(balance, installation) ?? (intent === undefined ? undefined : keys.get(intent));
  const read = { balance, at, chargeKey, installation };
  return [...movedLines(read), ...feeLines(read)];
}

function zlotys(minor: number): Money {
  return money(BigInt(Math.abs(minor)), 'PLN');
}

const chargeTypes = ['charge', 'payment'];
const refundTypes = ['refund', 'payment_refund'];
const returnedTypes = ['refund_failure', 'payment_failure_refund'];
const payoutReturnedTypes = ['payout_failure', 'payout_cancel'];

function movedLines(read: Read): StatementLine[] {
  const { balance, at, chargeKey } = read;
  const { amount: minor, type, reporting_category: category } = balance;
  const amount = zlotys(minor);
  if (minor === 0 || isFeeType(type)) return [];
  if (type === 'payout' && minor < 0)
    return [{ kind: 'payout', key: sourceId(balance), amount, fee: zlotys(balance.fee), at }];
  if (payoutReturnedTypes.includes(type) && minor > 0)
    return [{ kind: 'payoutReturned', key: sourceId(balance), amount, at }];
  if (chargeKey === undefined) return [otherLine(read)];
  if (chargeTypes.includes(type) && minor > 0) return [{ kind: 'capture', key: chargeKey, amount, at }];
  if (refundTypes.includes(type) && minor < 0) return [{ kind: 'refund', key: refundKey(read), chargeKey, amount, at }];
  if (returnedTypes.includes(type) && minor > 0)
    return [{ kind: 'refundReturned', key: refundKey(read), chargeKey, amount, at }];
  if (category === 'dispute' && minor < 0) return [{ kind: 'dispute', key: sourceId(balance), chargeKey, amount, at }];
  if (category === 'dispute_reversal' && minor > 0)
    return [{ kind: 'disputeWon', key: sourceId(balance), chargeKey, amount, at }];
  return [otherLine(read)];
}

const feeTypes = ['stripe_fee', 'tax_fee', 'stripe_fx_fee'];

/** Fees that are lines of their own. */
function isFeeType(type: string): boolean {
  return feeTypes.includes(type);
}

function feeLines({ balance, at, chargeKey }: Read): StatementLine[] {
  const own = isFeeType(balance.type) ? -balance.amount : 0;
  // A payout has its fee with it.
  const fee = own + (balance.type === 'payout' ? 0 : balance.fee);
  if (fee === 0) return [];
  const line = { key: balance.id, amount: zlotys(fee), at };
  // A fee that was given back.
  if (fee < 0) return [{ kind: 'other', what: `${balance.type}_fee`, taken: false, ...line }];
  return [{ kind: 'fee', chargeKey: chargeKey ?? null, ...line }];
}

function otherLine({ balance, at }: Read): StatementLine {
  const { id, amount, type, reporting_category: category } = balance;
  const what = type === 'adjustment' ? category : type;
  return { kind: 'other', key: id, what: what.slice(0, 100), taken: amount < 0, amount: zlotys(amount), at };
}

/** Of the object that moved the money; else of the line. */
function sourceId({ id, source }: Balance): string {
  return typeof source === 'string' ? source : (source?.id ?? id);
}

function metadataOf({ source }: Balance): Stripe.Metadata | null {
  if (source === null || typeof source === 'string' || !('metadata' in source)) return null;
  return source.metadata as Stripe.Metadata | null;
}

/** A refund that a person made at the provider has none of our keys: its own id is then unknown to every room. */
function refundKey({ balance, installation }: Read): string {
  const metadata = metadataOf(balance);
  const ours = metadata?.grosz_installation === installation ? metadata.grosz_key : undefined;
  return ours ?? sourceId(balance);
}

/** Metadata of an intent is copied to its charge; our refunds name their charge. A dispute has none. */
export function namedCharge(balance: Balance, installation: string): string | undefined {
  const metadata = metadataOf(balance);
  if (metadata?.grosz_installation !== installation) return undefined;
  return metadata.grosz_kind === 'refund' ? metadata.grosz_charge : metadata.grosz_key;
}
