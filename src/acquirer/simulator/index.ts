// The simulated bank: a product of its own, honest, deterministic, and able to misbehave on purpose.
// Owns: the file bank.sqlite (charge, refund, callback, mishap, faults), apart from our database.
// Promises: one thing for one key; every answer comes after its record is durable; outcomes by docs/decisions.md 5 and by the
// faults that are switched on, and by nothing else; no card number or code is ever stored.
export type { Choice } from './bank.ts';
export type { FaultName, FaultSetting, Faults } from './faults.ts';
export { checkFaults, faultNames } from './faults.ts';
export type { BankPagesOptions } from './pages.ts';
export { registerBankPages } from './pages.ts';
export type { BankPage, BankRecord, Simulator, SimulatorOptions } from './simulator.ts';
export { openSimulator } from './simulator.ts';
