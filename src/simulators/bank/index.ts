// The simulated bank: self-contained, honest, deterministic, and able to misbehave on purpose.
// Owns: the file bank.sqlite (charge, refund, callback, mishap, faults), apart from our database.
// Guarantees: requests are idempotent by key; a response is sent only after its record is durable; outcomes depend only
// on docs/api.md#test-values and the faults that are switched on; no card number or code is ever stored.

export { type FaultName, faultNames } from '../../../contract/faults.ts';
export type { Choice } from './bank.ts';
export type { FaultSetting, Faults } from './faults.ts';
export { checkFaults } from './faults.ts';
export type { BankHost, BankHostOptions } from './host.ts';
export { openBankHost } from './host.ts';
export { openSimulatedBank } from './open.ts';
export type { BankPage, BankRecord, Simulator, SimulatorOptions } from './simulator.ts';
export { openSimulator } from './simulator.ts';
