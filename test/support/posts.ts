// One request for every POST that accepts an idempotency key, and how often its effect happened: a repeat must not
// raise it above one.

import { endpoints } from '../../contract/endpoints.ts';
import { readInteger, readText } from '../../src/database/index.ts';
import { money } from '../../src/kernel/index.ts';
import { postOpening } from '../../src/ledger/index.ts';
import { systemClock } from '../../src/runtime/index.ts';
import { SandboxClock } from '../../src/sandbox/index.ts';
import { aChild, aPaidSplit, aPartner, aSplit, splitBody, type TestPartner } from './marketplace.ts';
import { aPaidTransaction, aTransaction, encryptCard, payBlik } from './payments.ts';
import { aPayout, aPayoutAccount } from './payouts.ts';
import { aRecurring, aRecurringRequest, chargeAll } from './recurring.ts';
import { aRefund } from './refunds.ts';
import { type Answer, aMerchant, aService, type Service, type TestMerchant, type TestWorld } from './service.ts';

export interface Post {
  readonly path: string;
  readonly body: unknown;
  readonly token: string;
  /** How often the effect of this request happened: at the bank, in rows, in events. */
  effects(): Promise<number>;
  /** What others do between the effect and the repeat, so that a second effect would be possible and visible. */
  meanwhile?(): Promise<unknown>;
}

export interface PostKind {
  readonly name: string;
  /** Only one such request at a time: it changes something that the whole sandbox shares. */
  readonly alone?: boolean;
  prepare(stage: PostStage): Promise<Post>;
}

export interface PostStage {
  /** Prepares and counts; the requests themselves go to other nodes. */
  readonly home: Service;
  readonly merchant: TestMerchant;
  /** Sets the clock of `home` to the time of the other processes, so that what they made due is due. */
  keepTime(): Promise<void>;
}

/**
 * A service with the sandbox clock, and with triggers that count changes which leave no row. Next to real processes it
 * uses their time.
 */
export async function aPostStage(time: 'of its own' | 'of the machine' = 'of its own'): Promise<PostStage> {
  const opened = Promise.withResolvers<SandboxClock>();
  const home = await aService({
    clockOver(wall) {
      const clock = new SandboxClock(wall);
      opened.resolve(clock);
      return clock;
    },
  });
  const clock = await opened.promise;
  async function keepTime(): Promise<void> {
    if (time === 'of its own') return;
    home.world.wall.set(systemClock.now().toString());
    await clock.refresh(home.world.db);
  }
  await keepTime();
  await installCounters(home);
  return { home, merchant: await aMerchant(home, { requestsPerSecond: 1_000_000 }, 'operator'), keepTime };
}

async function installCounters({ world: { db } }: Service): Promise<void> {
  const { sql } = db;
  await sql.run`create table counted_change (subject text not null)`;
  await sql.run`
    create function count_change() returns trigger language plpgsql as $$
    begin
      insert into counted_change values (to_jsonb(new) ->> tg_argv[0]);
      return null;
    end $$`;
  await sql.run`
    create trigger counted after update of instrument_sealed on recurring
      for each row execute function count_change('id')`;
  await sql.run`
    create trigger counted after update on delivery for each row
      when (new.status = 'pending' and new.round_tries = 0 and new.lease_until is null
            and (old.status = 'exhausted' or old.lease_fence < new.lease_fence))
      execute function count_change('event_id')`;
  await sql.run`
    create trigger counted after insert on wallet_domain
      for each row execute function count_change('domain_name')`;
  await sql.run`
    create trigger counted after update on transaction for each row
      when (new.origin = 'marketplace' and new.status = 'canceled' and old.status <> 'canceled')
      execute function count_change('id')`;
  await sql.run`
    create trigger counted after update on wallet_certificate for each row when (new.status = 'active')
      execute function count_change('id')`;
}

let marks = 0;

function aMark(): string {
  marks += 1;
  return `mark-${marks}`;
}

