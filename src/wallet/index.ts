// Wallet: payments with cards stored in a device wallet; domains, certificates, merchant sessions, the simulated vendor.
// Owns: wallet_domain, wallet_certificate, wallet_token. Endpoints E3, W1 to W8.
// Promises: a token is accepted only after every step of docs/wallet.md held, with roots from configuration alone, and
// pays once; what was decrypted leaves as `Secret`; a refusal logs which step found what, and nothing of the token; no
// input of 32 KB costs more than 20 ms of CPU time; sessions are asked for at configured hosts only.
// Never: stores or logs a device number, a cryptogram or a key in clear.
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
