// Wallet: payments with cards stored in a device wallet; domains, certificates, merchant sessions, the simulated
// vendor. Endpoints E3, W1 to W8.
// Owns: wallet_domain, wallet_certificate, wallet_token.
// Guarantees: a token is accepted only after every step of docs/wallet.md succeeded, with roots only from
// configuration, and pays once; decrypted data is returned only as `Secret`; a refusal logs the step and the reason,
// and nothing of the token; no input of 32 KB costs more than 20 ms of CPU time; sessions are requested only from
// configured hosts.
// Never: stores or logs a device number, a cryptogram or a key in plain text.
export {
  type CertificateFault,
  type CertificateFaults,
  checkProcessingCertificate,
  hashOfIdentifier,
  type ProcessingCertificate,
} from './certificates/check.ts';
export { makeSigningRequest, type SigningRequest } from './certificates/request.ts';
export { deviceScriptPath, mintDeviceToken } from './device.ts';
export { registerDomain } from './domains/register.ts';
export {
  associationPath,
  checkDomain,
  type DomainCheck,
  type DomainRule,
  type Fetched,
  type RuleResult,
} from './domains/rules.ts';
export { walletFailures } from './failures.ts';
export type { NewUse, WalletTokens } from './model.ts';
export { openWallet, type Wallet } from './open.ts';
export { checkValidationUrl, type ValidationUrlFault } from './session/validation-url.ts';
export type { LiveCertificate } from './token/decrypt.ts';
export type { TokenFaultReason, TokenStep } from './token/faults.ts';
export { openToken, type TokenAccepted, type TokenCheck, type TokenRejected, type UsedToken } from './token/open.ts';
export type { WalletNetwork, WalletPayment } from './token/payment.ts';
export { giveBackTokens, useTokens } from './token/use.ts';
export { associationFile } from './vendor/association.ts';
export type { DeviceCardName } from './vendor/device.ts';
export { type BadKind, badKinds, mintBadToken } from './vendor/kinds/index.ts';
export { type DeviceCard, mintToken, type TokenOrder } from './vendor/mint.ts';
export { type MerchantSession, type SessionRequest, signSession } from './vendor/session.ts';
export {
  startValidationServer,
  type ValidationBehavior,
  type ValidationServer,
  type ValidationServerOptions,
} from './vendor/validation-server.ts';
export { type IssuedIdentity, openVendor, type Vendor } from './vendor/vendor.ts';
export { readRoots, type TrustedRoot } from './x509/roots.ts';