const blik = { groupId: 150, blikPaymentData: { blikToken: '777123' } };

/** The larger of two counts that should be equal. */
async function most(...counts: Promise<number>[]): Promise<number> {
  return Math.max(...(await Promise.all(counts)));
}

function count({ home }: PostStage, what: 'transactions' | 'cards' | 'refunds' | 'recurring' | 'events', by: string) {
  const { sql } = home.world.db;
  const one = sql.one((row) => readInteger(row, 'count'));
  switch (what) {
    case 'transactions':
      return one`select count(*)::integer as count from transaction where hidden_description = ${by}`;
    case 'cards':
      return one`select count(*)::integer as count from card_token where merchant_id = ${by}`;
    case 'refunds':
      return one`select count(*)::integer as count from refund where transaction_id = ${by}`;
    case 'recurring':
      return one`select count(*)::integer as count from recurring where id = ${by}`;
    case 'events':
      return one`select count(*)::integer as count from event where subject_id = ${by}`;
  }
}

function countChanges({ home }: PostStage, subject: string): Promise<number> {
  return home.world.db.sql.one((row) => readInteger(row, 'count'))`
    select count(*)::integer as count from counted_change where subject = ${subject}`;
}

function countSteps({ home }: PostStage, refundId: string, status: string): Promise<number> {
  return home.world.db.sql.one((row) => readInteger(row, 'count'))`
    select count(*)::integer as count from event where subject_id = ${refundId} and body like ${`%"${status}"%`}`;
}

/** Captures at the bank for transactions with this mark. */
async function captures({ home }: PostStage, mark: string): Promise<number> {
  const { world } = home;
  const attempts = await world.db.sql.many((row) => readText(row, 'id'))`
    select attempt.id from charge as attempt join transaction on transaction.id = attempt.transaction_id
     where hidden_description = ${mark}`;
  const own = new Set(attempts);
  return world.bank.record().captures.filter(({ key }) => own.has(key)).length;
}

async function anEvent({ home, merchant }: PostStage): Promise<string> {
  const callbacks = { notification: { url: 'http://127.0.0.1:9/none' } };
  const id = await aPaidTransaction(home, merchant, { callbacks });
  return home.world.db.sql.one((row) => readText(row, 'id'))`select id from event where subject_id = ${id}`;
}

async function aFailedRecurring({ home, merchant, keepTime }: PostStage): Promise<string> {
  await keepTime();
  const firstChargeDate = home.world.clock.now().toString();
  const id = await aRecurring(home, merchant, {
    schedule: { firstChargeDate },
    paymentInstrument: { value: 'insufficient-funds' },
  });
  await chargeInTurn(home.world);
  return id;
}

const charging = new WeakMap<TestWorld, Promise<unknown>>();

/** One caller after another: a round skips what another one is just claiming, and its caller would count too early. */
function chargeInTurn(world: TestWorld): Promise<unknown> {
  const turn = (charging.get(world) ?? Promise.resolve()).then(() => chargeAll(world));
  charging.set(world, turn);
  return turn;
}

async function chargesOf({ home }: PostStage, id: string): Promise<number> {
  return home.world.db.sql.one((row) => readInteger(row, 'count'))`
    select count(*)::integer as count from charge where recurring_id = ${id}`;
}

/** A separate refund of a card payment, which can be held. */
async function aRefundStep(stage: PostStage, verb: 'hold' | 'release' | 'cancel', held: boolean): Promise<string> {
  const { home, merchant, keepTime } = stage;
  await keepTime();
  const id = await aRefund(home, merchant, await aPaidTransaction(home, merchant), { amount: 1 });
  if (held) await askRefund(stage, id, 'hold');
  return `/refunds/${id}/${verb}`;
}

async function askRefund(stage: PostStage, id: string, verb: 'hold' | 'release'): Promise<Answer> {
  const { home, merchant, keepTime } = stage;
  await keepTime();
  return home.ask('POST', `/refunds/${id}/${verb}`, { token: merchant.token });
}

