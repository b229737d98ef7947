// Files of banks: statements (camt.053, camt.054, MT940) and answers to files of payments (pain.002), read as a stream. Pure.
// Guarantees: memory does not grow with the file, and a line is given only as the bank wrote it; what is not exactly right
// is a `FileFault` with its place. Sums are checked when a statement ends, so nothing may be booked before that.
// Never: asks a database, or repairs what a bank wrote.
export { FileFault } from './fault.ts';
export { formats, type PaymentStatus, type Statement, type StatementEnd, type StatementLine } from './model.ts';
export { isFormat, openBankFile } from './read.ts';
export { referencesIn } from './reference.ts';
