// The kernel: pure building blocks. Imports nothing; uses no clock, network or database.
export { type Brand, brandOf, brands } from './brands.ts';
export { canonicalJson, canonicalRow } from './canonical.ts';
export type { AccountId, CredentialId, DisputeId, PosId, RecurringId, RefundId, TransactionId } from './ids.ts';
export { idFrom, isUlid, knownId } from './ids.ts';
export { instantText, isZone, localText } from './instants.ts';
export type { Currency, Money } from './money.ts';
export { currencies, currencyFrom, decimalFromMinor, decimalText, minorFromDecimal, money } from './money.ts';
export { amountText, localeOf } from './money-text.ts';
export { type Period, periodOf } from './period.ts';
export type { FailureCode, FailureKind, FailureTexts, Fault, RefusalCode } from './refusal.ts';
export { failureKind, Refusal, refuse, refuseFault, Unavailable } from './refusal.ts';
export { Secret } from './secret.ts';
export { escapeHtml, joined } from './text.ts';
export { base32In, ulid, ulidFromDigest, ulidTime } from './ulid.ts';
