// Events of the provider. An event is a hint: it is verified, its object is asked for by id, and what is found then is
// passed on. So their order does not matter, nor whether they come twice or late.

import type { Stripe } from 'stripe';
import type { Callback, DisputeStage, RawCallback, Received } from '../acquirer/index.ts';
import { money, Refusal, type Secret } from '../kernel/index.ts';
import { adopt, alarm, getIntent, hasIntent, isOf, isOurs, type SentRow, settle } from './intents.ts';
import { Allowance, type Outcome } from './line.ts';
import type { StripeTools } from './model.ts';
import { getRefund, settleRefund } from './refund.ts';
import { readStage } from './rules.ts';
import { type ChargeRow, findChargeOf, findRefund, findCharge as findRow, insertRefund } from './store.ts';

/** The largest body that is read. */
export const eventBytesAtMost = 262_144;

const lookMilliseconds = 10_000;
export const ageSecondsAtMost = 300;

export interface EventTools extends StripeTools {
  /** Two while one replaces the other. */
  readonly secrets: readonly Secret[];
  /** Whether the key is of our account; asks the provider unless this is known. */
  isOurAccount(): Promise<boolean>;
}

const notOurs: Received = { kind: 'callbacks', callbacks: [] };
const later: Received = { kind: 'later', why: 'it could not be looked up' };

/**
 * The provider is not asked anything before it is known who sent the event. An event that is not ours is dropped; one
 * that cannot be looked up now is sent again.
 */
export async function receiveEvent(tools: EventTools, { headers, rawBody }: RawCallback): Promise<Received> {
  const header = headers['stripe-signature'];
  const event = verify(tools, rawBody, typeof header === 'string' ? header : '');
  if (!event) return wrong();
  const elsewhere = event.account !== undefined && event.account !== tools.account;
  if (event.livemode !== tools.live || elsewhere) {
    tools.log.warn({ event: event.id, type: event.type }, 'an event of another mode or account');
    return notOurs;
  }
  const id = idOf(event.data?.object);
  if (id === undefined || typeof event.type !== 'string') return notOurs;
  if (!(await tools.isOurAccount())) return { kind: 'later', why: 'the account is not known' };
  const time = new Allowance(lookMilliseconds);
  if (event.type.startsWith('payment_intent.')) return chargeEvent(tools, id, time);
  if (event.type.startsWith('refund.') || event.type === 'charge.refund.updated') return refundEvent(tools, id, time);
  if (event.type.startsWith('charge.dispute.')) return disputeEvent(tools, id, time);
  return notOurs;
}

function wrong(): Received {
  const why = 'signature or age';
  return { kind: 'refused', why, refusal: new Refusal([{ code: 'invalid_request_body', field: '' }]) };
}

function idOf(object: unknown): string | undefined {
  const id = (object as { readonly id?: unknown } | undefined)?.id;
  return typeof id === 'string' && /^[a-z]+_\w{1,255}$/.test(id) ? id : undefined;
}

/** By each secret; older than five minutes by our clock is a repetition by somebody else. */
function verify(
  { secrets, wall, log, line }: EventTools,
  body: Uint8Array,
  signature: string,
): Stripe.Event | undefined {
  const now = wall.now().epochMilliseconds;
  for (const secret of secrets) {
    try {
      return line.webhooks.constructEvent(
        Buffer.from(body),
        signature,
        secret.reveal(),
        ageSecondsAtMost,
        undefined,
        now,
      );
    } catch {
      // By the next secret, or not at all.
    }
  }
  const [, sent] = /(?:^|,)t=(\d{1,12})(?:,|$)/.exec(signature) ?? [];
  const secondsOff = sent === undefined ? null : Math.floor(now / 1_000) - Number(sent);
  // A clock that is off makes every event too old: the difference tells.
  log.warn({ why: 'signature or age', secondsOff }, 'an event was rejected');
  return undefined;
}

/** What is gone, or of another account, is not ours; everything else is asked for again later. */
function unlessMissing(outcome: Outcome<unknown>): Received {
  return outcome.kind === 'refused' && outcome.refused.status === 404 ? notOurs : later;
}

