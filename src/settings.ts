// Every setting, once: its place in the configuration, name, kind, default and help. The type `Config`, `grosz help
// settings`, the table in operations.md and the search for misspelled names come from this table.

import { join, resolve } from 'node:path';
import { isMerchantIdentifier } from '../contract/wallet.ts';
import { type SigningKey, signingKeysFrom } from './acquirer/index.ts';
import { readTrustedProxies, type TrustedProxies } from './http/index.ts';
import { brands, Secret } from './kernel/index.ts';
import { type HostAndPort, readHosts } from './outbound/index.ts';
import type { VaultKey } from './runtime/index.ts';
import {
  checked,
  developmentOnly,
  fitting,
  type Given,
  oneOf,
  optional,
  path,
  Setting,
  Together,
  text,
  Wrong,
  whole,
  wholeOr,
} from './setting.ts';
import { isOfMode, isPublishableKey, readLoopbackUrl, readSecretKey, readWebhookSecrets } from './stripe/index.ts';

export type Mode = 'sandbox' | 'live';

/** The record of the simulated bank, unless a setting names another file. */
export const bankFile = 'bank.sqlite';

const ports = [1, 65_535] as const;

/** So that services with different ports have different vendors. */
const vendorPortOffset = 443;

const portOf = (given: Given) => Number(given('PORT') ?? 3_000);

const dataDirOf = (given: Given) => resolve(given('DATA_DIR') ?? 'data');

/** Used verbatim as the prefix of every URL; a password in it would be given out with each. */
const baseUrlShape = /^https?:\/\/[^\s/?#@\\]+(\/[^\s?#\\]*)?$/i;

function readBaseUrl(given: string): string | Wrong {
  return baseUrlShape.test(given) && URL.canParse(given)
    ? given.replace(/\/+$/, '')
    : new Wrong('must be an http or https address without user or query, such as https://pay.example.com.');
}

/** Given out in the header of every notification. */
function readCertificateUrl(given: string): string | Wrong {
  return baseUrlShape.test(given) && URL.canParse(given)
    ? given
    : new Wrong('must be an http or https address without user or query, such as https://certs.example.com/grosz.pem.');
}

function localUrl(given: Given): string {
  const host = given('HOST') ?? '127.0.0.1';
  return `http://${host.includes(':') ? `[${host}]` : host}:${portOf(given)}`;
}

const hasScheme = (schemes: RegExp) => (given: string) => URL.canParse(given) && schemes.test(new URL(given).protocol);

const isHttpsUrl = (given: string) => /^https:\/\/\S+$/.test(given) && URL.canParse(given);

const isMailAddress = (given: string) => /^[^\s@<>]+@[^\s@<>]+$/.test(given);

const vaultKeyShape = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/_-]{43}=?)$/;

function readVaultKeys(given: string): readonly VaultKey[] | Wrong {
  const keys = given.split(',').map((part) => {
    const [, id, base64] = vaultKeyShape.exec(part.trim()) ?? [];
    return id === undefined || base64 === undefined ? undefined : { id, key: Buffer.from(base64, 'base64') };
  });
  const whole = keys.filter((key) => key !== undefined);
  if (whole.length < keys.length)
    return new Wrong('must be id:key, with a key of 32 bytes in base64, separated by commas.');
  // A ciphertext names its key by id: with two keys of the same id, the second would be used to decrypt what the first
  // encrypted.
  const twice = whole.find(({ id }, index) => whole.findIndex((other) => other.id === id) < index);
  return twice ? new Wrong(`has the id ${twice.id} twice: give each key its own id.`) : whole;
}

function readProxies(given: string): TrustedProxies | Wrong {
  const why = 'must be the number of reverse proxies or their networks, such as 1 or 10.0.0.0/8';
  return readTrustedProxies(given) ?? new Wrong(`${why}, not "${given}".`);
}

/** Minutes after midnight; undefined for `off`. */
function readTimeOfDay(given: string): number | undefined | Wrong {
  if (given === 'off') return undefined;
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(given) ?? [];
  if (hours === undefined) return new Wrong(`must be a time such as 04:00, or off, not "${given}".`);
  return Number(hours) * 60 + Number(minutes);
}

