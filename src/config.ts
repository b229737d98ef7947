// Settings from the environment, validated at startup; all faults are reported together.

import { join, resolve } from 'node:path';
import { isMerchantIdentifier } from '../contract/wallet.ts';
import { type SigningKey, signingKeysFrom } from './acquirer/index.ts';
import { Secret } from './kernel/index.ts';
import {
  type HostAndPort,
  type OutboundPolicy,
  readHosts,
  readTrustedProxies,
  StartFault,
  type TrustedProxies,
  type VaultKey,
} from './platform/index.ts';

export type Mode = 'sandbox' | 'live';

export interface Config {
  readonly mode: Mode;
  readonly host: string;
  readonly port: number;
  /** Where a worker serves its health and metrics; undefined: nowhere. */
  readonly workPort: number | undefined;
  /** Without a trailing slash. Every URL that we return starts with it. */
  readonly baseUrl: string;
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly databaseConnections: number;
  readonly vaultKeys: readonly VaultKey[];
  /** An acquirer over HTTP; undefined: the in-process simulated bank. */
  readonly acquirer: AcquirerConfig | undefined;
  /** The record of the simulated bank. */
  readonly bankFile: string;
  /** Maximum number of recurring charges per second and node; Infinity: unlimited. */
  readonly chargesPerSecond: number;
  /** Allowed notification URLs: https and public addresses, unless the operator allows more. */
  readonly callbackPolicy: OutboundPolicy;
  readonly logLevel: string;
  /** Per account, unless the account has its own limit. */
  readonly requestsPerSecond: number;
  /** Per client address, for requests without a valid token. */
  readonly addressRequestsPerSecond: number;
  /** Whose X-Forwarded-For is trusted. */
  readonly proxies: TrustedProxies;
  /** Required for /metrics; undefined: public in the sandbox, not served in live mode. */
  readonly metricsToken: Secret | undefined;
  /** How long a new refund can be held or canceled before it is sent to the bank. */
  readonly refundDelaySeconds: number;
  /** When the books are compared with the acquirer's statement each day, in minutes after midnight UTC; undefined: never. */
  readonly reconcileAt: number | undefined;
  /** The mail server; undefined: no mail, except in the demo, which catches it. */
  readonly mail: MailConfig | undefined;
  readonly wallet: WalletConfig;
  /** Who runs the service, for the foot of the pay page. */
  readonly operator: OperatorConfig;
}

export interface OperatorConfig {
  readonly name: string | undefined;
  readonly termsUrl: string | undefined;
  /** A URL, or a mail address. */
  readonly support: string | undefined;
}

/** File paths, except for hosts and names. */
export interface WalletConfig {
  /** The roots that tokens must chain to; undefined: no token is accepted, except the sandbox's own. */
  readonly roots: string | undefined;
  /** Hosts where sessions may be requested. */
  readonly hosts: readonly HostAndPort[];
  readonly tlsCa: string | undefined;
  /** What web payments need: all of it or nothing. */
  readonly web: WalletWebConfig | undefined;
  /** The vendor's own script for browsers. */
  readonly script: string | undefined;
  /** The name of the session object in the vendor's script. */
  readonly sessionObject: string;
  /** Port where the simulated vendor validates merchants; 0: any free port. */
  readonly vendorPort: number;
}

export interface WalletWebConfig {
  readonly merchantIdentifier: string;
  readonly processing: string;
  readonly identity: string;
  readonly association: string;
}

export interface MailConfig {
  readonly smtpUrl: Secret;
  readonly from: string;
}