async function chargeEvent(tools: EventTools, id: string, time: Allowance): Promise<Received> {
  const found = await getIntent(tools, id, time);
  if (found.kind !== 'done') return unlessMissing(found);
  const row = await rowOf(tools, found.value);
  if (!row) return notOurs;
  const known = await settle(tools, row, found.value, time);
  const { key } = row;
  switch (known.kind) {
    case 'approved':
      return passOn({ kind: 'charge', key, lookedUp: true, result: { kind: 'approved', amount: known.amount } });
    case 'declined':
      return passOn({ kind: 'charge', key, lookedUp: true, result: { kind: 'declined', reason: known.reason } });
    case 'canceled':
      return passOn({ kind: 'charge', key, lookedUp: true, result: { kind: 'canceled' } });
    case 'waiting':
    case 'idle':
      return notOurs;
    case 'unknown':
      return later;
  }
}

function passOn(callback: Callback): Received {
  return { kind: 'callbacks', callbacks: [callback] };
}

/**
 * Ours by its metadata, also if a restored database has lost it; else of another user of the account. A row with its id
 * and another key is not believed: `settle` and the alarm see to it.
 */
async function rowOf(tools: StripeTools, intent: Stripe.PaymentIntent): Promise<SentRow | undefined> {
  const known = await findChargeOf(tools.db.sql, intent.id);
  if (hasIntent(known)) return known;
  const key = intent.metadata.grosz_key;
  if (key === undefined || !isOurs(tools, intent)) return undefined;
  const row = await findRow(tools.db.sql, key);
  // One that was never confirmed: another one is that of the charge, or will be.
  if (row && !mayAdopt(row, intent)) return undefined;
  if (!row && intent.status !== 'succeeded') return undefined;
  const adopted = await adopt(tools, key, intent);
  return hasIntent(adopted) && adopted.providerId === intent.id ? adopted : undefined;
}

function mayAdopt(row: ChargeRow, intent: Stripe.PaymentIntent): boolean {
  return row.providerId === null && intent.status === 'succeeded';
}

async function refundEvent(tools: EventTools, id: string, time: Allowance): Promise<Received> {
  const found = await getRefund(tools, id, time);
  if (found.kind !== 'done') return unlessMissing(found);
  const { metadata, amount } = found.value;
  const key = metadata?.grosz_key;
  if (!isOurs(tools, found.value) || key === undefined) return notOurs;
  const chargeKey = metadata?.grosz_charge;
  if (!(await findRefund(tools.db.sql, key))) {
    if (chargeKey === undefined) return notOurs;
    const createdAt = tools.clock.now();
    await insertRefund(tools.db.sql, { key, chargeKey, amountMinor: BigInt(amount), currency: 'PLN', createdAt });
  }
  const known = await settleRefund(tools, key, found.value);
  if (known.kind === 'waiting') return notOurs;
  if (known.kind === 'unknown') return later;
  const { kind } = known;
  return passOn({ kind: 'refund', key, result: kind === 'declined' ? { kind, why: known.why } : { kind } });
}

async function disputeEvent(tools: EventTools, id: string, time: Allowance): Promise<Received> {
  const found = await tools.line.ask({
    endpoint: 'GET /v1/disputes/:id',
    time,
    run: (stripe, options) => stripe.disputes.retrieve(id, {}, options),
  });
  if (found.kind !== 'done') return unlessMissing(found);
  const dispute = found.value;
  const stage = readStage(dispute.status);
  const intent = typeof dispute.payment_intent === 'string' ? dispute.payment_intent : dispute.payment_intent?.id;
  if (stage === undefined || intent === undefined || dispute.currency !== 'pln') return notOurs;
  const row = await disputedRow(tools, intent, time);
  if (row === 'later') return later;
  return row ? passOn(disputeCallback(dispute, row.key, stage)) : notOurs;
}

async function disputedRow(tools: EventTools, intent: string, time: Allowance): Promise<SentRow | undefined | 'later'> {
  const found = await getIntent(tools, intent, time);
  if (found.kind === 'done') {
    const row = await rowOf(tools, found.value);
    if (!row || isOf(tools, found.value, row.key)) return row;
    alarm(tools, row.key, 'a dispute of another charge');
    return undefined;
  }
  return unlessMissing(found) === later ? 'later' : undefined;
}

function disputeCallback(dispute: Stripe.Dispute, chargeKey: string, stage: DisputeStage): Callback {
  const due = dispute.evidence_details.due_by;
  return {
    kind: 'dispute',
    key: dispute.id,
    result: {
      kind: stage,
      chargeKey,
      amount: money(BigInt(dispute.amount), 'PLN'),
      reason: dispute.reason,
      respondUntil: due === null || stage !== 'opened' ? null : Temporal.Instant.fromEpochMilliseconds(due * 1_000),
    },
  };
}
