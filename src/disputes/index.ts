// Disputes: what payers' banks take back of payments.
// Owns: dispute, dispute_step, dispute_share, dispute_unclaimed, dispute_loss.
// Guarantees: a dispute is one row, however often, late and in whatever order the acquirer and its statement name it; what
// is disputed and not given back is borne by accounts, to the grosz: from their balance as far as it goes, and the rest is
// what they owe; refunds that were not sent wait while a dispute takes the same money; what pays the payer twice is parked; who bears what depends on what sellers have given by refunds that stand, never on what came first; what is said before the charge is paid waits for it, and what nobody claims is parked.
// Never: moves money at the acquirer's account, which is the part of `reconciliation`; the two meet on `dispute:payable`.
export { openDisputes } from './open.ts';
