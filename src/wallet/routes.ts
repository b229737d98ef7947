import {
  checkDomain,
  initSession as initEndpoint,
  listCertificates as listCertificatesEndpoint,
  listDomains as listDomainsEndpoint,
  registerDomain as registerEndpoint,
  removeDomain as removeEndpoint,
  requestCertificate as requestEndpoint,
  revokeCertificate as revokeEndpoint,
  uploadCertificate as uploadEndpoint,
} from '../../contract/wallet.ts';
import type { Merchant } from '../accounts/index.ts';
import { on, type Route } from '../http/index.ts';
import { idFrom, refuse } from '../kernel/index.ts';
import { requestCertificate, revokeCertificate, uploadCertificate } from './certificates/keep.ts';
import { checkRegistered, readDomainName, registerDomain, removeDomain } from './domains/register.ts';
import { initSession } from './session/init.ts';
import { listCertificates, listDomains } from './store.ts';
import type { WalletTools } from './tools.ts';
import { serializeCertificate, serializeDomain, serializeResult } from './wire.ts';

const success = 'success' as const;

export const walletRoutes = (tools: WalletTools): Route<Merchant>[] => {
  const idOf = (text: string): string => idFrom(text) ?? refuse('not_found');
  return [
    on(initEndpoint, async ({ caller, body, requestId }) => {
      const session = await initSession(tools, caller.id, body);
      return { result: success, requestId, session };
    }),
    on(listDomainsEndpoint, async ({ caller, requestId }) => {
      const domains = await listDomains(tools.db.sql, caller.id);
      return { result: success, requestId, domains: domains.map(serializeDomain) };
    }),
    on(registerEndpoint, async ({ caller, body, requestId, run }) => {
      const domain = await registerDomain(tools, caller, readDomainName(tools, body.domainName), run.once);
      return { result: success, requestId, ...domain };
    }),
    on(removeEndpoint, async ({ caller, params, requestId }) => {
      const domainName = params.domainName.toLowerCase();
      await removeDomain(tools, caller.id, domainName);
      return { result: success, requestId, domainName };
    }),
    on(checkDomain, async ({ caller, params, requestId }) => {
      const domainName = params.domainName.toLowerCase();
      const { passed, rules } = await checkRegistered(tools, caller.id, domainName);
      return { result: success, requestId, domainName, passed, rules: rules.map(serializeResult) };
    }),
    on(requestEndpoint, async ({ caller, body, requestId, run }) => {
      const row = await requestCertificate(tools, caller.id, body.merchantIdentifier, run.ids.ulid());
      return { result: success, requestId, ...serializeCertificate(row) };
    }),
    on(uploadEndpoint, async ({ caller, params, body, requestId, run }) => {
      const id = idOf(params.certificateId);
      const uploaded = await uploadCertificate(tools, caller.id, id, body.certificate, run.once);
      return { result: success, requestId, ...uploaded };
    }),
    on(listCertificatesEndpoint, async ({ caller, requestId }) => {
      const rows = await listCertificates(tools.db.sql, caller.id);
      return { result: success, requestId, certificates: rows.map(serializeCertificate) };
    }),
    on(revokeEndpoint, async ({ caller, params, requestId }) => {
      const row = await revokeCertificate(tools, caller.id, idOf(params.certificateId));
      return { result: success, requestId, ...serializeCertificate(row) };
    }),
  ];
};
