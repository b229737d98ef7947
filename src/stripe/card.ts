// Cards of the provider's own fields: which card a token stands for, and the card or BLIK that an earlier charge has kept.

import type { CardFields, ChargeRequest, TokenAnswer, TokenRequest } from '../acquirer/index.ts';
import type { Secret } from '../kernel/index.ts';
import { alarm, getStored, hasIntent, isOf, seek } from './intents.ts';
import { Allowance } from './line.ts';
import { type StripeTools, unknown } from './model.ts';
import { tokenEndpoint } from './pace.ts';
import { readSaved, readToken, type SavedCard } from './rules.ts';
import { type ChargeRow, findCharge, listAliasCharges } from './store.ts';

/** The provider's script is of the version of the API that we ask; it is never served by anybody else. */
const script = 'https://js.stripe.com/endive/stripe.js';
const origins: CardFields['origins'] = {
  scripts: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  frames: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  requests: ['https://api.stripe.com'],
};

/** `scriptUrl`: that of a fake, which has everything at one origin. */
export function cardFieldsOf(publicKey: string, scriptUrl: string | undefined): CardFields {
  if (scriptUrl === undefined) return { kind: 'stripe', script, publicKey, origins };
  const { origin } = new URL(scriptUrl);
  return {
    kind: 'stripe',
    script: scriptUrl,
    publicKey,
    origins: { scripts: [origin], frames: [origin], requests: [origin] },
  };
}

/** The provider is not asked about anything that cannot be a token. */
export function isToken(token: Secret): boolean {
  return /^ctoken_\w{1,255}$/.test(token.reveal());
}

/** Only for what can be a token. Nothing is charged, and the token stays as it is. */
export async function findToken(
  tools: StripeTools,
  { token, deadlineMilliseconds }: TokenRequest,
): Promise<TokenAnswer> {
  const found = await tools.line.ask({
    endpoint: tokenEndpoint,
    time: new Allowance(deadlineMilliseconds),
    run: (stripe, options) => stripe.confirmationTokens.retrieve(token.reveal(), {}, options),
  });
  switch (found.kind) {
    case 'done':
      return readToken(found.value, tools.live);
    case 'refused':
      return { kind: 'refused' };
    case 'never':
      return { kind: 'notReached' };
    default:
      return unknown;
  }
}

export type SavedAnswer =
  | { readonly kind: 'found'; readonly card: SavedCard }
  /** The charge was not paid, is another merchant's, or its card was not kept. */
  | { readonly kind: 'none' }
  /** It cannot be known now, or the provider says something impossible about its id. */
  | { readonly kind: 'unknown' };

/** What the provider wrote down when the charge was paid, not what a row of ours says. */
export async function findSaved(
  tools: StripeTools,
  { merchant }: ChargeRequest,
  chargeKey: string,
  time: Allowance,
): Promise<SavedAnswer> {
  const row = await rowOf(tools, chargeKey, time);
  if (row === 'unknown') return unknown;
  if (!row || !hasIntent(row)) return { kind: 'none' };
  const found = await getStored(tools, chargeKey, row.providerId, time);
  if (found.kind !== 'done') return unknown;
  const intent = found.value;
  if (intent.livemode !== tools.live || !isOf(tools, intent, chargeKey)) {
    alarm(tools, chargeKey, 'an intent of another mode, or of another charge');
    return unknown;
  }
  const isTheirs = intent.metadata.grosz_merchant === merchant;
  const card = isTheirs ? readSaved(intent) : undefined;
  return card ? { kind: 'found', card } : { kind: 'none' };
}

const aliasPurpose = 'stripe alias';
/** A payer who agreed again counts by the last time that was paid. */
const aliasesAtOnce = 3;

export function aliasMacOf({ vault }: Pick<StripeTools, 'vault'>, alias: Secret): string {
  return vault.mac(alias.reveal(), aliasPurpose);
}

/** BLIK that a payer of this merchant let be kept under a name. */
export async function findAlias(
  tools: StripeTools,
  request: ChargeRequest,
  alias: Secret,
  time: Allowance,
): Promise<SavedAnswer> {
  const macs = tools.vault.macs(alias.reveal(), aliasPurpose);
  for (const key of await listAliasCharges(tools.db.sql, request.merchant, macs, aliasesAtOnce)) {
    const saved = await findSaved(tools, request, key, time);
    if (saved.kind !== 'none') return saved;
  }
  return { kind: 'none' };
}

async function rowOf(tools: StripeTools, key: string, time: Allowance): Promise<ChargeRow | undefined | 'unknown'> {
  const known = await findCharge(tools.db.sql, key);
  if (hasIntent(known)) return known;
  const sought = await seek(tools, key, time);
  return sought.kind === 'unknown' ? 'unknown' : sought.row;
}

/** `isKept`: the provider repeats its failure for a day; another try has another key. */
export type CustomerAnswer =
  | { readonly kind: 'made'; readonly customer: string }
  | { readonly kind: 'notMade'; readonly isKept: boolean };

/** Only a customer of the provider can keep a card; it has nothing of the payer. One that nobody remembers does nothing. */
export async function makeCustomer(
  { line, installation }: StripeTools,
  { key, createTry }: ChargeRow,
  merchant: string,
  time: Allowance,
): Promise<CustomerAnswer> {
  const metadata = {
    grosz_key: key,
    grosz_kind: 'customer',
    grosz_merchant: merchant,
    grosz_installation: installation,
  };
  const made = await line.ask({
    endpoint: 'POST /v1/customers',
    time,
    idempotencyKey: `${installation}:${key}:customer:${createTry}`,
    run: (stripe, options) => stripe.customers.create({ metadata }, options),
  });
  if (made.kind === 'done') return { kind: 'made', customer: made.value.id };
  return { kind: 'notMade', isKept: made.kind === 'failed' || made.kind === 'refused' };
}
