// Bank files: statements (camt.053, camt.054, MT940) and answers to payment files (pain.002), read as a stream. Pure.
// Guarantees: memory use does not grow with the file; a line is passed on only as the bank wrote it; anything that is
// not exactly right is a `FileFault` that names its line. Sums are checked when a statement ends, so nothing may be
// booked before that.
// Never: asks a database, or repairs what a bank wrote.
export { FileFault } from './fault.ts';
export { formats, type PaymentStatus, type Statement, type StatementEnd, type StatementLine } from './model.ts';
export { isFormat, openBankFile } from './read.ts';
export { referencesIn } from './reference.ts';
