// The PaymentIntent of a charge: finding its row, asking for its state, and what a state means for the charge.

import type { Stripe } from 'stripe';
import type { FindAnswer } from '../acquirer/index.ts';
import type { Allowance, Outcome } from './line.ts';
import { type Decline, type StripeTools, unknown } from './model.ts';
import { furthest, type IntentState, mayBeForgotten, readIntent } from './rules.ts';
import { type ChargeRow, findCharge, updateDeclined, upsertAdopted } from './store.ts';

/** What is known about a charge; `idle`: its confirmation has not arrived. */
export type Known = Exclude<FindAnswer, { kind: 'notFound' } | { kind: 'notReached' }> | { readonly kind: 'idle' };

/** The row of a charge that has an intent. */
export type SentRow = ChargeRow & { readonly providerId: string };

export function hasIntent(row: ChargeRow | undefined): row is SentRow {
  return row !== undefined && row.providerId !== null;
}

export type Sought = { readonly kind: 'row'; readonly row: ChargeRow | undefined } | { readonly kind: 'unknown' };

/**
 * The row of a key. Without an intent, an old key may be one that a restored database has lost: the provider is searched
 * for it, and what is found is adopted.
 */
export async function seek(tools: StripeTools, key: string, time: Allowance): Promise<Sought> {
  const row = await findCharge(tools.db.sql, key);
  if (hasIntent(row) || !mayBeForgotten(key, tools.clock.now())) return { kind: 'row', row };
  const found = await search(tools, key, time);
  if (found.kind !== 'done') return unknown;
  const intent = furthest(found.value);
  if (!intent) return { kind: 'row', row };
  return { kind: 'row', row: await adopt(tools, key, intent) };
}

const searchable = /^[\w.:-]{1,128}$/;

/** Only for what is older than an hour: younger objects may be missing from the provider's index. */
export async function search(
  tools: StripeTools,
  key: string,
  time: Allowance,
): Promise<Outcome<readonly Stripe.PaymentIntent[]>> {
  if (!searchable.test(key)) return { kind: 'done', value: [] };
  const query = `metadata['grosz_key']:'${key}' AND metadata['grosz_installation']:'${tools.installation}'`;
  const found = await tools.line.ask({
    endpoint: 'GET /v1/payment_intents/search',
    time,
    run: (stripe, options) => stripe.paymentIntents.search({ query, limit: 20 }, options),
  });
  if (found.kind !== 'done') return found;
  return { kind: 'done', value: found.value.data.filter((intent) => isOurs(tools, intent)) };
}

type WithMetadata = { readonly metadata: Stripe.Metadata | null };

/** Whether an object was made by this installation. */
export function isOurs({ installation }: Pick<StripeTools, 'installation'>, { metadata }: WithMetadata): boolean {
  return metadata?.grosz_installation === installation && Boolean(metadata.grosz_key);
}

/**
 * Whether an object was made for this key. Our row names its id, but rows can be exchanged behind our back; what the
 * provider wrote down when the object was made cannot.
 */
export function isOf(tools: Pick<StripeTools, 'installation'>, object: WithMetadata, key: string): boolean {
  return isOurs(tools, object) && object.metadata?.grosz_key === key;
}

export async function adopt(tools: StripeTools, key: string, intent: Stripe.PaymentIntent): Promise<ChargeRow> {
  const { db, log, account, clock } = tools;
  log.warn({ key }, 'a charge that the database did not have was found at the provider');
  return upsertAdopted(db.sql, {
    key,
    account,
    amountMinor: BigInt(intent.amount),
    currency: 'PLN',
    merchant: intent.metadata.grosz_merchant ?? '',
    method: null,
    createdAt: clock.now(),
    providerId: intent.id,
  });
}

export function getIntent({ line }: StripeTools, id: string, time: Allowance): Promise<Outcome<Stripe.PaymentIntent>> {
  return line.ask({
    endpoint: 'GET /v1/payment_intents/:id',
    time,
    run: (stripe, options) => stripe.paymentIntents.retrieve(id, {}, options),
  });
}

/** Asks for the intent of a charge, and settles what it says. */
export async function look(tools: StripeTools, row: SentRow, time: Allowance): Promise<Known> {
  const found = await getStored(tools, row.key, row.providerId, time);
  return found.kind === 'done' ? settle(tools, row, found.value, time) : unknown;
}

/** Asks for an intent whose id is stored under a key. If the provider does not know it, something is wrong. */
export async function getStored(
  tools: StripeTools,
  key: string,
  id: string,
  time: Allowance,
): Promise<Outcome<Stripe.PaymentIntent>> {
  const found = await getIntent(tools, id, time);
  if (found.kind === 'refused') alarm(tools, key, `${found.refused.status} ${found.refused.code ?? ''}`);
  return found;
}

/** What must not happen: the key is of another account or mode, or the object is none that our requests lead to. */
export function alarm({ log, account }: StripeTools, key: string, why: string): void {
  log.error({ key, account, why }, 'the provider says about a stored object what cannot be');
}

/** What an intent means for its charge. A decline is stored, and the intent canceled, so that nothing can follow it. */
export async function settle(
  tools: StripeTools,
  row: SentRow,
  intent: Stripe.PaymentIntent,
  time: Allowance,
): Promise<Known> {
  if (intent.livemode !== tools.live || intent.id !== row.providerId || !isOf(tools, intent, row.key)) {
    alarm(tools, row.key, 'an intent of another mode, or of another charge');
    return unknown;
  }
  const state = readIntent(intent);
  switch (state.kind) {
    case 'approved':
    case 'waiting':
    case 'idle':
      return state;
    case 'failed':
      return decline(tools, row, state.decline, time);
    case 'canceled':
      return ended(row, state);
    case 'strange':
      alarm(tools, row.key, state.what);
      return unknown;
  }
}

/** A canceled intent: declined before, or canceled by us, or by a person at the provider. */
function ended(row: ChargeRow, { decline }: IntentState & { readonly kind: 'canceled' }): Known {
  const reason = row.declineReason ?? decline?.reason;
  return reason ? { kind: 'declined', reason } : { kind: 'canceled' };
}

/**
 * Declined: stored first, so that nothing confirms it again, then canceled at the provider. If that one was paid all the
 * same, that counts.
 */
export async function decline(tools: StripeTools, row: SentRow, declined: Decline, time: Allowance): Promise<Known> {
  const stored = await updateDeclined(tools.db.sql, row.key, declined, tools.clock.now());
  const canceled = await cancelIntent(tools, row, time);
  const intent = canceled.kind === 'refused' ? canceled.refused.intent : undefined;
  const state = intent && readIntent(intent);
  if (state?.kind === 'approved') return state;
  return { kind: 'declined', reason: stored.declineReason ?? declined.reason };
}

/** Of an intent that was seen to be this charge's. A cancel is harmless to repeat, so each has a key of its own: the provider would repeat a failure for a day. */
export function cancelIntent(
  { line, ids, installation }: StripeTools,
  { key, providerId }: SentRow,
  time: Allowance,
): Promise<Outcome<Stripe.PaymentIntent>> {
  return line.ask({
    endpoint: 'POST /v1/payment_intents/:id/cancel',
    time,
    idempotencyKey: `${installation}:${key}:cancel:${ids.ulid()}`,
    run: (stripe, options) => stripe.paymentIntents.cancel(providerId, {}, options),
  });
}
