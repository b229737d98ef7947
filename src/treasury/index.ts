// Our own accounts at banks, where clients' money lies: which there are, and how their banks take files.
// Owns: bank_account, bank_profile.
// Guarantees: a number is one account, whatever it is for; how its payouts are paid has the name of who said so.
// Never: knows what a bank has on an account, or what is paid from it.
export { givePayer, openBankAccount } from './account.ts';
export { treasuryFailures } from './failures.ts';
export type { BankAccount, Payer } from './model.ts';
export { findProfile, profileFor } from './profile.ts';
export {
  findBankAccount,
  findByNumber,
  listBankAccounts,
  listPayers,
  listProfileNames,
  lockBankAccount,
} from './store.ts';
