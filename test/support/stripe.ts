// The connector of Stripe on a world of its own, with a fake of the provider in this process. Both have the same clock.

import type { Acquirer, ChargeRequest, KeyRequest, Receiver } from '../../src/acquirer/index.ts';
import type { Database, Sql } from '../../src/database/index.ts';
import { money, Secret } from '../../src/kernel/index.ts';
import { type FakeStripe, type FaultRule, openFakeStripe, type Settings } from '../../src/simulators/stripe/index.ts';
import { openStripe, type StripeConnector, type StripeOptions } from '../../src/stripe/index.ts';
import { atEnd, aWorld, type TestWorld, type WorldOptions } from './service.ts';

/** Far above what a test asks for. */
const unlimited = { perSecond: 100_000, burst: 1_000 };
const quick = { all: unlimited, each: unlimited, tokens: unlimited };

/** The port and the reader of events, side by side. */
export type TestStripe = Acquirer &
  Pick<Receiver, 'receive'> &
  Pick<StripeConnector, 'check'> & { readonly receiver: Receiver };

export interface Stage {
  readonly world: TestWorld;
  readonly fake: FakeStripe;
  readonly stripe: TestStripe;
  /** Another process on the same database. */
  another(options?: Opening): Promise<TestStripe>;
  faults(...rules: FaultRule[]): void;
  wait(seconds: number): void;
}

export interface Opening extends StripeOptions {
  readonly db?: Database;
  readonly key?: string;
  readonly live?: boolean;
  readonly clock?: TestWorld['clock'];
  readonly webhookSecrets?: readonly Secret[];
  readonly apiUrl?: string;
  /** Whether cards are typed into the provider's fields. */
  readonly cards?: boolean;
  readonly rawCards?: 'on' | 'off';
  readonly publishableKey?: string;
  /** Where events are expected. */
  readonly baseUrl?: string;
}

export interface StageOptions {
  readonly settings?: Partial<Settings>;
  readonly world?: WorldOptions;
  readonly seed?: string;
  readonly opening?: Opening;
}

export async function aStripe({
  settings = {},
  world: options = {},
  seed = 'stage',
  opening = {},
}: StageOptions = {}): Promise<Stage> {
  const world = await aWorld(options);
  const fake = await openFakeStripe({ clock: world.clock, settings, seed });
  atEnd(() => fake.close());
  const another = (opening: Opening = {}) => openOn(world, fake, opening);
  return {
    world,
    fake,
    stripe: await another(opening),
    another,
    faults: (...rules) => fake.provider.setFaults(rules),
    wait: (seconds) => world.clock.advance({ seconds }),
  };
}

async function openOn(
  world: TestWorld,
  { url, provider }: FakeStripe,
  {
    db = world.db,
    key = provider.main.restrictedTest,
    live = false,
    clock = world.clock,
    webhookSecrets,
    apiUrl = url,
    cards = true,
    rawCards = 'off',
    publishableKey = provider.main.publishableTest,
    baseUrl = world.config.baseUrl,
    ...options
  }: Opening,
): Promise<TestStripe> {
  const config = { ...world.config, mode: live ? ('live' as const) : ('sandbox' as const), baseUrl };
  const settings = {
    secretKey: new Secret(key),
    webhookSecrets: webhookSecrets ?? [new Secret(provider.main.webhookSecret)],
    apiUrl,
    publishableKey: cards ? publishableKey : undefined,
    scriptUrl: `${url}/stripe.js`,
    rawCards,
  };
  const base = { ...world, db, clock, wall: clock, config };
  const { acquirer, receiver, check } = await openStripe(base, settings, { rates: quick, ...options });
  return { ...acquirer, receive: receiver.receive, receiver, check };
}

export interface Paying {
  readonly key?: string;
  readonly minor?: bigint;
  readonly email?: string;
  readonly method?: 'blik' | 'transfer';
  /** What the provider's fields made of a card; `save`: it is kept. */
  readonly card?: { readonly token: string; readonly save?: boolean };
  readonly merchant?: string;
  readonly deadlineMilliseconds?: number;
}

const byCode = { kind: 'blik', code: new Secret('123456'), aliases: [] } as const;

const inFields = ({ token, save = false }: Required<Paying>['card']) =>
  ({ kind: 'fields', token: new Secret(token), save }) as const;

