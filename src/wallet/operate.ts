// The use cases of this room for the command line.

import type { Merchant } from '../accounts/index.ts';
import { onceIn } from '../http/index.ts';
import type { AccountId } from '../kernel/index.ts';
import { requestCertificate, revokeCertificate, uploadCertificate } from './certificates/keep.ts';
import { checkRegistered, readDomainName, registerDomain, removeDomain } from './domains/register.ts';
import { listCertificates, listDomains } from './store.ts';
import type { WalletTools } from './tools.ts';
import { serializeCertificate, serializeDomain } from './wire.ts';

export const domainActions = (tools: WalletTools) => ({
  list: async (merchantId: AccountId) => (await listDomains(tools.db.sql, merchantId)).map(serializeDomain),
  add: (merchant: Pick<Merchant, 'id' | 'posId'>, domainName: string) =>
    registerDomain(tools, merchant, readDomainName(tools, domainName), onceIn(tools.db)),
  remove: (merchantId: AccountId, domainName: string) => removeDomain(tools, merchantId, domainName.toLowerCase()),
  check: (merchantId: AccountId, domainName: string) => checkRegistered(tools, merchantId, domainName.toLowerCase()),
});

export const certificateActions = (tools: WalletTools) => ({
  list: async (merchantId: AccountId) => (await listCertificates(tools.db.sql, merchantId)).map(serializeCertificate),
  request: async (merchantId: AccountId, merchantIdentifier: string) =>
    serializeCertificate(await requestCertificate(tools, merchantId, merchantIdentifier, tools.ids.ulid())),
  upload: (merchantId: AccountId, id: string, certificate: string) =>
    uploadCertificate(tools, merchantId, id, certificate, onceIn(tools.db)),
  revoke: async (merchantId: AccountId, id: string) =>
    serializeCertificate(await revokeCertificate(tools, merchantId, id)),
});
