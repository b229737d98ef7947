// Wallet: payments with cards stored in a device wallet. So far its pure core: tokens, certificates, domains, addresses,
// and the simulated vendor.
// Owns: nothing yet.
// Promises: a token is accepted only after every step of docs/wallet.md held, with roots from configuration alone; what
// was decrypted leaves as `Secret`; a refusal says which step found what, and nothing of the token; nothing of 32 KB costs
// more than 20 ms of processor time.
// Never: connects anywhere (but for the vendor's own server), reads a clock or a setting, stores anything. That a token is
// used once is for the caller to store, in the database transaction that creates the attempt.
export {
  type CertificateFault,
  type CertificateFaults,
  checkProcessingCertificate,
  hashOfIdentifier,
  type ProcessingCertificate,
} from './certificates/check.ts';
export { isMerchantIdentifier, makeSigningRequest, type SigningRequest } from './certificates/request.ts';
export {
  associationPath,
  checkDomain,
  type DomainCheck,
  type DomainRule,
  type Fetched,
  type RuleResult,
} from './domains/rules.ts';
export {
  checkValidationUrl,
  readValidationHosts,
  type ValidationHost,
  type ValidationUrlFault,
} from './session/validation-url.ts';
export type { LiveCertificate } from './token/decrypt.ts';
export type { TokenFaultReason, TokenStep } from './token/faults.ts';
export { openToken, type TokenAccepted, type TokenCheck, type TokenRejected, type UsedToken } from './token/open.ts';
export type { WalletNetwork, WalletPayment } from './token/payment.ts';
export { associationFile } from './vendor/association.ts';
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
