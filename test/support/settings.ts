// Every setting in each mode: which values are accepted, and the message for those that are refused.

import { fileURLToPath } from 'node:url';
import type { Environment, Mode } from '../../src/config.ts';

/** What happens to a value: it is accepted, or refused with a message like this. */
type Outcome = 'taken' | RegExp;

interface Case {
  readonly value: string;
  readonly sandbox: Outcome;
  readonly live: Outcome;
}

const vaultKey = `k1:${'A'.repeat(43)}=`;

/** The minimum for each mode. */
export const least: Readonly<Record<Mode, Environment>> = {
  sandbox: { MODE: 'sandbox' },
  live: {
    MODE: 'live',
    BASE_URL: 'https://pay.example.com',
    DATABASE_URL: 'postgresql://grosz@127.0.0.1/grosz',
    VAULT_KEYS: vaultKey,
    ACQUIRER_URL: 'https://bank.example.com',
    ACQUIRER_SECRET: `k1:${'s'.repeat(32)}`,
  },
};

const unset = '';
const both = (value: string): Case => ({ value, sandbox: 'taken', live: 'taken' });
const neither = (value: string, why: RegExp): Case => ({ value, sandbox: why, live: why });
const notLive = (value: string, why: RegExp): Case => ({ value, sandbox: 'taken', live: why });

const development = /^MODE=live refuses ALLOW_\w+=true: it is for development\.$/;

/** A root of a simulated vendor: services are really opened with it. */
const roots = fileURLToPath(new URL('./roots.pem', import.meta.url));

const incompleteWallet = /^Wallet payments on the web also need WALLET_/;

const lonelyStripe = /also needs STRIPE_SECRET_KEY\.$/;

