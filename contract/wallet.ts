// Wallet payments: E3, domains and certificates (docs/decisions/0024).

import { endpoint } from './endpoint.ts';
import { mustBe, nullable, success, Type, Ulid } from './schema.ts';

/** `host` or, in the sandbox, `host:port`; a host name has at most 253 characters. */
const DomainName = Type.String({
  minLength: 1,
  maxLength: 259,
  description: 'A host name without scheme and path, such as shop.example.com. In the sandbox it may have a port.',
});

/** In a path; compared with the account's domains. */
const domainParams = Type.Object({ domainName: Type.String({ description: 'A registered domain.' }) });

export const initSession = endpoint({
  id: 'E3',
  name: 'createWalletSession',
  method: 'POST',
  path: '/wallet/walletpay/init',
  tag: 'Wallet',
  access: 'write',
  summary: 'Start a wallet session',
  description:
    'Validates the domain of a shop for an on-site wallet payment. ' +
    'Call it from your backend when the page gets the merchant-validation event. Decode `session` from base64, parse it ' +
    'as JSON and pass it to the completion of the merchant validation. A session is for one payment and is never cached.',
  idempotent: false,
  bodyBytesAtMost: 8_192,
  body: Type.Object({
    domainName: DomainName,
    displayName: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'The name that the payer sees in the sheet.',
    }),
    validationUrl: Type.String({ minLength: 1, maxLength: 2_048, description: 'As the event has it.' }),
  }),
  responses: {
    200: Type.Object(
      { ...success, session: Type.String({ description: "Base64 of the vendor's session object (JSON)." }) },
      { additionalProperties: false },
    ),
  },
  failures: [400, 403, 413, 415, 503],
  example: {
    request: {
      domainName: 'shop.example.com',
      displayName: 'Leaf & Cup',
      validationUrl: 'https://wallet-gateway.example.com/paymentservices/startSession',
    },
    response: { result: 'success', requestId: '3f2a9c0d81e47b56aa10', session: 'eyJlcG9jaFRpbWVzdGFtcCI6MTc2NTg...' },
  },
});

const domainFields = {
  domainName: Type.String(),
  createdAt: Type.String({ format: 'date-time' }),
};

const exampleDomain = { domainName: 'shop.example.com', createdAt: '2026-11-02T09:15:00Z' };
const requestId = '3f2a9c0d81e47b56aa10';

export const listDomains = endpoint({
  id: 'W1',
  name: 'listWalletDomains',
  method: 'GET',
  path: '/wallet/domains',
  tag: 'Wallet',
  access: 'read',
  summary: 'List wallet domains',
  description: 'Lists the domains registered for on-site wallet payments.',
  responses: {
    200: Type.Object(
      { ...success, domains: Type.Array(Type.Object(domainFields, { additionalProperties: false })) },
      { additionalProperties: false },
    ),
  },
  example: { response: { result: 'success', requestId, domains: [exampleDomain] } },
});

export const registerDomain = endpoint({
  id: 'W2',
  name: 'registerWalletDomain',
  method: 'POST',
  path: '/wallet/domains',
  tag: 'Wallet',
  access: 'write',
  summary: 'Register a wallet domain',
  description:
    'Registers a domain for on-site wallet payments. ' +
    'The domain is also added to those of the point of sale. Registering it again changes nothing. An account has at most ' +
    '100 domains.',
  bodyBytesAtMost: 8_192,
  body: Type.Object({ domainName: DomainName }),
  responses: { 201: Type.Object({ ...success, ...domainFields }, { additionalProperties: false }) },
  failures: [400, 403, 409, 413, 415, 422],
  example: {
    request: { domainName: 'shop.example.com' },
    response: { result: 'success', requestId, ...exampleDomain },
  },
});

export const removeDomain = endpoint({
  id: 'W3',
  name: 'removeWalletDomain',
  method: 'DELETE',
  path: '/wallet/domains/{domainName}',
  tag: 'Wallet',
  access: 'write',
  summary: 'Remove a wallet domain',
  description: 'Removes a domain; its pages can start no new wallet sessions.',
  params: domainParams,
  responses: { 200: Type.Object({ ...success, domainName: Type.String() }, { additionalProperties: false }) },
  failures: [403, 404],
  example: { response: { result: 'success', requestId, domainName: 'shop.example.com' } },
});

export const domainRules = [
  'reachable',
  'found',
  'no_authorization',
  'no_redirect',
  'no_server_error',
  'content',
  'tls',
] as const;

export const checkDomain = endpoint({
  id: 'W4',
  name: 'checkWalletDomain',
  method: 'POST',
  path: '/wallet/domains/{domainName}/check',
  tag: 'Wallet',
  access: 'write',
  summary: 'Check a wallet domain',
  description:
    'Fetches the domain-association file from the domain and reports every rule. ' +
    'The file must be at `/.well-known/wallet-developer-merchantid-domain-association`. Download it from ' +
    '`GET /wallet/domain-association`. The check is as strict as the wallet vendor: https (http too in the sandbox), no ' +
    'redirects, public addresses only. At most four checks of an account run at once (429).',
  idempotent: false,
  params: domainParams,
  bodyBytesAtMost: 8_192,
  body: Type.Object({}),
  responses: {
    200: Type.Object(
      {
        ...success,
        domainName: Type.String(),
        passed: Type.Boolean(),
        rules: Type.Array(
          Type.Object(
            {
              rule: Type.Enum([...domainRules]),
              passed: Type.Boolean(),
              detail: Type.String({ description: 'What was seen and, if the rule failed, how to fix it.' }),
            },
            { additionalProperties: false },
          ),
        ),
      },
      { additionalProperties: false },
    ),
  },
  failures: [400, 403, 404, 413, 415],
  example: {
    response: {
      result: 'success',
      requestId,
      domainName: 'shop.example.com',
      passed: false,
      rules: [{ rule: 'reachable', passed: true, detail: 'The server answered.' }],
    },
  },
});