export interface AcquirerConfig {
  readonly url: string;
  readonly keys: readonly [SigningKey, ...SigningKey[]];
  /** Its name in the ledger. */
  readonly name: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

interface Setting {
  readonly name: string;
  readonly meaning: string;
}

/** What `--help` lists. */
export const settings: readonly Setting[] = [
  { name: 'PORT', meaning: 'port of the HTTP server (3000)' },
  { name: 'WORK_PORT', meaning: 'port where grosz work serves health and metrics; unset: none' },
  { name: 'HOST', meaning: 'address it listens on (127.0.0.1)' },
  { name: 'BASE_URL', meaning: 'public URL of the service (http://HOST:PORT)' },
  { name: 'DATA_DIR', meaning: 'folder for the embedded database, keys and demo.json (./data)' },
  { name: 'DATABASE_URL', meaning: 'PostgreSQL 15 or newer; unset: the embedded one' },
  { name: 'DATABASE_CONNECTIONS', meaning: 'maximum number of connections of this process (10)' },
  { name: 'MODE', meaning: 'sandbox or live; required, except for grosz start, which is a sandbox' },
  {
    name: 'VAULT_KEYS',
    meaning: 'id:base64 of 32 bytes, comma-separated; the first one encrypts (DATA_DIR/vault.key)',
  },
  {
    name: 'ACQUIRER_URL',
    meaning: 'an acquirer with the protocol of docs/acquirer.md; unset: the simulated bank (sandbox only)',
  },
  {
    name: 'ACQUIRER_SECRET',
    meaning: 'id:secret shared with the acquirer, at least 32 characters; comma-separated',
  },
  { name: 'ACQUIRER_NAME', meaning: 'its name in the ledger (acquirer)' },
  { name: 'BANK_FILE', meaning: 'record of the simulated bank (DATA_DIR/bank.sqlite)' },
  {
    name: 'CHARGES_PER_SECOND',
    meaning: 'maximum number of recurring charges per second and node (500 with ACQUIRER_URL, otherwise unlimited)',
  },
  { name: 'ALLOW_HTTP_CALLBACKS', meaning: 'true: allow http URLs for notifications (false; true in the demo)' },
  {
    name: 'ALLOW_PRIVATE_CALLBACKS',
    meaning: 'true: allow this machine and private networks for notifications (false; true in the demo)',
  },
  { name: 'LOG_LEVEL', meaning: 'trace, debug, info, warn, error, fatal or silent (info)' },
  { name: 'REQUESTS_PER_SECOND', meaning: 'rate limit per account (10000)' },
  {
    name: 'ADDRESS_REQUESTS_PER_SECOND',
    meaning: 'rate limit per IP address without a valid token, including pages (1000)',
  },
  { name: 'REFUND_DELAY_SECONDS', meaning: 'how long a new refund can be canceled before it is sent to the bank (5)' },
  { name: 'RECONCILE_AT', meaning: "daily comparison with the acquirer's statement, hh:mm in UTC, or off (04:00)" },
  { name: 'SMTP_URL', meaning: 'smtp://user:password@host:587 or smtps://...; unset: no mail (the demo catches it)' },
  { name: 'MAIL_FROM', meaning: 'sender of mail, such as Grosz <no-reply@example.com>; required with SMTP_URL' },
  { name: 'OPERATOR_NAME', meaning: 'who runs the service, in the foot of the pay page; unset: not shown' },
  { name: 'OPERATOR_TERMS_URL', meaning: 'https address of the terms, in the foot of the pay page' },
  { name: 'OPERATOR_SUPPORT', meaning: 'https or mail address where payers get help, in the foot of the pay page' },
  { name: 'WALLET_ROOTS', meaning: 'PEM file of the roots that wallet tokens must chain to; unset: none' },
  { name: 'WALLET_VALIDATION_HOSTS', meaning: 'hosts of the wallet vendor for E3, host or host:port, comma-separated' },
  { name: 'WALLET_TLS_CA', meaning: "PEM file of roots for the vendor's TLS; unset: those of the system" },
  { name: 'WALLET_IDENTITY', meaning: 'PEM file with key and certificate for mutual TLS with the vendor' },
  { name: 'WALLET_MERCHANT_IDENTIFIER', meaning: "the service's own merchant identifier, for payments on the web" },
  { name: 'WALLET_PROCESSING', meaning: 'PEM file with key and payment-processing certificate of that identifier' },
  { name: 'WALLET_ASSOCIATION', meaning: 'domain-association file of that identifier' },
  { name: 'WALLET_SCRIPT', meaning: "address of the vendor's script for browsers; unset: none is loaded" },
  { name: 'WALLET_SESSION_OBJECT', meaning: "name of the vendor's session object in browsers (WalletSession)" },
  {
    name: 'WALLET_VENDOR_PORT',
    meaning: 'port of the simulated wallet vendor, in the sandbox (PORT + 443; 0: a free one)',
  },
  {
    name: 'TRUST_PROXY',
    meaning:
      'whose X-Forwarded-For is trusted: the number of reverse proxies, or their networks as 10.0.0.0/8,fd00::/8 (0)',
  },
  {
    name: 'METRICS_TOKEN',
    meaning: 'bearer token for /metrics, at least 16 characters; unset: serve has no /metrics in live mode',
  },
];

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/**
 * Reads all settings; throws one StartFault that lists every bad one. An empty value counts as unset; `usual` has the
 * command's own defaults.
 */
export function readConfig(environment: Environment, usual: Environment = {}): Config {
  const faults: string[] = [];

  function given(name: string): string | undefined {
    return environment[name] || usual[name];
  }
  function whole(name: string, usual: number, least: number, most: number): number {
    const value = given(name);
    if (value === undefined) return usual;
    if (/^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most) return Number(value);
    faults.push(`${name} must be a whole number from ${least} to ${most}, not "${value}".`);
    return usual;
  }
  function oneOf<T extends string>(name: string, usual: T, allowed: readonly T[]): T {
    const value = given(name);
    if (value === undefined) return usual;
    const found = allowed.find((item) => item === value);
    if (found === undefined) faults.push(`${name} must be one of ${allowed.join(', ')}, not "${value}".`);
    return found ?? usual;
  }

  if (given('MODE') === undefined) faults.push('MODE must be set to sandbox or live.');
  const dataDir = resolve(given('DATA_DIR') ?? 'data');
  const port = whole('PORT', 3_000, 1, 65_535);
  const host = given('HOST') ?? '127.0.0.1';
  const config: Config = {
    mode: oneOf<Mode>('MODE', 'sandbox', ['sandbox', 'live']),
    host,
    port,
    workPort: given('WORK_PORT') === undefined ? undefined : whole('WORK_PORT', 1, 1, 65_535),
    baseUrl: readBaseUrl(given('BASE_URL'), `http://${host.includes(':') ? `[${host}]` : host}:${port}`, faults),
    dataDir,
    databaseUrl: readDatabaseUrl(given('DATABASE_URL'), faults),
    databaseConnections: whole('DATABASE_CONNECTIONS', 10, 2, 1_000),
    vaultKeys: readVaultKeys(given('VAULT_KEYS'), faults),
    acquirer: readAcquirer(given, faults),
    bankFile: resolve(given('BANK_FILE') ?? join(dataDir, 'bank.sqlite')),
    chargesPerSecond:
      given('CHARGES_PER_SECOND') === undefined && given('ACQUIRER_URL') === undefined
        ? Number.POSITIVE_INFINITY
        : whole('CHARGES_PER_SECOND', 500, 1, 100_000),
    callbackPolicy: {
      allowHttp: oneOf('ALLOW_HTTP_CALLBACKS', 'false', ['true', 'false']) === 'true',
      allowPrivate: oneOf('ALLOW_PRIVATE_CALLBACKS', 'false', ['true', 'false']) === 'true',
    },
    logLevel: oneOf('LOG_LEVEL', 'info', logLevels),
    requestsPerSecond: whole('REQUESTS_PER_SECOND', 10_000, 1, 1_000_000),
    addressRequestsPerSecond: whole('ADDRESS_REQUESTS_PER_SECOND', 1_000, 1, 1_000_000),
    proxies: readProxies(given('TRUST_PROXY') ?? '0', faults),
    metricsToken: readMetricsToken(given('METRICS_TOKEN'), faults),
    refundDelaySeconds: whole('REFUND_DELAY_SECONDS', 5, 0, 86_400),
    reconcileAt: readTimeOfDay('RECONCILE_AT', given('RECONCILE_AT') ?? '04:00', faults),
    mail: readMail(given('SMTP_URL'), given('MAIL_FROM'), faults),
    wallet: readWallet(
      given,
      whole('WALLET_VENDOR_PORT', port + vendorPortOffset > 65_535 ? 0 : port + vendorPortOffset, 0, 65_535),
      faults,
    ),
    operator: readOperator(given, faults),
  };
  if (config.mode === 'live') faults.push(...liveFaults(given));
  if (faults.length > 0)
    throw new StartFault(`These settings are wrong:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  return config;
}

/** Settings that live mode requires, and those allowed only in development. */
function liveFaults(given: (name: string) => string | undefined): string[] {
  const faults: string[] = [];
  if (!given('DATABASE_URL')) faults.push('MODE=live needs DATABASE_URL: the embedded database is for development.');
  if (!given('VAULT_KEYS'))
    faults.push('MODE=live needs VAULT_KEYS. Create one with: echo main:$(openssl rand -base64 32)');
  if (!given('ACQUIRER_URL'))
    faults.push('MODE=live needs ACQUIRER_URL and ACQUIRER_SECRET: there is no simulated bank in live mode.');
  if (!/^https:/i.test(given('BASE_URL') ?? ''))
    faults.push('MODE=live needs an https BASE_URL: payers enter their cards there.');
  for (const { name } of settings) {
    if (name.startsWith('ALLOW_') && given(name) === 'true')
      faults.push(`MODE=live refuses ${name}=true: it is for development.`);
  }
  return faults;
}

/** Used verbatim as the prefix of every URL; a password in it would be given out with each. */
const baseUrlShape = /^https?:\/\/[^\s/?#@\\]+(\/[^\s?#\\]*)?$/i;

function readBaseUrl(value: string | undefined, usual: string, faults: string[]): string {
  if (value === undefined) return usual;
  if (!baseUrlShape.test(value) || !URL.canParse(value)) {
    faults.push('BASE_URL must be an http or https address without user or query, such as https://pay.example.com.');
    return usual;
  }
  return value.replace(/\/+$/, '');
}

function readProxies(value: string, faults: string[]): TrustedProxies {
  const proxies = readTrustedProxies(value);
  if (!proxies) {
    faults.push(
      `TRUST_PROXY must be the number of reverse proxies or their networks, such as 1 or 10.0.0.0/8, not "${value}".`,
    );
  }
  return proxies ?? { hops: 0 };
}

function readMetricsToken(value: string | undefined, faults: string[]): Secret | undefined {
  if (value === undefined) return undefined;
  // The value itself is a secret and is not repeated.
  if (!/^[\x21-\x7e]{16,256}$/.test(value)) faults.push('METRICS_TOKEN must have 16 to 256 visible ASCII characters.');
  return new Secret(value);
}

const fromShape = /^(?:[^<>\r\n]{0,100}<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/;

/** Minutes after midnight; undefined for `off`. */
function readTimeOfDay(name: string, value: string, faults: string[]): number | undefined {
  if (value === 'off') return undefined;
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(value) ?? [];
  if (hours === undefined) faults.push(`${name} must be a time such as 04:00, or off, not "${value}".`);
  return Number(hours ?? 0) * 60 + Number(minutes ?? 0);
}

function readMail(url: string | undefined, from: string | undefined, faults: string[]): MailConfig | undefined {
  if (url === undefined) return undefined;
  // The value itself may hold a password and is not repeated.
  if (!URL.canParse(url) || !/^smtps?:$/.test(new URL(url).protocol)) {
    faults.push('SMTP_URL must look like smtp://user:password@host:587 or smtps://user:password@host:465.');
  }
  if (from === undefined || !fromShape.test(from)) {
    faults.push('SMTP_URL needs MAIL_FROM, such as Grosz <no-reply@example.com>.');
  }
  return { smtpUrl: new Secret(url), from: from ?? '' };
}

function readOperator(given: (name: string) => string | undefined, faults: string[]): OperatorConfig {
  const [termsUrl, support] = [given('OPERATOR_TERMS_URL'), given('OPERATOR_SUPPORT')];
  const isUrl = (value: string) => /^https:\/\/\S+$/.test(value) && URL.canParse(value);
  if (termsUrl !== undefined && !isUrl(termsUrl)) faults.push('OPERATOR_TERMS_URL must be an https address.');
  if (support !== undefined && !isUrl(support) && !/^[^\s@<>]+@[^\s@<>]+$/.test(support))
    faults.push('OPERATOR_SUPPORT must be an https address or a mail address.');
  return { name: given('OPERATOR_NAME'), termsUrl, support };
}

/** So that services with different ports have different vendors. */
const vendorPortOffset = 443;

const webSettings = [
  'WALLET_MERCHANT_IDENTIFIER',
  'WALLET_PROCESSING',
  'WALLET_IDENTITY',
  'WALLET_ASSOCIATION',
] as const;

function readWallet(given: (name: string) => string | undefined, vendorPort: number, faults: string[]): WalletConfig {
  const text = given('WALLET_VALIDATION_HOSTS');
  const hosts = text === undefined ? [] : readHosts(text);
  if ('fault' in hosts) faults.push(`WALLET_VALIDATION_HOSTS must be host or host:port: ${hosts.fault}`);
  const sessionObject = given('WALLET_SESSION_OBJECT') ?? 'WalletSession';
  if (!/^[A-Za-z_$][\w$]{0,63}$/.test(sessionObject))
    faults.push('WALLET_SESSION_OBJECT must be a name as JavaScript allows it.');
  return {
    roots: given('WALLET_ROOTS'),
    hosts: 'fault' in hosts ? [] : hosts,
    tlsCa: given('WALLET_TLS_CA'),
    web: readWalletWeb(given, faults),
    script: readScript(given('WALLET_SCRIPT'), faults),
    sessionObject,
    vendorPort,
  };
}

function readScript(value: string | undefined, faults: string[]): string | undefined {
  if (value === undefined || (/^https:\/\/[^\s/?#@\\;,]+\/[^\s;,'"<>]*$/.test(value) && URL.canParse(value)))
    return value;
  faults.push('WALLET_SCRIPT must be the https address of a script.');
  return undefined;
}

/** Web payments need all of these or none: with only some, the first payment would fail. */
function readWalletWeb(given: (name: string) => string | undefined, faults: string[]): WalletWebConfig | undefined {
  const missing = webSettings.filter((name) => given(name) === undefined);
  if (missing.length === webSettings.length) return undefined;
  const needed = [
    ...missing,
    ...['WALLET_ROOTS', 'WALLET_VALIDATION_HOSTS'].filter((name) => given(name) === undefined),
  ];
  if (needed.length > 0) faults.push(`Wallet payments on the web also need ${needed.join(', ')}.`);
  const merchantIdentifier = given('WALLET_MERCHANT_IDENTIFIER') ?? '';
  if (merchantIdentifier !== '' && !isMerchantIdentifier(merchantIdentifier))
    faults.push('WALLET_MERCHANT_IDENTIFIER must look like merchant.com.example.pay.');
  return {
    merchantIdentifier,
    processing: given('WALLET_PROCESSING') ?? '',
    identity: given('WALLET_IDENTITY') ?? '',
    association: given('WALLET_ASSOCIATION') ?? '',
  };
}

function readDatabaseUrl(value: string | undefined, faults: string[]): string | undefined {
  if (value === undefined) return undefined;
  if (!URL.canParse(value) || !/^postgres(ql)?:$/.test(new URL(value).protocol)) {
    // The value itself may hold a password and is not repeated.
    faults.push('DATABASE_URL must look like postgresql://user:password@host:5432/database.');
  }
  return value;
}

function readAcquirer(given: (name: string) => string | undefined, faults: string[]): AcquirerConfig | undefined {
  const [url, secret] = [given('ACQUIRER_URL'), given('ACQUIRER_SECRET')];
  if (url === undefined) return undefined;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    faults.push('ACQUIRER_URL must be an http or https address.');
  }
  const keys = secret === undefined ? undefined : signingKeysFrom(secret);
  if (!keys) {
    faults.push('ACQUIRER_SECRET must be id:secret, with a secret of 32 characters or more, each id once.');
    return undefined;
  }
  return { url, keys, name: given('ACQUIRER_NAME') ?? 'acquirer' };
}

const vaultKeyShape = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/_-]{43}=?)$/;

function readVaultKeys(value: string | undefined, faults: string[]): VaultKey[] {
  if (value === undefined) return [];
  const ids = new Set<string>();
  return value.split(',').flatMap((part) => {
    const match = vaultKeyShape.exec(part.trim());
    const [, id = '', text = ''] = match ?? [];
    if (!match) faults.push('VAULT_KEYS must be id:key, with a key of 32 bytes in base64, separated by commas.');
    // A ciphertext names its key by id: with two keys of the same id, the second would be used to decrypt what the
    // first encrypted.
    if (match && ids.has(id)) faults.push(`VAULT_KEYS has the id ${id} twice: give each key its own id.`);
    ids.add(id);
    return match ? [{ id, key: Buffer.from(text, 'base64') }] : [];
  });
}