/** A stage of a partner with the marketplace. */
async function partnerStage(shared: PostStage): Promise<PostStage> {
  return { ...shared, merchant: await aMerchant(shared.home, { kind: 'partner', requestsPerSecond: 1_000_000 }) };
}

const splitPath = '/marketplace/v1/transaction';

/** The stage of a partner with one seller. */
async function marketStage(shared: PostStage): Promise<{ stage: PostStage; partner: TestPartner }> {
  await shared.keepTime();
  const partner = await aPartner(shared.home, [{}], { requestsPerSecond: 1_000_000 });
  return { stage: { ...shared, merchant: partner }, partner };
}

async function sellersOf({ home, merchant }: PostStage): Promise<readonly { readonly name: string }[]> {
  return (await home.ask('GET', '/accounts?limit=100', { token: merchant.token })).body.list;
}

/** The stage with a merchant of its own, whose domains and certificates are limited in number. */
async function ownStage(shared: PostStage): Promise<PostStage> {
  await shared.keepTime();
  return { ...shared, merchant: await aMerchant(shared.home, { requestsPerSecond: 1_000_000 }) };
}

/** The stage with a merchant of its own, who has a verified bank account and something that is due. */
async function payeeStage(shared: PostStage): Promise<PostStage> {
  const stage = await ownStage(shared);
  const { world } = stage.home;
  const earlier = world.clock.now().subtract({ hours: 240 });
  await world.db.atomic((sql) => postOpening(sql, world.ids, stage.merchant.id, money(10_000n, 'PLN'), earlier));
  await aPayoutAccount(stage.home, stage.merchant);
  return stage;
}

function countPayouts({ home, merchant }: PostStage): Promise<number> {
  return home.world.db.sql.one((row) => readInteger(row, 'count'))`
    select count(*)::integer as count from payout where account_id = ${merchant.id}`;
}

function countReturns({ home }: PostStage, payoutId: string): Promise<number> {
  return home.world.db.sql.one((row) => readInteger(row, 'count'))`
    select count(*)::integer as count from journal where source = ${payoutId} and kind = 'payout returned'`;
}

/** So that a second one could be made. */
async function cancelWaiting({ home, merchant: { token } }: PostStage): Promise<void> {
  const { payouts } = (await home.ask('GET', '/payouts?status=created', { token })).body;
  for (const { payoutId } of payouts) await home.ask('POST', `/payouts/${payoutId}/cancel`, { token });
}

async function certificatesOf({ home, merchant }: PostStage): Promise<{ status: string }[]> {
  return home.world.db.sql.many((row) => ({ status: readText(row, 'status') }))`
    select status from wallet_certificate where merchant_id = ${merchant.id}`;
}

async function anIssuedCertificate({ home, merchant: { token } }: PostStage) {
  const identifier = { merchantIdentifier: 'merchant.example' };
  const { body } = await home.ask('POST', '/wallet/certificates', { token, body: identifier });
  const issued = await home.ask('POST', '/sandbox/wallet/certificates', {
    token,
    body: { csr: body.csr, ...identifier },
  });
  return { certificateId: String(body.certificateId), certificate: String(issued.body.certificate) };
}

const idIn = (path: string) => path.split('/')[2] ?? '';

