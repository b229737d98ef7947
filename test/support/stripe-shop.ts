// A service whose only acquirer is the connector of Stripe, with the fake of the provider in this process.

import assert from 'node:assert/strict';
import { Activity, KnownRoutes, openAcquirers } from '../../src/acquirer/index.ts';
import { aTransaction, settleAll, show } from './payments.ts';
import { aMerchant, type Service, serve, type TestMerchant, type TestWorld } from './service.ts';
import { aCardToken, aStripe, type Stage, type StageOptions } from './stripe.ts';

export interface Shop {
  readonly stage: Stage;
  readonly service: Service;
  readonly merchant: TestMerchant;
  /** Whether it takes new charges. */
  takeNew(takesNew: boolean): void;
  /** Time passes at both ends, and everything that is due happens. */
  pass(seconds: number): Promise<void>;
}

export interface ShopOptions extends StageOptions {
  /** Where a browser reaches it. */
  readonly port?: number;
}

export async function aShop({ port, ...options }: ShopOptions = {}): Promise<Shop> {
  const stage = await aStripe(options);
  const { world: base, stripe, fake } = stage;
  const { db, wall, log } = base;
  const activity = new Activity({ sql: db.sql, wall: base.clock, log, metrics: base.metrics });
  const open = { name: 'stripe', acquirer: activity.watch(stripe), receiver: stripe.receiver, takesNew: true };
  const acquirers = openAcquirers({ log, activity }, [open], new KnownRoutes({ sql: db.sql, wall, log }));
  const service = await serve({ ...base, acquirers } as unknown as TestWorld, port);
  fake.provider.addWebhook({ url: `${service.url}/acquirer/stripe/events` });
  const pass = async (seconds: number) => {
    stage.wait(seconds);
    await settleAll(service.world);
    await fake.provider.deliver();
    await settleAll(service.world);
  };
  const takeNew = (takesNew: boolean) => void Object.assign(open, { takesNew });
  return { stage, service, merchant: await aMerchant(service), takeNew, pass };
}

/** A card in the provider's fields on the pay page, as its script sends it; returns the transaction's id. */
export async function payOnPage(
  { service, stage }: Shop,
  merchant: TestMerchant,
  fields: object = {},
  body: object = {},
): Promise<string> {
  const id = await aTransaction(service, merchant, { amount: 30, ...body });
  const { pathname } = new URL((await show(service, merchant, id)).body.transactionPaymentUrl);
  const form = { method: '53', attempt: '1', lang: 'en', fields: 'stripe', token: await aCardToken(stage), ...fields };
  const sent = await fetch(`${service.url}${pathname}`, {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'manual',
  });
  assert.equal(sent.status, 303);
  return id;
}
