// What a line of a statement is taken for, and how a statement continues the one before it. Pure.

import { ibanFault, referencesIn, type StatementLine } from '../bankfiles/index.ts';
import { isUlid } from '../kernel/index.ts';
import type { Line } from './model.ts';
import type { LineState } from './table.ts';

/** The bank's codes for its own charges: those of ISO 20022, and of field 61 of MT940. */
const chargeKinds = new Set(['CHRG', 'COMM', 'FEES', 'NCHG', 'NCOM', 'FCHG', 'FCOM', 'SCHG', 'SCOM']);

/** The one payout that the bank's end-to-end id or the title names; undefined: none, or more than one. */
function payoutNamedBy({ endToEndId, text }: Pick<StatementLine, 'endToEndId' | 'text'>): string | undefined {
  const own = endToEndId ?? '';
  const named = new Set([...(isUlid(own) ? [own] : []), ...referencesIn(own), ...referencesIn(text)]);
  const [only] = named;
  return named.size === 1 ? only : undefined;
}

/** What a line is, by what it says of itself. That a payout is as it says is found out when it is booked. */
export function takenFor(
  line: Pick<StatementLine, 'amountMinor' | 'endToEndId' | 'text' | 'kind' | 'payments'>,
): Pick<Line, 'state' | 'target'> {
  if (line.amountMinor === 0n) return { state: 'nothing', target: null };
  const payout = line.payments === 1 ? payoutNamedBy(line) : undefined;
  if (payout !== undefined) return { state: line.amountMinor < 0n ? 'payout' : 'payout_returned', target: payout };
  if (line.amountMinor < 0n && line.kind !== null && chargeKinds.has(line.kind)) return { state: 'fee', target: null };
  return { state: 'unallocated', target: null };
}

/** Field 61 of MT940: a transfer that came back. */
const returnKinds = new Set(['NRTI', 'FRTI', 'SRTI']);

/** Whether the bank itself says that a payment came back: nobody else can write that. */
export function isReturn({
  returnReason,
  isReversal,
  kind,
}: Pick<Line, 'returnReason' | 'isReversal' | 'kind'>): boolean {
  return returnReason !== null || isReversal || (kind !== null && returnKinds.has(kind));
}

/** What an operator has to say about a line in this state. */
export function waitingOf(
  state: LineState,
  amountMinor: bigint,
  at: Temporal.Instant,
): Pick<Line, 'leftMinor' | 'parkedAt'> {
  return state === 'unallocated' ? { leftMinor: amountMinor, parkedAt: at } : { leftMinor: 0n, parkedAt: null };
}

/** What of a statement earlier ones have. */
export interface Known {
  readonly lines: number;
  readonly minor: bigint;
  /** Earlier statements go from its opening balance to its closing balance. */
  readonly balances: boolean;
}

export const nothingKnown: Known = { lines: 0, minor: 0n, balances: false };

export interface Continuing {
  readonly openingMinor: bigint;
  readonly closingMinor: bigint;
  readonly lines: number;
  readonly sumMinor: bigint;
}

export type Continuation =
  /** Nothing of it is new. */
  | { readonly kind: 'repeated' }
  /** `repeated`: some lines are those of earlier statements. */
  | { readonly kind: 'next'; readonly broughtMinor: bigint; readonly repeated: boolean }
  | { readonly kind: 'gap' };

/**
 * How a statement continues an account that closed with `closedMinor` (null: it is the first). The balances decide: lines
 * that look like earlier ones are earlier ones only if the balances say so too.
 */
export function continuationOf(
  closedMinor: bigint | null,
  statement: Continuing,
  known: Known,
  acceptsGap: boolean,
): Continuation {
  const { openingMinor, closingMinor, lines, sumMinor } = statement;
  if (closedMinor === null) return { kind: 'next', broughtMinor: openingMinor, repeated: false };
  const isAllKnown = lines > 0 && known.lines === lines;
  if (openingMinor === closedMinor) {
    // Those that look like earlier ones and come to nothing could be both, whatever the balances say: none is booked twice.
    if (isAllKnown && sumMinor === 0n) return { kind: 'repeated' };
    return { kind: 'next', broughtMinor: 0n, repeated: known.lines > 0 && known.minor === 0n };
  }
  if (isAllKnown && known.balances) return { kind: 'repeated' };
  if (known.lines > 0 && closedMinor + sumMinor - known.minor === closingMinor)
    return { kind: 'next', broughtMinor: 0n, repeated: true };
  if (acceptsGap && known.lines === 0)
    return { kind: 'next', broughtMinor: openingMinor - closedMinor, repeated: false };
  return { kind: 'gap' };
}

/** An account as an IBAN: banks write Polish numbers without the country too. */
export function ibanOf(account: string): string {
  const plain = account.replaceAll(/[^0-9A-Za-z]/g, '').toUpperCase();
  return /^\d{26}$/.test(plain) ? `PL${plain}` : plain;
}

const lineDigits = 7;

/** In the order of the statement, as texts. */
export function lineId(statementId: string, number: number): string {
  return `${statementId}-${String(number).padStart(lineDigits, '0')}`;
}

/** All that is kept of the other party's account. */
export function endingOf(account: string | null): string | null {
  return account === null ? null : account.slice(-4);
}

/** Numbers that could be accounts: of any country in one piece, Polish ones also in groups and without the country. */
const numbers = /(?<![0-9A-Za-z])(?:[A-Z]{2}\d{2}[A-Z0-9]{11,30}|(?:PL ?)?\d{2}(?: ?\d{4}){6})(?![0-9A-Za-z])/g;

/** What is kept of a title: of the accounts in it, only their endings. Banks write the other party's there too. */
export function titleOf(text: string): string {
  return text.replaceAll(numbers, (number) =>
    ibanFault(ibanOf(number)) === undefined ? `…${endingOf(number)}` : number,
  );
}
