// A refund has no draft, so what was sent is listed before anything is sent: by the intent, matched by our key.

import type { Stripe } from 'stripe';
import type { FindAnswer, KeyRequest, RefundAnswer, RefundRequest } from '../acquirer/index.ts';
import { money } from '../kernel/index.ts';
import { codeOf, refundWhy } from './declines.ts';
import { alarm, getStored, hasIntent, isOf, seek } from './intents.ts';
import { Allowance, type Outcome, type Refused } from './line.ts';
import { type RefundDecline, type StripeTools, unknown } from './model.ts';
import { readRefund } from './rules.ts';
import {
  findCharge,
  findRefund as findRefundRow,
  insertRefund,
  type RefundRow,
  updateRefundDeclined,
  updateRefundIntent,
  updateRefundProvider,
  updateRefundSucceeded,
  updateSendTry,
} from './store.ts';

/** What is known about a refund. `returned`: it was reported as paid, and the money came back. */
export type RefundKnown =
  | { readonly kind: 'approved' }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'declined'; readonly why: RefundDecline['why'] }
  | { readonly kind: 'returned' }
  /** What was found is of another refund: it says nothing about this one. */
  | { readonly kind: 'unknown' };

type WithIntent = RefundRow & { readonly intentId: string };

export async function refund(tools: StripeTools, request: RefundRequest): Promise<RefundAnswer> {
  const { key, chargeKey, amount, deadlineMilliseconds } = request;
  const time = new Allowance(deadlineMilliseconds);
  const row = await insertRefund(tools.db.sql, {
    key,
    chargeKey,
    amountMinor: amount.minor,
    currency: amount.currency,
    createdAt: tools.clock.now(),
  });
  if (row.declineWhy) return { kind: 'declined', why: row.declineWhy };
  const intentId = row.intentId ?? (await intentOf(tools, row, time));
  if (intentId === undefined) return unknown;
  const withIntent = { ...row, intentId };
  const sent = await findSent(tools, withIntent, time);
  if (sent.kind === 'unknown') return unknown;
  if (sent.refund) return answerOf(await settleRefund(tools, row.key, sent.refund));
  if (!(await mayBeSent(tools, request, withIntent, time))) return unknown;
  return send(tools, withIntent, time);
}

/** The last look before money goes back: the row is what is asked for, and the intent is that of the charge. */
async function mayBeSent(
  tools: StripeTools,
  { key, chargeKey, amount }: RefundRequest,
  row: WithIntent,
  time: Allowance,
): Promise<boolean> {
  if (row.chargeKey !== chargeKey || row.amountMinor !== amount.minor || row.currency !== amount.currency) {
    alarm(tools, key, 'a refund of another charge or amount than was written down');
    return false;
  }
  const found = await getStored(tools, key, row.intentId, time);
  if (found.kind !== 'done') return false;
  if (found.value.livemode === tools.live && isOf(tools, found.value, chargeKey)) return true;
  alarm(tools, key, 'a refund of an intent of another charge');
  return false;
}

/** The intent of the charge; undefined if it cannot be told now. A charge that is refunded is somewhere. */
async function intentOf(tools: StripeTools, row: RefundRow, time: Allowance): Promise<string | undefined> {
  const sought = await seek(tools, row.chargeKey, time);
  if (sought.kind === 'unknown') return undefined;
  if (!hasIntent(sought.row)) {
    alarm(tools, row.key, 'a refund of a charge that is not known');
    return undefined;
  }
  await updateRefundIntent(tools.db.sql, row.key, sought.row.providerId);
  return sought.row.providerId;
}

type Sent = { readonly kind: 'listed'; readonly refund: Stripe.Refund | undefined } | { readonly kind: 'unknown' };

const pageSize = 100;

async function findSent(tools: StripeTools, { key, intentId, providerId }: WithIntent, time: Allowance): Promise<Sent> {
  if (providerId !== null) {
    const found = await getRefund(tools, providerId, time);
    if (found.kind === 'refused') alarm(tools, key, `${found.refused.status} ${found.refused.code ?? ''}`);
    return found.kind === 'done' ? { kind: 'listed', refund: found.value } : unknown;
  }
  for (let after: string | undefined; ; ) {
    const page = await listRefunds(tools, intentId, after, time);
    if (page.kind === 'refused') alarm(tools, key, `${page.refused.status} ${page.refused.code ?? ''}`);
    if (page.kind !== 'done') return unknown;
    const { data, has_more: more } = page.value;
    const found = data.find((one) => isOf(tools, one, key));
    if (found || !more) return { kind: 'listed', refund: found };
    after = data.at(-1)?.id;
  }
}

function listRefunds({ line }: StripeTools, intentId: string, after: string | undefined, time: Allowance) {
  return line.ask({
    endpoint: 'GET /v1/refunds',
    time,
    run: (stripe, options) =>
      stripe.refunds.list(
        { payment_intent: intentId, limit: pageSize, ...(after !== undefined && { starting_after: after }) },
        options,
      ),
  });
}

export function getRefund({ line }: StripeTools, id: string, time: Allowance): Promise<Outcome<Stripe.Refund>> {
  return line.ask({
    endpoint: 'GET /v1/refunds/:id',
    time,
    run: (stripe, options) => stripe.refunds.retrieve(id, {}, options),
  });
}

