// Payouts: what of a balance can be paid out, and when; and the payouts themselves, from the balance to the bank and back.
// Owns: payout_account, payout_terms, payout_block, payout_signed, payout_run, payout, payout_move.
// Guarantees: what is due, not yet due and owed is the balance, to the grosz; nothing is due before its bank day; a payout is
// in the books exactly as its state says; none goes to a bank account that is not verified, on hold or replaced, and nobody
// who writes into the database changes where one goes unnoticed.
// Never: sends anything to a bank. Batches, payment files and statements move payouts from state to state by the steps here.

export { bankDayFrom } from './bank-days.ts';
export { blockPayouts, releasePayouts } from './block.ts';
export { bankAccountFailures, payeeAltered, payoutsFailures } from './failures.ts';
export type { Payout } from './model.ts';
export { ibanFrom, openNumberOf } from './number.ts';
export { openPayouts, type Payouts } from './open.ts';
export { givePayoutAccount, holdAfterChange, verifyPayoutAccount } from './place.ts';
export { beginRun, planRun, runOnePage } from './run.ts';
export { areBooked, haveOurSettings } from './signed.ts';
export {
  cancelApproved,
  cancelCreated,
  cancelSent,
  markApproved,
  markSent,
  settleFailed,
} from './step.ts';
export { findPayout, readPayout } from './store/payouts.ts';
export { findPlace } from './store/settings.ts';
