// A charge, in steps that may each be the last one of a process: the row, the intent, its id, the mark, the confirmation.
// The intent's id is what makes it happen once: an intent is paid at most once, and only its confirmation moves money.

import type { Stripe } from 'stripe';
import type { ChargeAnswer, ChargeRequest } from '../acquirer/index.ts';
import { aliasMacOf, type CustomerAnswer, findAlias, findSaved, makeCustomer } from './card.ts';
import { codeOf, reasonOf } from './declines.ts';
import { bySaved, type Confirmation, confirmationOf, type Fitting } from './instrument.ts';
import {
  alarm,
  cancelIntent,
  decline,
  hasIntent,
  isOf,
  type Known,
  look,
  type SentRow,
  seek,
  settle,
} from './intents.ts';
import { Allowance, type Refused } from './line.ts';
import { type Decline, type StripeTools, unknown } from './model.ts';
import { descriptionOf } from './rules.ts';
import {
  type ChargeRow,
  findCharge,
  insertCharge,
  updateConfirmSent,
  updateConfirmTry,
  updateCreateTry,
  updateDeclined,
  updateProvider,
} from './store.ts';

const notReached = { kind: 'notReached' } as const;

export async function charge(tools: StripeTools, request: ChargeRequest): Promise<ChargeAnswer> {
  const time = new Allowance(request.deadlineMilliseconds);
  const asked = confirmationOf(request, tools);
  const begun = await begin(tools, request, asked, time);
  if (begun.kind !== 'row') return begun;
  const { row } = begun;
  // It was begun before, by a process that died or whose answer was lost, perhaps with other settings.
  if (hasIntent(row)) {
    const known = await look(tools, row, time);
    if (known.kind !== 'idle') return answerOf(known);
  }
  if (asked.kind === 'refused') return refuse(tools, row, asked, time);
  const ready = await readyOf(tools, request, asked, time);
  // Nothing was sent now; what was sent before is found by its intent.
  if (ready.kind === 'unknown') return hasIntent(row) ? unknown : notReached;
  if (ready.kind === 'none') {
    const code = asked.kind === 'alias' ? 'grosz_alias' : 'grosz_saved_card';
    return refuse(tools, row, { reason: 'instrument rejected', code }, time);
  }
  const { confirmation } = ready;
  const created = hasIntent(row) ? row : await create(tools, row, { request, ...ready, time });
  if ('kind' in created) return created;
  const at = tools.clock.now();
  const marked = await updateConfirmSent(tools.db.sql, created.key, at);
  // Canceled in between.
  if (!hasIntent(marked)) return { kind: 'declined', reason: 'internal error' };
  const answer = answerOf(await confirm(tools, marked, confirmation, time));
  // An earlier confirmation may be on its way, whatever became of this one.
  const isFirst = created.confirmSentAt === null && marked.confirmSentAt?.equals(at) === true;
  return answer.kind === 'notReached' && !isFirst ? unknown : answer;
}

