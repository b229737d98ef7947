// The queries of the list benchmark.

export interface ListsGiven {
  readonly dataDir: string;
  readonly sides: readonly ListsSide[];
}

/** A database with its number of paid transactions and of refunds per transaction. */
export interface ListsSide {
  readonly databaseUrl: string;
  readonly paid: number;
  readonly each: number;
}

export type ListKind = (typeof listKinds)[number];
export const listKinds = [
  'the first page',
  'any page',
  'the last page',
  'any page of cards',
  'any page of the others',
  'any page of any period',
  'any page of cards of any period',
  'one payer',
  'one card',
  'one title',
  'one transaction (E5)',
  'one refund (E7)',
] as const;

export interface ListsOptions {
  readonly kind: ListKind;
  readonly times: number;
  /** Every side gets the same random numbers. */
  readonly seed: number;
}

export interface ListsSeen {
  /** The time of every query, by side. */
  readonly milliseconds: readonly (readonly number[])[];
}
