// Branded ids: passing a payment id where a refund id is expected does not compile.

declare const brand: unique symbol;
type Id<Name extends string> = string & { readonly [brand]: Name };

export type AccountId = Id<'account'>;
export type PosId = Id<'pos'>;
export type CredentialId = Id<'credential'>;
export type TransactionId = Id<'transaction'>;
export type RefundId = Id<'refund'>;
export type RecurringId = Id<'recurring'>;
export type DisputeId = Id<'dispute'>;

const ulidShape = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** Whether the text is a ULID in canonical form. */
export function isUlid(text: string): boolean {
  return ulidShape.test(text);
}

/** An id from outside; undefined if it is not a ULID, so that the caller responds with 404 (docs/decisions/0003). */
export function idFrom<T extends Id<string>>(text: string): T | undefined {
  return isUlid(text) ? (text as T) : undefined;
}

/** An id that we generated or stored ourselves. */
export function knownId<T extends Id<string>>(text: string): T {
  return text as T;
}