/** Whether it can be a merchant identifier: words separated by dots, like `merchant.com.example.shop`. */
export function isMerchantIdentifier(text: string): boolean {
  return /^(?=.{1,255}$)[A-Za-z0-9][A-Za-z0-9-]*(\.[A-Za-z0-9-]+)*$/.test(text);
}

export const MerchantIdentifier = Type.Refine(
  Type.String({ minLength: 1, maxLength: 255, description: 'Such as merchant.com.example.shop.' }),
  (value) => value.length > 255 || isMerchantIdentifier(value),
  mustBe('merchant_identifier', {}),
);

export const certificateStatuses = ['requested', 'active', 'revoked'] as const;

const certificateFields = {
  certificateId: Ulid,
  merchantIdentifier: Type.String({ description: 'The identifier registered with the wallet vendor.' }),
  status: Type.Enum([...certificateStatuses]),
  csr: Type.String({ description: 'The certificate signing request (PEM), for the wallet vendor.' }),
  validFrom: nullable(Type.String({ format: 'date-time' })),
  expiresAt: nullable(Type.String({ format: 'date-time', description: 'Null until the certificate is uploaded.' })),
  createdAt: Type.String({ format: 'date-time' }),
};

const CertificateShown = Type.Object({ ...success, ...certificateFields }, { additionalProperties: false });
const certificateParams = Type.Object({ certificateId: Type.String({ description: 'The id of the certificate.' }) });

const exampleCertificate = {
  certificateId: '01K9Z4M7Q2V5X8B1C3D6F9G0HJ',
  merchantIdentifier: 'merchant.com.example.shop',
  status: 'requested',
  csr: '-----BEGIN CERTIFICATE REQUEST-----\nMIH5MIGgAgEAMCQx...\n-----END CERTIFICATE REQUEST-----\n',
  validFrom: null,
  expiresAt: null,
  createdAt: '2026-11-02T09:15:00Z',
};

const exampleActive = {
  ...exampleCertificate,
  status: 'active',
  validFrom: '2026-11-02T09:20:00Z',
  expiresAt: '2028-12-02T09:20:00Z',
};

export const requestCertificate = endpoint({
  id: 'W5',
  name: 'requestWalletCertificate',
  method: 'POST',
  path: '/wallet/certificates',
  tag: 'Wallet',
  access: 'write',
  summary: 'Request a wallet certificate',
  description:
    'Creates a certificate signing request for a mobile app. ' +
    'Give `csr` to the wallet vendor, which issues the payment-processing certificate of your merchant identifier, and ' +
    'upload that certificate. The private key never leaves the service.',
  bodyBytesAtMost: 8_192,
  body: Type.Object({
    merchantIdentifier: MerchantIdentifier,
  }),
  responses: { 201: CertificateShown },
  failures: [400, 403, 409, 413, 415, 422],
  example: {
    request: { merchantIdentifier: 'merchant.com.example.shop' },
    response: { result: 'success', requestId, ...exampleCertificate },
  },
});

export const uploadCertificate = endpoint({
  id: 'W6',
  name: 'uploadWalletCertificate',
  method: 'POST',
  path: '/wallet/certificates/{certificateId}/certificate',
  tag: 'Wallet',
  access: 'write',
  summary: 'Upload a wallet certificate',
  description:
    'Uploads the certificate that the wallet vendor issued for the request. ' +
    'Its key, merchant identifier and dates are checked. Other active certificates stay active, so that a certificate can ' +
    'be replaced without a gap: upload the new one, switch the app, revoke the old one.',
  params: certificateParams,
  body: Type.Object({
    certificate: Type.String({ minLength: 1, maxLength: 32_768, description: 'PEM, or base64 of DER.' }),
  }),
  responses: { 200: CertificateShown },
  failures: [400, 403, 404, 409, 413, 415, 422],
  example: {
    request: { certificate: '-----BEGIN CERTIFICATE-----\nMIIB...\n-----END CERTIFICATE-----\n' },
    response: { result: 'success', requestId, ...exampleActive },
  },
});

export const listCertificates = endpoint({
  id: 'W7',
  name: 'listWalletCertificates',
  method: 'GET',
  path: '/wallet/certificates',
  tag: 'Wallet',
  access: 'read',
  summary: 'List wallet certificates',
  description: 'Lists the certificates for mobile apps with their expiry, newest first.',
  responses: {
    200: Type.Object(
      { ...success, certificates: Type.Array(Type.Object(certificateFields, { additionalProperties: false })) },
      { additionalProperties: false },
    ),
  },
  example: { response: { result: 'success', requestId, certificates: [exampleActive] } },
});

export const revokeCertificate = endpoint({
  id: 'W8',
  name: 'revokeWalletCertificate',
  method: 'POST',
  path: '/wallet/certificates/{certificateId}/revoke',
  tag: 'Wallet',
  access: 'write',
  summary: 'Revoke a wallet certificate',
  description: 'Revokes a certificate and destroys its key: tokens made for it are refused from now on.',
  params: certificateParams,
  bodyBytesAtMost: 8_192,
  body: Type.Object({}),
  responses: { 200: CertificateShown },
  failures: [400, 403, 404, 409, 413, 415, 422],
  example: { response: { result: 'success', requestId, ...exampleActive, status: 'revoked' } },
});

export const walletEndpoints = [
  initSession,
  listDomains,
  registerDomain,
  removeDomain,
  checkDomain,
  requestCertificate,
  uploadCertificate,
  listCertificates,
  revokeCertificate,
] as const;