async function send(tools: StripeTools, row: WithIntent, time: Allowance): Promise<RefundAnswer> {
  const { line, installation, db } = tools;
  const charge = await findCharge(db.sql, row.chargeKey);
  const params: Stripe.RefundCreateParams = {
    payment_intent: row.intentId,
    amount: Number(row.amountMinor),
    metadata: {
      grosz_key: row.key,
      grosz_kind: 'refund',
      ...(charge?.merchant && { grosz_merchant: charge.merchant }),
      grosz_installation: installation,
      // For the statement, which names the refund only.
      grosz_charge: row.chargeKey,
    },
  };
  const sent = await line.ask({
    endpoint: 'POST /v1/refunds',
    time,
    idempotencyKey: `${installation}:${row.key}:refund:${row.sendTry}`,
    run: (stripe, options) => stripe.refunds.create(params, options),
  });
  switch (sent.kind) {
    case 'done':
      return answerOf(await settleRefund(tools, row.key, sent.value));
    case 'refused':
      return refusedAtSend(tools, row, sent.refused, time);
    case 'never':
      return { kind: 'notReached' };
    case 'failed':
      return failedAtSend(tools, row, time);
    case 'forbidden':
    case 'lost':
      return unknown;
  }
}

/**
 * The provider repeats this failure under its key, so another key is needed; but only if the list says that nothing was
 * done. After a request that was merely lost the key stays: it may still be on its way.
 */
async function failedAtSend(tools: StripeTools, row: WithIntent, time: Allowance): Promise<RefundAnswer> {
  const sent = await findSent(tools, row, time);
  if (sent.kind === 'unknown') return unknown;
  if (sent.refund) return answerOf(await settleRefund(tools, row.key, sent.refund));
  await updateSendTry(tools.db.sql, row);
  return unknown;
}

async function refusedAtSend(
  tools: StripeTools,
  row: WithIntent,
  refused: Refused,
  time: Allowance,
): Promise<RefundAnswer> {
  if (refused.status === 404) {
    alarm(tools, row.key, '404');
    return unknown;
  }
  // Somebody else's request with this key, or one of ours that nobody heard of: it is in the list by now, or it never came.
  const sent = await findSent(tools, row, time);
  if (sent.kind === 'unknown') return unknown;
  if (sent.refund) return answerOf(await settleRefund(tools, row.key, sent.refund));
  if (refused.type === 'idempotency_error') return unknown;
  return answerOf(await declineRefund(tools, row.key, { why: refundWhy(refused.code), code: codeOf(refused) }));
}

async function declineRefund(tools: StripeTools, key: string, declined: RefundDecline): Promise<RefundKnown> {
  const stored = await updateRefundDeclined(tools.db.sql, key, declined, tools.clock.now());
  return stored ? { kind: 'declined', why: stored.declineWhy ?? declined.why } : { kind: 'returned' };
}

/** What the provider's refund means for ours. Before it is said that it was paid, that is stored. */
export async function settleRefund(tools: StripeTools, key: string, found: Stripe.Refund): Promise<RefundKnown> {
  if (!isOf(tools, found, key)) {
    alarm(tools, key, 'another refund');
    return unknown;
  }
  const state = readRefund(found);
  await updateRefundProvider(tools.db.sql, key, found.id);
  if (state.kind === 'failed') return declineRefund(tools, key, state.decline);
  if (state.kind === 'waiting') return { kind: 'waiting' };
  const stored = await updateRefundSucceeded(tools.db.sql, key, tools.clock.now());
  if (!stored) alarm(tools, key, 'a refund that was declined is paid');
  return { kind: 'approved' };
}

/**
 * Money that came back went out before: whoever asks again is told so; the way back is told by the events and the
 * statement.
 */
function answerOf(known: RefundKnown): RefundAnswer {
  return known.kind === 'returned' ? { kind: 'approved' } : known;
}

export async function findRefund(tools: StripeTools, { key, deadlineMilliseconds }: KeyRequest): Promise<FindAnswer> {
  const time = new Allowance(deadlineMilliseconds);
  const row = await findRefundRow(tools.db.sql, key);
  // Sending lists before it sends, so nothing is lost if a restored database does not have it.
  if (!row) return { kind: 'notFound' };
  if (row.declineWhy) return declinedFor(row.declineWhy);
  const intentId = row.intentId ?? (await intentOf(tools, row, time));
  if (intentId === undefined) return unknown;
  const sent = await findSent(tools, { ...row, intentId }, time);
  if (sent.kind === 'unknown') return unknown;
  if (!sent.refund) return { kind: 'notFound' };
  const known = await settleRefund(tools, key, sent.refund);
  switch (known.kind) {
    case 'declined':
      return declinedFor(known.why);
    case 'waiting':
      return { kind: 'waiting', link: null };
    case 'approved':
    case 'returned':
      return { kind: 'approved', amount: money(BigInt(sent.refund.amount), 'PLN') };
    case 'unknown':
      return unknown;
  }
}

function declinedFor(why: RefundDecline['why']): FindAnswer {
  return { kind: 'declined', reason: why === 'no_funds' ? 'insufficient funds' : 'instrument rejected', why };
}
