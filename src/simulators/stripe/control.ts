// The controls of the fake, apart from the provider's API: `/_fake/…`, JSON in both directions, documented in
// docs/fake-stripe.md.

import { groups, type Key, type Permissions } from './access.ts';
import { type BlikOutcome, blikOutcomes } from './blik.ts';
import type { ClockChange } from './clock.ts';
import { closeDispute, openDispute, theDispute } from './disputes.ts';
import { type FillOrder, fill } from './fill.ts';
import { lettersOf } from './ids.ts';
import { theIntent } from './intents.ts';
import { addLine } from './lines.ts';
import { endMandate } from './methods.ts';
import { decide } from './payers.ts';
import { payOut, returnPayout, thePayout } from './payouts.ts';
import type { Provider } from './provider.ts';
import { failRefund, succeedRefund, theCharge, theRefund } from './refunds.ts';
import type { Context } from './world.ts';

type Body = Readonly<Record<string, unknown>>;
type Control = (provider: Provider, body: Body, context: Context) => unknown;

/** By method and path. */
const controls: Readonly<Record<string, Control>> = {
  'GET /state': (provider) => stateOf(provider),
  'POST /clock': (provider, body) => {
    provider.changeClock(body as ClockChange);
    return { now: instantText(provider) };
  },
  'POST /settings': (provider, body) => provider.changeSettings(body),
  'POST /faults': (provider, { rules }) => {
    provider.setFaults(rules);
    return { rules: provider.faults.show() };
  },
  'POST /keys': addKey,
  'POST /keys/revoke': (provider, { key }) => {
    provider.store.remember('revoked', [...provider.store.recall<string[]>('revoked', []), textOf(key, 'key')]);
    return {};
  },
  'POST /webhooks': (provider, body) => {
    const id =
      typeof body.id === 'string' ? body.id : provider.addWebhook({ ...body, url: textOf(body.url, 'url') }).id;
    if (typeof body.id === 'string') provider.changeWebhook(id, body);
    return provider.webhooks().find((one) => one.id === id) ?? {};
  },
  'POST /webhooks/deliver': async (provider) => ({ delivered: await provider.deliver() }),
  'POST /payers': (_provider, { payment_intent: id, choice }, context) =>
    decide(context, theIntent(context, textOf(id, 'payment_intent')), choiceOf(choice)),
  'POST /refunds': (_provider, { refund, outcome, reason }, context) => {
    const row = theRefund(context, textOf(refund, 'refund'));
    if (outcome === 'succeeded') return succeedRefund(context, row);
    if (outcome !== 'failed') throw new RangeError('outcome must be succeeded or failed.');
    return failRefund(context, row, typeof reason === 'string' ? reason : undefined).object;
  },
  'POST /disputes': changeDispute,
  'POST /payouts': changePayout,
  'POST /mandates/end': (_provider, { mandate }, context) => endMandate(context, textOf(mandate, 'mandate')),
  'POST /lines': addOtherLine,
  'POST /fill': (_provider, body, context) => fill(context, body as unknown as FillOrder),
};

/** Undefined: there is no such control. A bad value is a RangeError; what the provider would refuse an ApiError. */
export async function runControl(provider: Provider, name: string, body: Body): Promise<unknown> {
  const control = Object.hasOwn(controls, name) ? controls[name] : undefined;
  if (!control) return undefined;
  provider.runDue();
  const account = typeof body.account === 'string' ? body.account : provider.main.account;
  const context = provider.contextOf({ account, live: body.live === true });
  // Sending takes its time, and commits by itself.
  if (name === 'POST /webhooks/deliver' || name === 'POST /clock') return await control(provider, body, context);
  return provider.store.atomic(() => control(provider, body, context));
}

function stateOf(provider: Provider) {
  const { account, ...keys } = provider.main;
  return {
    now: instantText(provider),
    account,
    keys,
    otherAccount: provider.accounts[1],
    settings: provider.settings,
    faults: provider.faults.show(),
    webhooks: provider.webhooks(),
    waiting: provider.store.listWaiting().map(({ object }) => ({
      id: object.id,
      amount: object.amount,
      currency: object.currency,
      description: object.description,
      next_action: object.next_action,
    })),
  };
}

function instantText(provider: Provider): string {
  return Temporal.Instant.fromEpochMilliseconds(provider.now()).toString();
}

/** A restricted key with chosen permissions. */
function addKey(provider: Provider, body: Body): Key {
  const permissions = (body.permissions ?? {}) as Permissions;
  const wrong = Object.entries(permissions).find(
    ([name, level]) => !groups.some((group) => group === name) || (level !== 'read' && level !== 'write'),
  );
  if (wrong) throw new RangeError(`There is no permission "${wrong.join(': ')}".`);
  const known = provider.store.recall<Key[]>('keys', []);
  const live = body.live === true;
  const account = typeof body.account === 'string' ? body.account : provider.main.account;
  const text = `rk_${live ? 'live' : 'test'}_51${lettersOf(44, provider.seed, 'restricted', known.length)}`;
  const key: Key = { text, kind: 'restricted', scope: { account, live }, permissions, revoked: false };
  provider.store.remember('keys', [...known, key]);
  return key;
}

function changeDispute(_provider: Provider, body: Body, context: Context): unknown {
  const { dispute, outcome } = body;
  if (dispute !== undefined) {
    if (outcome !== 'won' && outcome !== 'lost') throw new RangeError('outcome must be won or lost.');
    return closeDispute(context, theDispute(context, textOf(dispute, 'dispute')), outcome);
  }
  const charge =
    body.charge === undefined
      ? String(theIntent(context, textOf(body.payment_intent, 'payment_intent')).object.latest_charge)
      : textOf(body.charge, 'charge');
  const reason = typeof body.reason === 'string' ? body.reason : undefined;
  return openDispute(context, theCharge(context, charge), { amount: amountOf(body.amount), reason });
}

function changePayout(_provider: Provider, body: Body, context: Context): unknown {
  if (body.payout !== undefined) return returnPayout(context, thePayout(context, textOf(body.payout, 'payout')));
  return payOut(context, { amount: amountOf(body.amount), automatic: body.automatic !== false }) ?? {};
}

const otherTypes = ['stripe_fee', 'tax_fee', 'stripe_fx_fee', 'reserve_transaction', 'topup', 'transfer', 'adjustment'];

/** What has no object of its own here: fees alone, reserves and others. */
function addOtherLine(_provider: Provider, body: Body, context: Context): unknown {
  const type = textOf(body.type, 'type');
  if (!otherTypes.includes(type)) throw new RangeError(`type must be one of ${otherTypes.join(', ')}.`);
  return addLine(context, {
    type: type as 'stripe_fee',
    category: type.endsWith('_fee') ? 'fee' : type,
    amount: amountOf(body.amount) ?? 0,
    currency: context.settings.currency,
    source: null,
    description: typeof body.description === 'string' ? body.description : null,
  });
}

function textOf(value: unknown, name: string): string {
  if (typeof value !== 'string') throw new RangeError(`${name} is missing.`);
  return value;
}

function amountOf(value: unknown): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw new RangeError('amount: minor units.');
  return value;
}

function choiceOf(value: unknown): BlikOutcome {
  const choice = blikOutcomes.find((one) => one === value);
  if (!choice) throw new RangeError(`choice must be one of ${blikOutcomes.join(', ')}.`);
  return choice;
}