/** What the provider's fields make of a card, by its name in test mode (docs/fake-stripe.md). */
export async function aCardToken({ fake: { url, provider } }: Stage, name = 'pm_card_visa'): Promise<string> {
  const response = await fetch(`${url}/v1/test_helpers/confirmation_tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${provider.main.secretTest}` },
    body: new URLSearchParams({ payment_method: name }),
  });
  const { id } = (await response.json()) as { id: string };
  return id;
}

/** A request for a charge; the email says what the payer does (docs/fake-stripe.md). */
export function aCharge(world: TestWorld, paying: Paying = {}): ChargeRequest {
  const { key = world.ids.ulid(), minor = 10_000n, email = 'jan@example.com', method = 'blik' } = paying;
  return {
    key,
    merchant: paying.merchant ?? '01KKBCTHR0MERCHANT00000001',
    initiator: 'payer',
    amount: money(minor, 'PLN'),
    instrument: paying.card ? inFields(paying.card) : method === 'blik' ? byCode : { kind: 'transfer' },
    description: 'Order 1',
    payer: { email, name: 'Jan Kowalski' },
    returnUrl: 'http://127.0.0.1:1/back',
    deadlineMilliseconds: paying.deadlineMilliseconds ?? 10_000,
  };
}

export const byKey = (key: string): KeyRequest => ({ key, deadlineMilliseconds: 10_000 });

export const aRefund = (key: string, chargeKey: string, minor: bigint) => ({
  key,
  chargeKey,
  amount: money(minor, 'PLN'),
  deadlineMilliseconds: 10_000,
});

/** What happens at the provider without us (docs/fake-stripe.md). */
export async function controlFake({ fake }: Stage, name: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(`${fake.url}/_fake/${name}`, { method: 'POST', body: JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${name}: ${response.status} ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}

const everything = 1_000_000;

/** What the provider holds of each key of ours: how often it was paid, and how often each refund was. */
export function heldAt({ provider }: FakeStripe) {
  provider.runDue();
  const scope = `${provider.main.account}/test`;
  const intents = provider.store.list('payment_intent', scope, { limit: everything });
  const refunds = provider.store.list('refund', scope, { limit: everything });
  const count = (keys: readonly (string | undefined)[]) => {
    const counts = new Map<string, number>();
    for (const key of keys) if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts;
  };
  return {
    intents,
    captures: count(intents.flatMap(({ status, metadata }) => (status === 'succeeded' ? metadata.grosz_key : []))),
    refunds: count(refunds.flatMap(({ status, metadata }) => (status === 'failed' ? [] : metadata?.grosz_key))),
  };
}

/** A process that dies at its `dieAt`-th edge, counted from 1: before or after a statement or a request. */
export class Mortal {
  readonly #dieAt: number;
  readonly #died = Promise.withResolvers<string>();
  #edges = 0;

  constructor(dieAt: number) {
    this.#dieAt = dieAt;
  }

  async #edge(name: string): Promise<void> {
    this.#edges += 1;
    if (this.#edges === this.#dieAt) this.#died.resolve(name);
    if (this.#edges >= this.#dieAt) await new Promise(() => undefined);
  }

  async #around<T>(name: string, work: () => Promise<T>): Promise<T> {
    await this.#edge(`before ${name}`);
    const result = await work();
    await this.#edge(`after ${name}`);
    return result;
  }

  readonly send: typeof fetch = (address, init) =>
    this.#around(`${init?.method} ${new URL(String(address)).pathname}`, () => fetch(address, init));

  database({ sql }: Database): Database {
    const tag =
      (name: string, run: (strings: TemplateStringsArray, ...values: unknown[]) => Promise<unknown>) =>
      (strings: TemplateStringsArray, ...values: unknown[]) =>
        this.#around(`${name}${/(insert|update|select)/.exec(strings.join(''))?.[0] ?? ''}`, () =>
          run(strings, ...values),
        );
    const mortal = {
      ...sql,
      many: (read: (row: Record<string, unknown>) => unknown) => tag('', sql.many(read)),
      one: (read: (row: Record<string, unknown>) => unknown) => tag('', sql.one(read)),
      maybeOne: (read: (row: Record<string, unknown>) => unknown) => tag('', sql.maybeOne(read)),
      run: tag('', sql.run),
    } as unknown as Sql;
    return { sql: mortal } as Database;
  }

  /** Runs the work until it ends or the process dies; returns the edge of its death, or undefined if it survived. */
  live(work: Promise<unknown>): Promise<string | undefined> {
    return Promise.race([this.#died.promise, work.then(() => undefined)]);
  }
}