/** One row per setting; unset is tested for all of them. */
export const cases: Readonly<Record<string, readonly [Case, ...Case[]]>> = {
  PORT: [both(unset), both('3100'), neither('0', /^PORT must be/)],
  WORK_PORT: [both(unset), both('3101'), neither('x', /^WORK_PORT must be/)],
  HOST: [both(unset), both('0.0.0.0')],
  BASE_URL: [
    notLive(unset, /^MODE=live needs an https BASE_URL/),
    both('https://pay.example.com/here'),
    notLive('http://pay.example.com', /^MODE=live needs an https BASE_URL/),
    notLive('http://127.0.0.1:3000', /^MODE=live needs an https BASE_URL/),
    neither('pay.example.com', /BASE_URL/),
    // It is part of every URL that is given out.
    neither('https://grosz:password@pay.example.com', /^BASE_URL must be/),
    neither('https:/pay.example.com', /^BASE_URL must be/),
    neither('https://pay.example.com/?', /^BASE_URL must be/),
    neither('https://pay.example.com/a b', /^BASE_URL must be/),
  ],
  DATA_DIR: [both(unset), both('data')],
  DATABASE_URL: [
    notLive(unset, /^MODE=live needs DATABASE_URL/),
    both('postgresql://grosz@127.0.0.1/other'),
    neither('mysql://127.0.0.1/grosz', /^DATABASE_URL must look like/),
  ],
  DATABASE_CONNECTIONS: [both(unset), both('20'), neither('1', /^DATABASE_CONNECTIONS must be/)],
  MODE: [
    neither(unset, /^MODE must be set to sandbox or live\.$/),
    neither('demo', /^MODE must be one of sandbox, live/),
    neither('LIVE', /^MODE must be one of sandbox, live/),
  ],
  VAULT_KEYS: [
    notLive(unset, /^MODE=live needs VAULT_KEYS/),
    both(`${vaultKey},k2:${'B'.repeat(43)}=`),
    neither('k1:short', /^VAULT_KEYS must be/),
    // The key would be looked up by its id, and the other would not decrypt.
    neither(`${vaultKey},k1:${'B'.repeat(43)}=`, /^VAULT_KEYS has the id k1 twice/),
  ],
  ACQUIRERS: [
    both(unset),
    { value: 'http', sandbox: /^ACQUIRERS has http, which needs ACQUIRER_URL\.$/, live: 'taken' },
    notLive('simulator', /^MODE=live has no simulated bank: remove simulator from ACQUIRERS\.$/),
    neither('bank', /^ACQUIRERS must be a list of simulator, http.*; it has "bank"\./),
    neither('simulator,simulator', /^ACQUIRERS has a name twice\./),
  ],
  ACQUIRER_URL: [
    notLive(unset, /^MODE=live needs ACQUIRER_URL/),
    // With a secret, as in `least.live`; a sandbox has none.
    { value: 'https://other-bank.example.com', sandbox: /^ACQUIRER_SECRET must be/, live: 'taken' },
    neither('bank', /^ACQUIRER_URL must be/),
  ],
  ACQUIRER_SECRET: [
    { value: unset, sandbox: 'taken', live: /^ACQUIRER_SECRET must be/ },
    { value: 'k1:short', sandbox: 'taken', live: /^ACQUIRER_SECRET must be/ },
    { value: `k1:${'s'.repeat(32)},k1:${'t'.repeat(32)}`, sandbox: 'taken', live: /^ACQUIRER_SECRET must be/ },
  ],
  ACQUIRER_NAME: [both(unset), both('bank'), { value: 'a:b', sandbox: 'taken', live: /^ACQUIRER_NAME must be/ }],
  STRIPE_SECRET_KEY: [
    both(unset),
    neither('rk_test_key', /^STRIPE_SECRET_KEY must look like rk_test_/),
    neither('pk_test_a_publishable_key', /^STRIPE_SECRET_KEY must look like/),
    // With nothing else; which key fits which mode is in src/stripe/keys.test.ts.
    {
      value: 'rk_test_a_key_of_the_account',
      sandbox: /^STRIPE_SECRET_KEY needs STRIPE_WEBHOOK_SECRET/,
      live: /^MODE=live needs a live key in STRIPE_SECRET_KEY\.$|needs STRIPE_WEBHOOK_SECRET/,
    },
    {
      value: 'rk_live_a_key_of_the_account',
      sandbox: /^MODE=sandbox needs a test key in STRIPE_SECRET_KEY\.$|needs STRIPE_WEBHOOK_SECRET/,
      live: /^STRIPE_SECRET_KEY needs STRIPE_WEBHOOK_SECRET/,
    },
  ],
  STRIPE_WEBHOOK_SECRET: [both(unset), neither('whsec_a_secret_of_it', lonelyStripe)],
  STRIPE_PUBLISHABLE_KEY: [both(unset), neither('pk_test_a_publishable_key', lonelyStripe)],
  STRIPE_API_URL: [
    both(unset),
    { value: 'http://127.0.0.1:3020', sandbox: lonelyStripe, live: /also needs|^MODE=live refuses STRIPE_API_URL/ },
  ],
  STRIPE_SCRIPT_URL: [
    both(unset),
    {
      value: 'http://127.0.0.1:3020/x',
      sandbox: lonelyStripe,
      live: /also needs|^MODE=live refuses STRIPE_SCRIPT_URL/,
    },
  ],
  STRIPE_RAW_CARDS: [both(unset), neither('on', lonelyStripe)],
  BANK_FILE: [both(unset), both('bank.sqlite')],
  CHARGES_PER_SECOND: [both(unset), both('50'), neither('0', /^CHARGES_PER_SECOND must be/)],
  ALLOW_HTTP_CALLBACKS: [both(unset), both('false'), notLive('true', development), neither('1', /must be one of/)],
  ALLOW_PRIVATE_CALLBACKS: [both(unset), both('false'), notLive('true', development), neither('1', /must be one of/)],
  LOG_LEVEL: [both(unset), both('trace'), neither('loud', /^LOG_LEVEL must be/)],
  REQUESTS_PER_SECOND: [both(unset), both('1'), neither('0', /^REQUESTS_PER_SECOND must be/)],
  REFUND_DELAY_SECONDS: [both(unset), both('0'), neither('-1', /^REFUND_DELAY_SECONDS must be/)],
  RECONCILE_AT: [
    both(unset),
    both('23:59'),
    both('off'),
    neither('24:00', /^RECONCILE_AT must be a time such as 04:00, or off/),
    neither('4', /^RECONCILE_AT must be/),
  ],
  VERIFY_EVERY: [
    both(unset),
    both('5'),
    both('off'),
    neither('4', /^VERIFY_EVERY must be 5 to 1440 minutes, or off/),
    neither('60m', /^VERIFY_EVERY must be/),
  ],
  CARD_BRANDS: [
    both(unset),
    both('visa, mastercard'),
    neither('visa,elo', /^CARD_BRANDS must be a list of visa, mastercard/),
  ],
  OPERATOR_NAME: [both(unset), both('Payments Ltd')],
  NOTIFICATION_CERTIFICATE_URL: [
    both(unset),
    both('https://certs.example.com/grosz.pem'),
    notLive('http://certs.example.com/grosz.pem', /^MODE=live needs an https NOTIFICATION_CERTIFICATE_URL/),
    neither('certs.example.com', /^NOTIFICATION_CERTIFICATE_URL must be/),
    neither('https://user@certs.example.com/a', /^NOTIFICATION_CERTIFICATE_URL must be/),
    neither('https://certs.example.com/a?b=c', /^NOTIFICATION_CERTIFICATE_URL must be/),
  ],
  OPERATOR_TERMS_URL: [
    both(unset),
    both('https://pay.example.com/terms'),
    neither('terms', /^OPERATOR_TERMS_URL must be an https address/),
  ],
  OPERATOR_SUPPORT: [
    both(unset),
    both('help@example.com'),
    both('https://pay.example.com/help'),
    neither('nobody', /^OPERATOR_SUPPORT must be an https address or a mail address/),
  ],
  SMTP_URL: [both(unset), neither('smtp://127.0.0.1', /^SMTP_URL needs MAIL_FROM/), neither('mail', /^SMTP_URL must/)],
  MAIL_FROM: [both(unset), both('Grosz <no-reply@example.com>')],
  ADDRESS_REQUESTS_PER_SECOND: [both(unset), both('1'), neither('0', /^ADDRESS_REQUESTS_PER_SECOND must be/)],
  TRUST_PROXY: [
    both(unset),
    both('0'),
    both('2'),
    both('10.0.0.0/8, fd00::/8'),
    neither('true', /^TRUST_PROXY must be the number of reverse proxies/),
    neither('10.0.0.0/64', /^TRUST_PROXY must be/),
  ],
  METRICS_TOKEN: [both(unset), both('a-token-of-some-length'), neither('short', /^METRICS_TOKEN must have/)],
  WALLET_ROOTS: [both(unset), both(roots)],
  WALLET_VALIDATION_HOSTS: [
    both(unset),
    both('gateway.vendor.example, other.vendor.example:8443'),
    neither('https://gateway.vendor.example', /^WALLET_VALIDATION_HOSTS must be host or host:port/),
    neither('10.0.0.1', /^WALLET_VALIDATION_HOSTS must be/),
  ],
  WALLET_TLS_CA: [both(unset), both(roots)],
  WALLET_IDENTITY: [both(unset), neither('identity.pem', incompleteWallet)],
  WALLET_MERCHANT_IDENTIFIER: [both(unset), neither('merchant.com.example.pay', incompleteWallet)],
  WALLET_PROCESSING: [both(unset), neither('processing.pem', incompleteWallet)],
  WALLET_ASSOCIATION: [both(unset), neither('association', incompleteWallet)],
  WALLET_SCRIPT: [
    both(unset),
    both('https://vendor.example/sdk.js'),
    neither('http://vendor.example/sdk.js', /^WALLET_SCRIPT must be/),
    neither("https://vendor.example/a.js; script-src 'unsafe-inline'", /^WALLET_SCRIPT must be/),
  ],
  WALLET_SESSION_OBJECT: [both(unset), both('VendorSession'), neither('a b', /^WALLET_SESSION_OBJECT must be/)],
  WALLET_VENDOR_PORT: [both(unset), both('0'), both('4443'), neither('70000', /^WALLET_VENDOR_PORT must be/)],
};

export interface Tried {
  readonly name: string;
  readonly mode: Mode;
  readonly environment: Environment;
  readonly expected: Outcome;
}

/** Each value of each setting, added to the minimum for the mode. */
export const tries: readonly Tried[] = Object.entries(cases).flatMap(([name, rows]) =>
  rows.flatMap((row) =>
    (['sandbox', 'live'] as const).map((mode) => ({
      name,
      mode,
      environment: { ...least[mode], [name]: row.value },
      expected: row[mode],
    })),
  ),
);
