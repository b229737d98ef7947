// What a movement of our bank means for a payout. Pure.

import type { Payout, PayoutMove, PayoutState } from './model.ts';

/** What a line of a statement says. */
export interface Said {
  readonly direction: 'left' | 'back';
  /** Positive in both directions. */
  readonly amountMinor: bigint;
  /** The bank itself says that a payment came back: whoever sends us money writes only the title. */
  readonly isReturn: boolean;
  /** An operator says that it is this payout. */
  readonly isDecided: boolean;
}

/** What changes in the books, as debits. */
export interface Meant {
  readonly kind: PayoutMove['kind'];
  readonly to: PayoutState;
  readonly transitMinor: bigint;
  /** From the balance of the account as far as it goes, the rest is owed; negative: it is given back. */
  readonly takenMinor: bigint;
  readonly feeMinor: bigint;
  readonly bankMinor: bigint;
}

/** What banks keep of a payment that they send back; more than that is somebody's decision. */
const bankFeeAtMostMinor = 5_000n;

/** In these, the balance has the amount again. */
const givenBack: readonly PayoutState[] = ['returned', 'failed', 'canceled'];

/** Undefined: the line is not this payout. */
export function meaningOf(payout: Pick<Payout, 'state' | 'amountMinor' | 'sentAt'>, said: Said): Meant | undefined {
  return said.direction === 'left' ? paidBy(payout, said) : backBy(payout, said);
}

function paidBy(
  { state, amountMinor, sentAt }: Pick<Payout, 'state' | 'amountMinor' | 'sentAt'>,
  said: Said,
): Meant | undefined {
  if (said.amountMinor !== amountMinor) return undefined;
  const left = { to: 'paid', feeMinor: 0n, bankMinor: -amountMinor } as const;
  if (state === 'sent') return { ...left, kind: 'paid', transitMinor: amountMinor, takenMinor: 0n };
  // What the bank never had it cannot have paid.
  if (sentAt === null || !givenBack.includes(state)) return undefined;
  return { ...left, kind: 'paid_after_all', transitMinor: 0n, takenMinor: amountMinor };
}

/** The account gets all of it again, whatever the bank kept: it has paid for nothing that arrived. */
function backBy({ state, amountMinor }: Pick<Payout, 'state' | 'amountMinor'>, said: Said): Meant | undefined {
  if (state !== 'paid' || said.amountMinor > amountMinor) return undefined;
  const feeMinor = amountMinor - said.amountMinor;
  if (feeMinor > said.amountMinor) return undefined;
  const isUsual = feeMinor === 0n || (said.isReturn && feeMinor <= bankFeeAtMostMinor);
  if (!isUsual && !said.isDecided) return undefined;
  return {
    kind: 'sent_back',
    to: 'returned',
    transitMinor: 0n,
    takenMinor: -amountMinor,
    feeMinor,
    bankMinor: said.amountMinor,
  };
}

/** What takes a movement back that was decided wrongly. */
export function undoingOf(move: PayoutMove): Meant {
  return {
    kind: 'undone',
    to: move.stateBefore,
    transitMinor: -move.transitMinor,
    takenMinor: -move.availableMinor - move.owedMinor,
    feeMinor: -move.feeMinor,
    bankMinor: -move.bankMinor,
  };
}
