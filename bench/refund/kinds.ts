// What the lists of the benchmark are asked for.

export interface ListsGiven {
  readonly dataDir: string;
  readonly sides: readonly ListsSide[];
}

/** One database with its number of paid transactions and of refunds of each. */
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
  /** Every side gets the same draws. */
  readonly seed: number;
}

export interface ListsSeen {
  /** By side, the times of every query. */
  readonly milliseconds: readonly (readonly number[])[];
}