type Ready =
  | { readonly kind: 'ready'; readonly confirmation: Fitting; readonly customer?: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown' };

/** What was kept is looked up first: whose it is, and under which name it is charged. */
async function readyOf(
  tools: StripeTools,
  request: ChargeRequest,
  asked: Exclude<Confirmation, { kind: 'refused' }>,
  time: Allowance,
): Promise<Ready> {
  if (asked.kind === 'fits') return { kind: 'ready', confirmation: asked };
  const saved =
    asked.kind === 'saved'
      ? await findSaved(tools, request, asked.chargeKey, time)
      : await findAlias(tools, request, asked.value, time);
  if (saved.kind !== 'found') return saved;
  const { customer, paymentMethod } = saved.card;
  const params = () => bySaved(paymentMethod);
  return { kind: 'ready', confirmation: { kind: 'fits', method: asked.method, params }, customer };
}

type Begun = { readonly kind: 'row'; readonly row: ChargeRow } | Exclude<ChargeAnswer, { kind: 'approved' }>;

/** The row, before anything is sent; a charge that was decided before is answered from it. */
async function begin(
  tools: StripeTools,
  request: ChargeRequest,
  confirmation: Confirmation,
  time: Allowance,
): Promise<Begun> {
  const { key, amount, merchant } = request;
  const sought = await seek(tools, key, time);
  // Nothing was sent, but an earlier request may have been: by a database that this one is a copy of.
  if (sought.kind === 'unknown') return unknown;
  const row =
    sought.row ??
    (await insertCharge(tools.db.sql, {
      key,
      account: tools.account,
      amountMinor: amount.minor,
      currency: amount.currency,
      merchant,
      method: confirmation.kind === 'refused' ? null : confirmation.method,
      aliasMac: confirmation.kind === 'fits' && confirmation.alias ? aliasMacOf(tools, confirmation.alias) : null,
      createdAt: tools.clock.now(),
    })) ??
    (await findCharge(tools.db.sql, key));
  if (!row) return notReached;
  if (row.declineReason) return { kind: 'declined', reason: row.declineReason };
  if (row.canceledAt && !hasIntent(row)) return { kind: 'declined', reason: 'internal error' };
  return { kind: 'row', row };
}

/**
 * Declines before anything is sent. If there is an intent, it is canceled first: an earlier confirmation may be on its
 * way.
 */
async function refuse(tools: StripeTools, row: ChargeRow, declined: Decline, time: Allowance): Promise<ChargeAnswer> {
  const canceled = hasIntent(row) ? await cancelIntent(tools, row, time) : undefined;
  if (hasIntent(row) && canceled?.kind === 'refused') return answerOf(await look(tools, row, time));
  if (canceled && canceled.kind !== 'done') return unknown;
  const { reason, code } = declined;
  const stored = await updateDeclined(tools.db.sql, row.key, { reason, code }, tools.clock.now());
  return { kind: 'declined', reason: stored.declineReason ?? reason };
}

interface Creating {
  readonly request: ChargeRequest;
  readonly confirmation: Fitting;
  /** Whose card it is, at the provider. */
  readonly customer?: string;
  readonly time: Allowance;
}

/** The intent, unconfirmed: it can be repeated, and one that nobody remembers does nothing. */
async function create(
  tools: StripeTools,
  row: ChargeRow,
  creating: Creating,
): Promise<SentRow | Exclude<ChargeAnswer, { kind: 'approved' }>> {
  const { line, installation, db } = tools;
  const customer = await customerOf(tools, row, creating);
  if (customer.kind === 'notMade') {
    if (customer.isKept) await updateCreateTry(db.sql, row);
    return notReached;
  }
  const made = await line.ask({
    endpoint: 'POST /v1/payment_intents',
    time: creating.time,
    idempotencyKey: `${installation}:${row.key}:create:${row.createTry}`,
    run: (stripe, options) => stripe.paymentIntents.create(intentOf(tools, { ...creating, ...customer }), options),
  });
  if (made.kind === 'refused' && made.refused.type !== 'idempotency_error') {
    const declined = { reason: reasonOf(made.refused), code: codeOf(made.refused) };
    const answer = await refuse(tools, row, declined, creating.time);
    return answer.kind === 'approved' ? unknown : answer;
  }
  if (made.kind !== 'done') {
    if (made.kind === 'failed' || made.kind === 'refused') await updateCreateTry(db.sql, row);
    return notReached;
  }
  if (made.value.livemode !== tools.live || !isOf(tools, made.value, row.key)) {
    alarm(tools, row.key, 'an intent of another mode, or of another charge');
    return notReached;
  }
  const stored = (await updateProvider(db.sql, row.key, made.value.id)) ?? (await findCharge(db.sql, row.key));
  return hasIntent(stored) ? stored : { kind: 'declined', reason: stored?.declineReason ?? 'internal error' };
}

/** A card is kept for a customer, who is made for it. */
async function customerOf(
  tools: StripeTools,
  row: ChargeRow,
  { request, confirmation, customer, time }: Creating,
): Promise<CustomerAnswer | { readonly kind: 'made' }> {
  if (confirmation.saves) return makeCustomer(tools, row, request.merchant, time);
  return { kind: 'made', ...(customer !== undefined && { customer }) };
}

function intentOf(tools: StripeTools, { request, confirmation, customer }: Creating): Stripe.PaymentIntentCreateParams {
  const description = descriptionOf(request.description);
  return {
    amount: Number(request.amount.minor),
    currency: request.amount.currency.toLowerCase(),
    allowed_payment_method_types: [confirmation.method],
    // The line of the balance is there when the answer is.
    capture_method: 'automatic',
    ...(description !== undefined && { description }),
    ...(customer !== undefined && { customer }),
    ...(confirmation.saves && { setup_future_usage: 'off_session' as const }),
    metadata: {
      grosz_key: request.key,
      grosz_kind: 'charge',
      grosz_merchant: request.merchant,
      grosz_installation: tools.installation,
    },
  };
}

/** The only request that moves money, and the only one with what the payer pays with. */
async function confirm(
  tools: StripeTools,
  row: SentRow,
  { params }: Fitting,
  time: Allowance,
): Promise<Known | typeof notReached> {
  const { line, installation, db } = tools;
  const confirmed = await line.ask({
    endpoint: 'POST /v1/payment_intents/:id/confirm',
    time,
    idempotencyKey: `${installation}:${row.key}:confirm:${row.confirmTry}`,
    run: (stripe, options) => stripe.paymentIntents.confirm(row.providerId, params(), options),
  });
  switch (confirmed.kind) {
    case 'done':
      return settle(tools, row, confirmed.value, time);
    case 'never':
      return notReached;
    case 'refused':
      return refusedAtConfirm(tools, row, confirmed.refused, time);
    case 'failed':
      // The intent still allows one payment only: another key asks again, instead of repeating the failure for a day.
      await updateConfirmTry(db.sql, row);
      return unknown;
    case 'forbidden':
    case 'lost':
      return unknown;
  }
}

/** Parameters with what the payer pays with: when it is gone at the provider, nothing is wrong with the intent. */
const ofThePayer = new Set<string | undefined>(['confirmation_token', 'payment_method', 'customer']);

/** A decline, a state that another confirmation has led to, or a request that the provider does not take. */
async function refusedAtConfirm(tools: StripeTools, row: SentRow, refused: Refused, time: Allowance): Promise<Known> {
  if (refused.status === 404 && !ofThePayer.has(refused.param)) {
    alarm(tools, row.key, '404');
    return unknown;
  }
  const contested = refused.type === 'idempotency_error' || refused.code === 'payment_intent_unexpected_state';
  if (!contested) return decline(tools, row, { reason: reasonOf(refused), code: codeOf(refused) }, time);
  const known = await look(tools, row, time);
  if (known.kind !== 'idle') return known;
  // The key was used for an intent that a restored database has forgotten; this one is still unconfirmed.
  if (refused.type === 'idempotency_error') await updateConfirmTry(tools.db.sql, row);
  return unknown;
}

function answerOf(known: Known | typeof notReached): ChargeAnswer {
  switch (known.kind) {
    case 'idle':
      return unknown;
    // The port has no such answer to a charge; nothing was captured, and nothing will be.
    case 'canceled':
      return { kind: 'declined', reason: 'internal error' };
    default:
      return known;
  }
}
