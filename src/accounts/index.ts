// Accounts: merchants, partners and sellers, points of sale, credentials, tokens, channels. Endpoints A1 to A5, M0a, M0b.
// Owns: account, account_price_list, partner_seller, price, price_list, pay_page, pos, pos_domain, credential, credential_secret, access_token.
// Guarantees: secrets and tokens are stored hashed; at most two secrets of a credential work; a revocation takes effect
// on every node within a second; an account of another caller looks as if it did not exist.
export type { Merchant } from './authenticate.ts';
export { changeAccount } from './change.ts';
export type { AccountDetails } from './create.ts';
export {
  addSeller,
  createAccount,
  createCredential,
  dropOlderSecrets,
  openSecurityCode,
  readAccountSecrets,
  replaceAccountSecret,
  revokeCredential,
  rotateSecret,
} from './create.ts';
export { openAccounts } from './open.ts';
export { changePayPage } from './pay-page/change.ts';
export { embedOriginsAtMost } from './pay-page/origins.ts';
export type { MailSwitches, PayPageSettings } from './pay-page/store.ts';
export { findLogo, findPayPage, usualPayPage } from './pay-page/store.ts';
export { addPos, changePos } from './pos.ts';
export { addPrice, assignPriceList, createPriceList } from './prices/prices.ts';
export {
  findPrices,
  listAssignments,
  listPriceLists,
  listPrices,
  listPricesOf,
  type Price,
  priceColumns,
  readPrice,
} from './prices/store.ts';
export { formatClientId, parseClientId, requireMarketplace } from './rules.ts';
export type { AccountRow, AccountSettings, CredentialKind, PosRow, SellerTerms, StoredSettings } from './store.ts';
export {
  findAccount,
  findAccountOfPos,
  findMainPos,
  findPos,
  findSellerOf,
  findSettings,
  insertPosDomain,
  listAccounts,
  listCredentials,
  listCredentialsOf,
  listPos,
  listSellerTerms,
  lockAccount,
} from './store.ts';
export { channelFaults } from './wire.ts';
