// Bank files. Read as a stream: statements (camt.053, camt.054, MT940) and answers to payment files (pain.002). Written as
// a stream: payment files (pain.001, Elixir-0). Pure.
// Guarantees: memory use does not grow with the file; a line is passed on only as the bank wrote it; anything that is
// not exactly right is a `FileFault` that names its line, or a `PaymentFileFault` that names its payment. Sums are checked
// when a statement ends, so nothing may be booked before that, and before a payment file ends, so it is not used before.
// Never: asks a database, or repairs what a bank wrote.
export type { Source } from './encoding.ts';
export { FileFault } from './fault.ts';
export {
  type Format,
  formats,
  type PaymentStatus,
  type Statement,
  type StatementEnd,
  type StatementLine,
} from './model.ts';
export { PaymentFileFault, type PaymentFileProblem } from './payments/fault.ts';
export { endingOf, ibanFault } from './payments/iban.ts';
export type { Payment, PaymentBatch } from './payments/model.ts';
export { type BankProfile, builtInProfiles } from './payments/profile.ts';
export { paymentProblem } from './payments/rules.ts';
export { writePaymentFile } from './payments/write.ts';
export { type BankFile, formatOf, isFormat, openBankFile } from './read.ts';
export { referencesIn, titleOf } from './reference.ts';