function readMinutesOrOff(given: string): number | undefined | Wrong {
  if (given === 'off') return undefined;
  const minutes = /^\d{1,4}$/.test(given) ? Number(given) : 0;
  return minutes >= 5 && minutes <= 1_440 ? minutes : new Wrong(`must be 5 to 1440 minutes, or off, not "${given}".`);
}

function readSmtpUrl(given: string): Secret | Wrong {
  return hasScheme(/^smtps?:$/)(given)
    ? new Secret(given)
    : new Wrong('must look like smtp://user:password@host:587 or smtps://user:password@host:465.');
}

const senderShape = /^(?:[^<>\r\n]{0,100}<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/;

function readValidationHosts(given: string): readonly HostAndPort[] | Wrong {
  const hosts = readHosts(given);
  return 'fault' in hosts ? new Wrong(`must be host or host:port: ${hosts.fault}`) : hosts;
}

function readMetricsToken(given: string): Secret | Wrong {
  return /^[\x21-\x7e]{16,256}$/.test(given)
    ? new Secret(given)
    : new Wrong('must have 16 to 256 visible ASCII characters.');
}

type SigningKeys = readonly [SigningKey, ...SigningKey[]];

const noSigningKeys = new Wrong('must be id:secret, with a secret of 32 characters or more, each id once.');

const isScriptUrl = (given: string) => /^https:\/\/[^\s/?#@\\;,]+\/[^\s;,'"<>]*$/.test(given) && URL.canParse(given);

const ofTheWallet = [
  'WALLET_MERCHANT_IDENTIFIER',
  'WALLET_PROCESSING',
  'WALLET_IDENTITY',
  'WALLET_ASSOCIATION',
] as const;

/** Web payments need all of these or none: with only some, the first payment would fail. */
function walletWebFaults(given: Given): string[] | undefined {
  const missing = ofTheWallet.filter((name) => given(name) === undefined);
  if (missing.length === ofTheWallet.length) return undefined;
  const others = ['WALLET_ROOTS', 'WALLET_VALIDATION_HOSTS'].filter((name) => given(name) === undefined);
  const needed = [...missing, ...others];
  return needed.length > 0 ? [`Wallet payments on the web also need ${needed.join(', ')}.`] : [];
}

const brandIds: readonly string[] = brands.map(({ id }) => id);

function readBrands(text: string): readonly string[] | Wrong {
  const wanted = text.split(',').map((name) => name.trim().toLowerCase());
  if (wanted.every((name) => brandIds.includes(name))) return brandIds.filter((id) => wanted.includes(id));
  return new Wrong(`must be a list of ${brandIds.join(', ')}, with commas between them.`);
}

/** Required with others, which say so. */
const withOthers = (name: string, help: string) => new Setting(name, (given) => given, { help, otherwise: () => '' });

/** The kinds of acquirers, and what each needs to be open at all. */
export const acquirerNeeds = {
  simulator: undefined,
  http: 'ACQUIRER_URL',
  stripe: 'STRIPE_SECRET_KEY',
} as const satisfies Readonly<Record<string, string | undefined>>;

/** What an acquirer is called in ACQUIRERS, in routes and in the address of its callbacks. */
export type AcquirerKind = keyof typeof acquirerNeeds;

const acquirerKinds = Object.keys(acquirerNeeds) as AcquirerKind[];

function readAcquirers(text: string): readonly AcquirerKind[] | Wrong {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !acquirerKinds.some((kind) => kind === name));
  if (unknown !== undefined) return new Wrong(`must be a list of ${acquirerKinds.join(', ')}; it has "${unknown}".`);
  if (new Set(names).size < names.length) return new Wrong('has a name twice.');
  return names as AcquirerKind[];
}

/** Those that are listed although what they need is not set. */
export function acquirerFaults(given: Given): string[] {
  const listed = readAcquirers(given('ACQUIRERS') ?? '');
  if (listed instanceof Wrong) return [];
  return listed.flatMap((name) => {
    const needed = acquirerNeeds[name];
    return needed !== undefined && given(needed) === undefined ? [`ACQUIRERS has ${name}, which needs ${needed}.`] : [];
  });
}

/** Below what the slowest acquirer takes. */
/** A value that is checked, and shown to nobody. */
const readAs =
  <T>(read: (text: string) => T | undefined, why: string) =>
  (text: string): T | Wrong =>
    read(text) ?? new Wrong(why);

const stripeNames = [
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_PUBLISHABLE_KEY',
  'STRIPE_API_URL',
  'STRIPE_SCRIPT_URL',
  'STRIPE_RAW_CARDS',
] as const;

/** Live keys only in live mode, test keys only in a sandbox: nobody pays by mistake, or takes test money for real. */
function stripeFaults(given: Given): string[] | undefined {
  const key = given('STRIPE_SECRET_KEY');
  if (key === undefined) {
    const lonely = stripeNames.filter((name) => given(name) !== undefined);
    return lonely.length > 0 ? [`${lonely.join(', ')} also needs STRIPE_SECRET_KEY.`] : undefined;
  }
  const mode = given('MODE') === 'live' ? 'live' : 'sandbox';
  const kind = mode === 'live' ? 'live' : 'test';
  const faults = (['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY'] as const).flatMap((name) => {
    const value = given(name);
    return value === undefined || isOfMode(value, mode) ? [] : [`MODE=${mode} needs a ${kind} key in ${name}.`];
  });
  return given('STRIPE_WEBHOOK_SECRET') === undefined
    ? [...faults, 'STRIPE_SECRET_KEY needs STRIPE_WEBHOOK_SECRET, the secret of the webhook endpoint.']
    : faults;
}

const loopbackOnly = 'must be an http or https address of this machine, such as http://127.0.0.1:3020.';
const sandboxOnly = (name: string) => (url: string | undefined) =>
  url === undefined ? undefined : `MODE=live refuses ${name}: it is for a fake of the provider.`;

export const table = {
  port: whole('PORT', 3_000, ...ports, { help: 'port of the HTTP server' }),
  /** Where a worker serves its health and metrics; undefined: nowhere. */
  workPort: wholeOr<undefined>('WORK_PORT', ports, {
    help: 'port where `grosz work` serves its health and metrics; unset: no HTTP server',
  }),
  host: text('HOST', '127.0.0.1', { help: 'address it listens on', usual: '127.0.0.1' }),
  /** Without a trailing slash. Every URL that we return starts with it. */
  baseUrl: new Setting('BASE_URL', readBaseUrl, {
    help: 'public URL; every link begins with it. The same on every node, including workers: it is part of signatures',
    usual: '`http://HOST:PORT`',
    otherwise: localUrl,
    live: (url) =>
      /^https:/i.test(url ?? '') ? undefined : 'MODE=live needs an https BASE_URL: payers enter their cards there.',
  }),
  dataDir: path('DATA_DIR', {
    help: 'folder for the embedded database, keys and `demo.json`',
    usual: '`./data`',
    otherwise: dataDirOf,
  }),
  databaseUrl: new Setting<string | undefined>(
    'DATABASE_URL',
    // The value itself may hold a password and is not repeated.
    (url) =>
      hasScheme(/^postgres(ql)?:$/)(url)
        ? url
        : new Wrong('must look like postgresql://user:password@host:5432/database.'),
    {
      help: 'PostgreSQL 15 or newer; unset: the embedded one in `DATA_DIR`',
      live: (url) => (url ? undefined : 'MODE=live needs DATABASE_URL: the embedded database is for development.'),
      secret: true,
    },
  ),
  databaseConnections: whole('DATABASE_CONNECTIONS', 10, 2, 1_000, {
    help: 'maximum number of connections of this process, 2 to 1000',
  }),
  mode: oneOf<Mode>('MODE', ['sandbox', 'live'], {
    help: '`sandbox` or `live`. The database keeps the mode of its first start and refuses the other',
    usual: 'none: it must be set (`grosz start` is a sandbox)',
    otherwise: () => new Wrong('must be set to sandbox or live.'),
  }),
  vaultKeys: new Setting('VAULT_KEYS', readVaultKeys, {
    help: '`id:base64 of 32 bytes`, separated by commas, each id once; the first encrypts, all decrypt',
    usual: '`DATA_DIR/vault.key`',
    otherwise: () => [],
    live: (keys) =>
      keys ? undefined : 'MODE=live needs VAULT_KEYS. Create one with: echo main:$(openssl rand -base64 32)',
    secret: true,
  }),
  /** Those that take new charges, in the order in which they are tried. */
  acquirers: new Setting<readonly AcquirerKind[]>('ACQUIRERS', readAcquirers, {
    help:
      'who takes new charges, in the order in which they are tried, separated by commas: `http` (an acquirer at ' +
      '`ACQUIRER_URL`), `simulator` (the simulated bank in this process, sandbox only), `stripe` ([stripe.md](stripe.md)). One that is set up and not listed ' +
      'is switched off: it goes on with what it began',
    usual: '`http` with `ACQUIRER_URL`, else `simulator`',
    otherwise: (given) => [given('ACQUIRER_URL') === undefined ? 'simulator' : 'http'],
    live: (text) =>
      text?.split(',').some((name) => name.trim() === 'simulator')
        ? 'MODE=live has no simulated bank: remove simulator from ACQUIRERS.'
        : undefined,
  }),
  /** An acquirer over HTTP; undefined: there is none. */
  acquirer: new Together(
    {
      url: new Setting(
        'ACQUIRER_URL',
        (url) => (hasScheme(/^https?:$/)(url) ? url : new Wrong('must be an http or https address.')),
        {
          help:
            'an acquirer with the protocol of [acquirer.md](acquirer.md); unset, and nothing in `ACQUIRERS`: the simulated ' +
            'bank in this process (sandbox only)',
          live: (url, given) =>
            url || given('ACQUIRERS')
              ? undefined
              : 'MODE=live needs ACQUIRER_URL and ACQUIRER_SECRET: there is no simulated bank in live mode.',
        },
      ),
      keys: new Setting<SigningKeys>('ACQUIRER_SECRET', (keys) => signingKeysFrom(keys) ?? noSigningKeys, {
        help: '`id:secret` of 32 characters or more, separated by commas; the first signs, all verify',
        otherwise: () => noSigningKeys,
        secret: true,
      }),
      /** Its name in the ledger. */
      name: fitting('ACQUIRER_NAME', 'acquirer', /^[\w.-]{1,64}$/, 'must be 1 to 64 letters, digits, or -._', {
        help: 'name of `http` in the ledger and in its rows: `acquirer:NAME:receivable`',
      }),
    },
    (given) => (given('ACQUIRER_URL') === undefined ? undefined : []),
  ),
  /** The connector of Stripe; undefined: it is not set up. */
  stripe: new Together(
    {
      secretKey: new Setting<Secret>(
        'STRIPE_SECRET_KEY',
        readAs(readSecretKey, 'must look like rk_test_... or sk_test_..., in live mode rk_live_... or sk_live_...'),
        {
          help:
            'key of the Stripe account, `rk_...` with the permissions of [stripe.md](stripe.md#permissions) or `sk_...`; a test ' +
            'key in the sandbox, a live key in live mode; unset: no Stripe',
          otherwise: () => new Wrong('must be set.'),
          secret: true,
        },
      ),
      webhookSecrets: new Setting<readonly Secret[]>(
        'STRIPE_WEBHOOK_SECRET',
        readAs(readWebhookSecrets, 'must be whsec_..., or two of them with a comma while one is replaced.'),
        {
          help: 'secret of the webhook endpoint, `whsec_...`; two with a comma while one is replaced; required with `STRIPE_SECRET_KEY`',
          otherwise: () => [],
          secret: true,
        },
      ),
      publishableKey: checked('STRIPE_PUBLISHABLE_KEY', isPublishableKey, 'must look like pk_test_... or pk_live_...', {
        help: 'key for the card fields, `pk_...`; unset: no card fields',
      }),
      apiUrl: new Setting<string | undefined>('STRIPE_API_URL', readAs(readLoopbackUrl, loopbackOnly), {
        help: 'address of a fake of Stripe on this machine ([fake-stripe.md](fake-stripe.md)); refused in live mode; unset: Stripe',
        live: sandboxOnly('STRIPE_API_URL'),
      }),
      scriptUrl: new Setting<string | undefined>('STRIPE_SCRIPT_URL', readAs(readLoopbackUrl, loopbackOnly), {
        help: 'address of its script for the card fields; refused in live mode',
        live: sandboxOnly('STRIPE_SCRIPT_URL'),
      }),
      rawCards: oneOf<'on' | 'off'>('STRIPE_RAW_CARDS', ['on', 'off'], {
        help: '`on`: the account may be sent card numbers',
        usual: '`off`',
        otherwise: () => 'off',
      }),
    },
    stripeFaults,
  ),
  /** The record of the simulated bank. */
  bankFile: path('BANK_FILE', {
    help: 'record of the simulated bank',
    usual: `\`DATA_DIR/${bankFile}\``,
    otherwise: (given) => join(dataDirOf(given), bankFile),
  }),
  /** Allowed notification URLs: https and public addresses, unless the operator allows more. */
  callbackPolicy: {
    allowHttp: developmentOnly('ALLOW_HTTP_CALLBACKS', {
      help: 'allow http notification URLs; refused in live mode',
      usual: '`false` (`true` in `grosz start`)',
    }),
    allowPrivate: developmentOnly('ALLOW_PRIVATE_CALLBACKS', {
      help: 'allow notifications to this machine and private networks; refused in live mode',
      usual: '`false` (`true` in `grosz start`)',
    }),
  },
  logLevel: oneOf<string>('LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
    help: '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`',
    usual: '`info`',
    otherwise: () => 'info',
  }),
  /** Per account, unless the account has its own limit. */
  requestsPerSecond: whole('REQUESTS_PER_SECOND', 10_000, 1, 1_000_000, {
    help: 'rate limit per account and node; an account may have its own (`account.requests_per_second`)',
  }),
  /** Maximum number of recurring charges per second, node and acquirer; undefined: what is usual for each. */
  chargesPerSecond: wholeOr<undefined>('CHARGES_PER_SECOND', [1, 100_000], {
    help: 'recurring charges per second and node that each acquirer is sent',
    usual: '`stripe` 20 (5 in the sandbox), `http` 500, `simulator` no limit',
    otherwise: () => undefined,
  }),
  /** How long a new refund can be held or canceled before it is sent to the bank. */
  refundDelaySeconds: whole('REFUND_DELAY_SECONDS', 5, 0, 86_400, {
    help: 'how long a new refund can be held or canceled before it goes to the bank, 0 to 86400',
  }),
  /** What `x5u` of signed notifications names; undefined: the certificates below `baseUrl`. */
  notificationCertificateUrl: new Setting<string | undefined>('NOTIFICATION_CERTIFICATE_URL', readCertificateUrl, {
    help: 'address in `x5u` of signed notifications, where you serve a copy of `BASE_URL/x509/notifications-jws.pem`; unset: that address itself',
    live: (given) =>
      given === undefined || /^https:/i.test(given)
        ? undefined
        : 'MODE=live needs an https NOTIFICATION_CERTIFICATE_URL: receivers trust what is there.',
  }),
  /** Minutes after midnight UTC; undefined: never. */
  reconcileAt: new Setting<number | undefined>('RECONCILE_AT', readTimeOfDay, {
    help: "when the books are compared with the acquirer's statement each day, hh:mm in UTC; `off`: never",
    usual: '04:00',
    otherwise: () => 4 * 60,
  }),
  /** Minutes; undefined: never. */
  verifyEvery: new Setting<number | undefined>('VERIFY_EVERY', readMinutesOrOff, {
    help: 'how many minutes after a verification of the books the next one begins, of what changed since, 5 to 1440; `off`: never',
    usual: '60',
    otherwise: () => 60,
  }),
  /** The mail server; undefined: no mail, except in the demo, which catches it. */
  mail: new Together(
    {
      smtpUrl: new Setting('SMTP_URL', readSmtpUrl, {
        help: '`smtp://user:password@host:587` or `smtps://...`; unset: no mail (the demo catches it)',
        secret: true,
      }),
      from: withOthers(
        'MAIL_FROM',
        'sender of mail, `Grosz <no-reply@example.com>`; mails to payers are from `SHOP via NAME` at this address; required with `SMTP_URL`',
      ),
    },
    (given) => {
      if (given('SMTP_URL') === undefined) return undefined;
      const sender = senderShape.test(given('MAIL_FROM') ?? '');
      return sender ? [] : ['SMTP_URL needs MAIL_FROM, such as Grosz <no-reply@example.com>.'];
    },
  ),
  /** Ids of the brands that the pay page takes and shows. */
  cardBrands: new Setting('CARD_BRANDS', readBrands, {
    help:
      `card brands that the acquirer takes, separated by commas: ${brandIds.map((id) => `\`${id}\``).join(', ')}. The pay page ` +
      'shows them, and refuses cards of the others before anything is sent; unset: all of them',
    otherwise: () => brandIds,
  }),
  /** Who runs the service, for the foot of the pay page. */
  operator: {
    name: optional('OPERATOR_NAME', {
      help: 'who runs the service, in the foot of the pay page and in the sender of mails to payers; unset: not shown',
    }),
    termsUrl: checked('OPERATOR_TERMS_URL', isHttpsUrl, 'must be an https address.', {
      help: 'https address of the terms, in the foot of the pay page',
    }),
    /** A URL, or a mail address. */
    support: checked(
      'OPERATOR_SUPPORT',
      (given) => isHttpsUrl(given) || isMailAddress(given),
      'must be an https address or a mail address.',
      {
        help: 'https or mail address where payers get help, in the foot of the pay page; mails about disputes name it to merchants',
      },
    ),
  },
  /** File paths, except for hosts and names. */
  wallet: {
    /** The roots that tokens must chain to; undefined: no token is accepted, except the sandbox's own. */
    roots: optional('WALLET_ROOTS', {
      help:
        'PEM file of the roots that wallet tokens must chain to; unset: no token is accepted, except those of the ' +
        'simulated vendor in the sandbox',
    }),
    /** Hosts where sessions may be requested. */
    hosts: new Setting('WALLET_VALIDATION_HOSTS', readValidationHosts, {
      help: 'hosts of the wallet vendor for E3: `host` or `host:port`, separated by commas',
      otherwise: () => [],
    }),
    tlsCa: optional('WALLET_TLS_CA', {
      help: "PEM file of roots for the vendor's TLS; unset: those of the system",
    }),
    /** What web payments need: all of it or nothing. */
    web: new Together(
      {
        identity: withOthers('WALLET_IDENTITY', 'PEM file with key and certificate for mutual TLS with the vendor'),
        merchantIdentifier: new Setting(
          'WALLET_MERCHANT_IDENTIFIER',
          (given) => (isMerchantIdentifier(given) ? given : new Wrong('must look like merchant.com.example.pay.')),
          { help: "the service's own merchant identifier, for payments on the web", otherwise: () => '' },
        ),
        processing: withOthers(
          'WALLET_PROCESSING',
          'PEM file with key and payment-processing certificate of that identifier',
        ),
        association: withOthers('WALLET_ASSOCIATION', 'domain-association file of that identifier'),
      },
      walletWebFaults,
    ),
    /** The vendor's own script for browsers. */
    script: checked('WALLET_SCRIPT', isScriptUrl, 'must be the https address of a script.', {
      help: "https address of the vendor's script, loaded by pay pages that offer the wallet; unset: none",
    }),
    /** The name of the session object in the vendor's script. */
    sessionObject: fitting(
      'WALLET_SESSION_OBJECT',
      'WalletSession',
      /^[A-Za-z_$][\w$]{0,63}$/,
      'must be a name as JavaScript allows it.',
      { help: "name of the vendor's session object in browsers" },
    ),
    /** Port where the simulated vendor validates merchants; 0: any free port. */
    vendorPort: wholeOr<number>('WALLET_VENDOR_PORT', [0, 65_535], {
      help: 'port of the simulated wallet vendor (sandbox); 0: a free one',
      usual: '`PORT` + 443',
      otherwise: (given) => (portOf(given) + vendorPortOffset > 65_535 ? 0 : portOf(given) + vendorPortOffset),
    }),
  },
  /** Per client address, for requests without a valid token. */
  addressRequestsPerSecond: whole('ADDRESS_REQUESTS_PER_SECOND', 1_000, 1, 1_000_000, {
    help:
      'rate limit per IP address (IPv6: per /64) and node for requests without a valid token, pages and callbacks of ' +
      'the acquirer',
  }),
  /** Whose X-Forwarded-For is trusted. */
  proxies: new Setting<TrustedProxies>('TRUST_PROXY', readProxies, {
    help:
      'whose `X-Forwarded-For` is trusted: the number of reverse proxies in front of the service (`1`), or their ' +
      'networks (`10.0.0.0/8,fd00::/8`). Set it behind a proxy, or all payers count as one address',
    usual: '0',
    otherwise: () => ({ hops: 0 }),
  }),
  /** Required for /metrics; undefined: public in the sandbox, not served in live mode. */
  metricsToken: new Setting<Secret | undefined>('METRICS_TOKEN', readMetricsToken, {
    help:
      'bearer token for `/metrics`, 16 characters or more. Unset: `serve` shows them to everyone in a sandbox and ' +
      'not at all in live mode; `work` shows them on `WORK_PORT`',
    secret: true,
  }),
} as const;
