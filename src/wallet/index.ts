// Wallet: payments with cards stored in a device wallet; domains, certificates, merchant sessions. Endpoints E3, W1 to W8.
// Owns: wallet_domain, wallet_certificate, wallet_token.
// Guarantees: a token is accepted only after every step of docs/wallet.md succeeded, with roots only from
// configuration, and pays once; decrypted data is returned only as `Secret`; a refusal logs the step and the reason,
// and nothing of the token; no input of 32 KB costs more than 20 ms of CPU time; sessions are requested only from
// configured hosts.
// Never: stores or logs a device number, a cryptogram or a key in plain text.
export { checkProcessingCertificate, hashOfIdentifier } from './certificates/check.ts';
export { keyOfRequest, makeSigningRequest, publicKeyOf, type SigningRequest } from './certificates/request.ts';
export { registerDomain } from './domains/register.ts';
export { associationPath, checkDomain } from './domains/rules.ts';
export { walletFailures } from './failures.ts';
export type { NewUse, OwnIdentifier, VendorBeside, WalletTokens } from './model.ts';
export { openWallet, type Wallet } from './open.ts';
export type { ValidationUrlFault } from './session/validation-url.ts';
export { ownCertificate, readSetup } from './setup.ts';
export { listLiveCertificates } from './store.ts';
export { trustLeaf } from './token/chain.ts';
export { readSignedData } from './token/cms.ts';
export { type LiveCertificate, tokenKey } from './token/decrypt.ts';
export { tokenCharactersAtMost } from './token/envelope.ts';
export { TokenFault, type TokenFaultReason } from './token/faults.ts';
export { openToken, type TokenAccepted, type TokenCheck, type UsedToken } from './token/open.ts';
export { currencyNumbers, type WalletPayment } from './token/payment.ts';
export { checkSignature } from './token/signature.ts';
export { releaseTokens, useTokens } from './token/use.ts';
export { publicKeyHash } from './x509/certificate.ts';
export { readRoots, type TrustedRoot } from './x509/roots.ts';
