// What cannot be reached from here, for the sandbox and for tests: the bank (`bank/`), the wallet's vendor with its devices
// and everything that makes bad tokens (`wallet/`), and mailboxes (`mail/`). Each stands behind the port that its room has.
// Owns: caught_mail.
// Guarantees: honest and deterministic; they misbehave only on purpose.
// Never: opened in live mode; nothing that serves real money imports them.
export {
  type BankHost,
  type BankHostOptions,
  type BankPage,
  type BankRecord,
  type Choice,
  checkFaults,
  type FaultName,
  type FaultSetting,
  type Faults,
  faultNames,
  openBankHost,
  openSimulatedBank,
  openSimulator,
  type Simulator,
  type SimulatorOptions,
} from './bank/index.ts';
export { openCaughtMail } from './mail/catcher.ts';
export { registerMailPages } from './mail/pages.ts';
export { associationFile } from './wallet/association.ts';
export type { DeviceCardName } from './wallet/device.ts';
export { type BadKind, badKinds, mintBadToken } from './wallet/kinds/index.ts';
export { type DeviceCard, mintToken, type TokenOrder } from './wallet/mint.ts';
export { openSimulatedVendor, type SimulatedVendor } from './wallet/open.ts';
export { deviceScriptPath } from './wallet/paths.ts';
export { mintDeviceToken, openDevices } from './wallet/routes.ts';
export { type MerchantSession, type SessionRequest, signSession } from './wallet/session.ts';
export {
  startValidationServer,
  type ValidationBehavior,
  type ValidationServer,
  type ValidationServerOptions,
} from './wallet/validation-server.ts';
export { type IssuedIdentity, openVendor, type Vendor } from './wallet/vendor.ts';
