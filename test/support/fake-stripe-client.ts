// The official SDK as the client of a fake that a test opens, with a clock that stands still.

import { after } from 'node:test';
import { Stripe } from 'stripe';
import { type FakeStripe, type FakeStripeOptions, openFakeStripe } from '../../src/simulators/stripe/index.ts';

export const start = '2026-11-02T10:00:00Z';

export interface Client {
  readonly fake: FakeStripe;
  readonly stripe: Stripe;
  /** Jumps forward. */
  wait(seconds: number): void;
  /** A control of the fake; returns its JSON. */
  control(name: string, body?: object): Promise<Record<string, unknown>>;
}

export function sdk(url: string, key: string): Stripe {
  const { hostname, port } = new URL(url);
  return new Stripe(key, {
    host: hostname,
    port: Number(port),
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
  });
}

export async function aClient(options: Partial<FakeStripeOptions> = {}): Promise<Client> {
  const clock = { now: () => Temporal.Instant.from(start) };
  const fake = await openFakeStripe({ clock, ...options });
  after(() => fake.close());
  return {
    fake,
    stripe: sdk(fake.url, fake.provider.main.restrictedTest),
    wait: (seconds) => fake.provider.changeClock({ advanceSeconds: seconds }),
    async control(name, body = {}) {
      const response = await fetch(`${fake.url}/_fake${name}`, { method: 'POST', body: JSON.stringify(body) });
      const answer = (await response.json()) as Record<string, unknown>;
      if (!response.ok) throw new Error(String(answer.error));
      return answer;
    },
  };
}

export interface Caught {
  readonly statusCode?: number;
  readonly type?: string;
  readonly code?: string;
  readonly decline_code?: string;
  readonly param?: string;
  readonly payment_intent?: Stripe.PaymentIntent;
}

/** What a request was refused with. */
export async function refusal(request: Promise<unknown>): Promise<Caught> {
  try {
    await request;
  } catch (error) {
    return error as Caught;
  }
  throw new Error('It was not refused.');
}

/** An intent for these methods, not confirmed. */
export function draft(
  stripe: Stripe,
  method: 'card' | 'blik' | 'p24',
  more: Partial<Stripe.PaymentIntentCreateParams> = {},
) {
  return stripe.paymentIntents.create({
    amount: 10_000,
    currency: 'pln',
    allowed_payment_method_types: [method],
    capture_method: 'automatic',
    ...more,
  });
}

/** A card payment that went through. */
export async function paid(stripe: Stripe, method = 'pm_card_visa', amount = 10_000): Promise<Stripe.PaymentIntent> {
  const { id } = await draft(stripe, 'card', { amount });
  return stripe.paymentIntents.confirm(id, { payment_method: method, expand: ['latest_charge.balance_transaction'] });
}

export function confirmBlik(stripe: Stripe, id: string, email = 'jan@example.com') {
  return stripe.paymentIntents.confirm(id, {
    payment_method_data: { type: 'blik', billing_details: { email } },
    payment_method_options: { blik: { code: '123456' } },
  });
}
