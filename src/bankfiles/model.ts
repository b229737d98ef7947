// What bank files contain, in one form for all formats.

export const formats = ['camt053', 'camt054', 'mt940', 'pain002'] as const;
export type Format = (typeof formats)[number];

/** The currencies that are read; all have two decimal places. */
export const fileCurrencies = ['PLN', 'EUR'] as const;
export type FileCurrency = (typeof fileCurrencies)[number];

export interface Statement {
  readonly id: string;
  /** The bank's number of the statement, which increases; not every bank writes one. */
  readonly number: string | null;
  /** A statement may come in several parts, numbered from 1. */
  readonly page: number;
  /** IBAN, or what the bank writes instead. */
  readonly account: string;
  readonly currency: FileCurrency;
  /** The period, by dates such as 2026-11-19; not in every format. */
  readonly from: string | null;
  readonly to: string | null;
  /** The bank's word for one that was sent before: `COPY`, `DUPL` (a duplicate) or `CODU` (a copy of a duplicate). */
  readonly copy: string | null;
  /** The day of the opening balance, if the file does not state the period. */
  readonly openingOn: string | null;
  /** Null in a notice, which has no balances. */
  readonly openingMinor: bigint | null;
}

export interface StatementLine {
  /** Counted from 1 in its statement. */
  readonly entry: number;
  /** Counted from 1 in its entry; 0 is the entry itself. */
  readonly part: number;
  /** Positive: money came into the account. */
  readonly amountMinor: bigint;
  readonly isReversal: boolean;
  readonly bookedOn: string;
  readonly valueOn: string | null;
  /** The bank's own reference. */
  readonly bankReference: string | null;
  readonly endToEndId: string | null;
  /** The id of the message, or of the payment information block, that it was sent in. */
  readonly batchId: string | null;
  /** How many payments it stands for. */
  readonly payments: number;
  readonly text: string;
  readonly partyName: string | null;
  readonly partyAccount: string | null;
  /** Why the bank returned it. */
  readonly returnReason: string | null;
  /** The bank's code for the kind of movement. */
  readonly kind: string | null;
}

export interface StatementEnd {
  readonly closingMinor: bigint | null;
  /** The day of the closing balance, if the file does not state the period. */
  readonly closingOn: string | null;
  /** The number of entries; each may have several lines. */
  readonly entries: number;
  readonly sumMinor: bigint;
  /** Entries that are not booked yet. */
  readonly notBooked: number;
}

/** The bank's answer to a payment file: about the whole file, or about one payment. */
export interface PaymentStatus {
  readonly messageId: string;
  readonly paymentId: string | null;
  readonly endToEndId: string | null;
  readonly status: string;
  readonly reason: string | null;
  readonly text: string;
}

/** What a file contains, in its order: statements with their lines, or statuses. */
export type Part =
  | { readonly kind: 'begin'; readonly statement: Statement }
  | { readonly kind: 'line'; readonly line: StatementLine }
  | { readonly kind: 'end'; readonly end: StatementEnd }
  | { readonly kind: 'status'; readonly status: PaymentStatus };

/** Reads one format: takes text as it comes and returns what it has of the file so far. */
export interface PartReader {
  take(text: string): Part[];
  /** After the last text. */
  end(): Part[];
}
