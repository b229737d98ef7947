// What cannot be reached from here, for the sandbox and for tests: the bank (`bank/`), the bank where our own account is
// (`house/`), the wallet's vendor with its devices
// and everything that makes bad tokens (`wallet/`), and mailboxes (`mail/`). Each is behind the port that its room has. The
// fake of Stripe (`stripe/`) is a process of its own with an entry of its own.
// Owns: caught_mail.
// Guarantees: honest and deterministic; they misbehave only on purpose.
// Never: opened in live mode; nothing that serves real money imports them.

export {
  type BankRecord,
  type Choice,
  checkFaults,
  type FaultName,
  type Faults,
  faultNames,
  openBankHost,
  openSimulatedBank,
  openSimulator,
  type Simulator,
} from './bank/index.ts';
export { openHouseBank } from './house/open.ts';
export { openCaughtMail } from './mail/catcher.ts';
export { registerMailPages } from './mail/pages.ts';
export type { DeviceCardName } from './wallet/device.ts';
export { badKinds, mintBadToken } from './wallet/kinds/index.ts';
export { mintToken, type TokenOrder } from './wallet/mint.ts';
export { openSimulatedVendor } from './wallet/open.ts';
export { deviceScriptPath } from './wallet/paths.ts';
export { mintDeviceToken, openDevices } from './wallet/routes.ts';
export { startValidationServer, type ValidationServer } from './wallet/validation-server.ts';
export { openVendor, type Vendor } from './wallet/vendor.ts';
