// Statements of our own bank: what arrived on it and left it.
// Owns: bank_file, bank_statement, bank_line, bank_allocation, bank_answer.
// Guarantees: nothing of a file is booked before all of it was found right; each line is booked once, however often, in
// whatever files and formats the bank sends it; a statement continues the one before it, or the gap is named and somebody
// accepted it; what nobody knows is parked; what is booked on `bank:client` is what the statements say.
// Never: takes a notice or an answer to payments for proof that money moved; moves money at the bank.

export { findAbsence } from './absence.ts';
export type { LineDecision } from './decide.ts';
export { AllocationFault, StatementFault } from './fault.ts';
export type { GivenFile, Imported } from './import.ts';
export { openStatements, type Statements } from './open.ts';
export { nameOf } from './read.ts';
