// Payouts: what of a balance can be paid out, and when.
// Owns: nothing yet.
// Guarantees: what is due, not yet due and owed is the balance, to the grosz; nothing is due before its bank day.
// Never: moves money; it does not make payouts yet.
export { openPayouts } from './open.ts';