/** By the endpoint's id in the contract. */
const kinds: Readonly<Record<string, readonly PostKind[]>> = {
  E1: [
    {
      name: 'creating',
      async prepare(stage) {
        const mark = aMark();
        const body = { amount: 10.01, description: 'Order', hiddenDescription: mark };
        return post(stage, '/transactions', body, () => count(stage, 'transactions', mark));
      },
    },
    {
      name: 'creating and paying by BLIK',
      async prepare(stage) {
        const mark = aMark();
        const body = { amount: 10.01, description: 'Order', hiddenDescription: mark, pay: blik };
        return post(stage, '/transactions', body, () =>
          most(count(stage, 'transactions', mark), captures(stage, mark)),
        );
      },
    },
    {
      name: 'creating, paying by card and saving it',
      async prepare(shared) {
        const { home } = shared;
        const merchant = await aMerchant(home, { requestsPerSecond: 1_000_000 });
        const stage = { ...shared, merchant };
        const mark = aMark();
        const pay = { channelId: 53, cardPaymentData: { card: encryptCard(home), save: true } };
        const body = { amount: 10.01, description: 'Order', hiddenDescription: mark, pay };
        return post(stage, '/transactions', body, () =>
          most(count(stage, 'transactions', mark), captures(stage, mark), count(stage, 'cards', merchant.id)),
        );
      },
    },
  ],
  E2: [
    {
      name: 'paying',
      async prepare(stage) {
        const mark = aMark();
        const id = await aTransaction(stage.home, stage.merchant, { hiddenDescription: mark });
        return post(stage, `/transactions/${id}/pay`, blik, () => captures(stage, mark));
      },
    },
  ],
  T3: [
    {
      name: 'canceling a transaction whose payment was declined',
      async prepare(stage) {
        const id = await aTransaction(stage.home, stage.merchant);
        await payBlik(stage.home, stage.merchant, id, '222123');
        return post(stage, `/transactions/${id}/cancel`, {}, () => count(stage, 'events', id));
      },
    },
  ],
  E4: [
    {
      name: 'refunding a part',
      async prepare(stage) {
        const id = await aPaidTransaction(stage.home, stage.merchant);
        return post(stage, `/transactions/${id}/refunds`, { amount: 1 }, () => count(stage, 'refunds', id));
      },
    },
  ],
  F1: [
    {
      name: 'holding a refund',
      async prepare(stage) {
        const path = await aRefundStep(stage, 'hold', false);
        const effects = () => countSteps(stage, idIn(path), 'Hold');
        return { ...post(stage, path, {}, effects), meanwhile: () => askRefund(stage, idIn(path), 'release') };
      },
    },
  ],
  F2: [
    {
      name: 'releasing a refund',
      async prepare(stage) {
        const path = await aRefundStep(stage, 'release', true);
        const effects = async () => (await countSteps(stage, idIn(path), 'BLIK_pending')) - 1;
        return { ...post(stage, path, {}, effects), meanwhile: () => askRefund(stage, idIn(path), 'hold') };
      },
    },
  ],
  F3: [
    {
      name: 'canceling a refund',
      async prepare(stage) {
        const path = await aRefundStep(stage, 'cancel', true);
        return post(stage, path, {}, () => countSteps(stage, idIn(path), 'Cancel'));
      },
    },
  ],
  R1: [
    {
      name: 'creating a recurring payment',
      async prepare(stage) {
        const firstChargeDate = stage.home.world.clock.now().add({ hours: 240 }).toString();
        const body = aRecurringRequest(stage.home, { schedule: { firstChargeDate } });
        return post(stage, '/recurring', body, () => count(stage, 'recurring', body.id));
      },
    },
  ],
  R4: [
    {
      name: 'retrying a failed charge',
      async prepare(stage) {
        const id = await aFailedRecurring(stage);
        const effects = async () => {
          await stage.keepTime();
          await chargeInTurn(stage.home.world);
          return (await chargesOf(stage, id)) - 1;
        };
        return { ...post(stage, `/recurring/${id}/retry`, {}, effects), meanwhile: async () => undefined };
      },
    },
  ],
  R5: [
    {
      name: 'canceling a recurring payment',
      async prepare(stage) {
        const id = await aFailedRecurring(stage);
        const effects = async () => {
          const { body } = await stage.home.ask('GET', `/recurring/${id}`, { token: stage.merchant.token });
          return body.status === 'canceled' ? 1 : 0;
        };
        return post(stage, `/recurring/${id}/cancel`, {}, effects);
      },
    },
  ],
  R6: [
    {
      name: 'replacing the instrument',
      async prepare(stage) {
        const id = await aFailedRecurring(stage);
        const body = { paymentInstrument: { paymentType: 'card_token', value: 'another' } };
        return post(stage, `/recurring/${id}/payment_instrument`, body, () => countChanges(stage, id));
      },
    },
  ],
  N2: [
    {
      name: 'resending an event',
      async prepare(stage) {
        const id = await anEvent(stage);
        return post(stage, `/events/${id}/resend`, {}, () => countChanges(stage, id));
      },
    },
  ],
  N3: [
    {
      name: 'resending all exhausted events',
      async prepare(shared) {
        const { home } = shared;
        const stage = { ...shared, merchant: await aMerchant(home, { requestsPerSecond: 1_000_000 }) };
        const id = await anEvent(stage);
        const exhaust = () => home.world.db.sql.run`
          update delivery set status = 'exhausted', next_try_at = null where event_id = ${id}`;
        await exhaust();
        const effects = () => countChanges(stage, id);
        return { ...post(stage, '/events/resend', { status: 'exhausted' }, effects), meanwhile: exhaust };
      },
    },
  ],
  W2: [
    {
      name: 'registering a wallet domain',
      async prepare(stage) {
        const domainName = `${aMark()}.example.com`;
        const { home, merchant } = await ownStage(stage);
        const remove = () => home.ask('DELETE', `/wallet/domains/${domainName}`, { token: merchant.token });
        const effects = () => countChanges(stage, domainName);
        return { ...post({ ...stage, merchant }, '/wallet/domains', { domainName }, effects), meanwhile: remove };
      },
    },
  ],
  W5: [
    {
      name: 'requesting a wallet certificate',
      async prepare(shared) {
        const stage = await ownStage(shared);
        const effects = async () => (await certificatesOf(stage)).length;
        return post(stage, '/wallet/certificates', { merchantIdentifier: 'merchant.example' }, effects);
      },
    },
  ],
  W6: [
    {
      name: 'uploading a wallet certificate',
      async prepare(shared) {
        const stage = await ownStage(shared);
        const { certificateId, certificate } = await anIssuedCertificate(stage);
        const path = `/wallet/certificates/${certificateId}/certificate`;
        const effects = () => countChanges(stage, certificateId);
        return {
          ...post(stage, path, { certificate }, effects),
          meanwhile: () =>
            stage.home.ask('POST', `/wallet/certificates/${certificateId}/revoke`, { token: stage.merchant.token }),
        };
      },
    },
  ],
  W8: [
    {
      name: 'revoking a wallet certificate',
      async prepare(shared) {
        const stage = await ownStage(shared);
        const { certificateId } = await anIssuedCertificate(stage);
        const effects = async () => (await certificatesOf(stage)).filter(({ status }) => status === 'revoked').length;
        return post(stage, `/wallet/certificates/${certificateId}/revoke`, {}, effects);
      },
    },
  ],
  A3: [
    {
      name: 'creating a seller',
      async prepare(shared) {
        const stage = await partnerStage(shared);
        const name = `Seller ${aMark()}`;
        const effects = async () => (await sellersOf(stage)).filter((seller) => seller.name === name).length;
        return post(stage, '/accounts', { name, email: 'seller@example.com' }, effects);
      },
    },
  ],
  A5: [
    {
      name: 'changing a seller',
      async prepare(shared) {
        const stage = await partnerStage(shared);
        const { home, merchant } = stage;
        const asking = { token: merchant.token, body: { name: 'Seller', email: 'seller@example.com' } };
        const { id } = (await home.ask('POST', '/accounts', asking)).body;
        const effects = async () => (await sellersOf(stage)).filter(({ name }) => name === 'Renamed').length;
        return post(stage, `/accounts/${id}`, { name: 'Renamed' }, effects);
      },
    },
  ],
  B5: [
    {
      name: 'asking for a payout',
      async prepare(shared) {
        const stage = await payeeStage(shared);
        const effects = () => countPayouts(stage);
        return { ...post(stage, '/payouts', { amount: 1 }, effects), meanwhile: () => cancelWaiting(stage) };
      },
    },
  ],
  B6: [
    {
      name: 'canceling a payout',
      async prepare(shared) {
        const stage = await payeeStage(shared);
        const { id } = await aPayout(stage.home, stage.merchant, 100n);
        const effects = () => countReturns(stage, id);
        return post(stage, `/payouts/${id}/cancel`, {}, effects);
      },
    },
  ],
  M1: [
    {
      name: 'creating a marketplace transaction',
      async prepare(shared) {
        const { stage, partner } = await marketStage(shared);
        const mark = aMark();
        const body = splitBody(partner, [aChild(partner, 0, 1_001)], { hiddenDescription: mark });
        return post(stage, splitPath, body, () => count(stage, 'transactions', mark));
      },
    },
  ],
  M2: [
    {
      name: 'paying a marketplace transaction',
      async prepare(shared) {
        const { stage, partner } = await marketStage(shared);
        const mark = aMark();
        const id = await aSplit(stage.home, partner, [aChild(partner, 0, 1_001)], { hiddenDescription: mark });
        const { blikPaymentData } = blik;
        return post(stage, `${splitPath}/${id}/pay`, { blikPaymentData }, () => captures(stage, mark));
      },
    },
  ],
  M3: [
    {
      name: 'refunding a part of a marketplace transaction',
      async prepare(shared) {
        const { stage, partner } = await marketStage(shared);
        const id = await aPaidSplit(stage.home, partner, [aChild(partner, 0, 1_001)]);
        const body = { childTransactions: [{ merchantId: partner.sellers[0]?.id, amount: 100 }] };
        return post(stage, `${splitPath}/${id}/refund`, body, () => count(stage, 'refunds', id));
      },
    },
  ],
  M5: [
    {
      name: 'canceling a marketplace transaction',
      async prepare(shared) {
        const { stage, partner } = await marketStage(shared);
        const id = await aSplit(stage.home, partner, [aChild(partner, 0, 1_001)]);
        return post(stage, `${splitPath}/${id}/cancel`, {}, () => countChanges(stage, id));
      },
    },
  ],
  S2: [
    {
      name: 'moving the clock',
      alone: true,
      async prepare(stage) {
        const before = await hoursAhead(stage);
        const effects = async () => (await hoursAhead(stage)) - before;
        return post(stage, '/sandbox/clock', { advance: 'PT1H' }, effects);
      },
    },
  ],
  S4: [
    {
      name: 'switching faults of the bank on',
      alone: true,
      async prepare(stage) {
        const body = { waitingRefund: { probability: 0, seed: aMark() } };
        const effects = async () =>
          stage.home.world.bank.faults().waitingRefund?.seed === body.waitingRefund.seed ? 1 : 0;
        return post(stage, '/sandbox/faults', body, effects);
      },
    },
  ],
};

/** In whole hours; the wall clock of a real process continues while it moves. */
async function hoursAhead({ home }: PostStage): Promise<number> {
  const milliseconds = await home.world.db.sql.one((row) => Number(row.ahead_milliseconds))`
    select ahead_milliseconds from sandbox_clock`;
  return Math.round(milliseconds / 3_600_000);
}

function post({ merchant }: PostStage, path: string, body: unknown, effects: () => Promise<number>): Post {
  return { path, body, token: merchant.token, effects };
}

/** Every POST of the contract that accepts a key, with its requests; fails if one has none. */
export const keyedPosts: readonly { readonly id: string; readonly kinds: readonly PostKind[] }[] = endpoints
  .filter(({ method, access, idempotent }) => method === 'POST' && access !== 'none' && idempotent !== false)
  .map(({ id }) => {
    const own = kinds[id];
    if (!own) throw new Error(`${id} takes an idempotency key and has no request in test/support/posts.ts.`);
    return { id, kinds: own };
  });
