// What a read-only credential can find out: payments of every kind are made, then every endpoint of the contract is
// called with every existing id, and each response is searched for values that would let the reader act.

import type { Endpoint } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { readAccountSecrets } from '../../src/accounts/index.ts';
import { readText } from '../../src/database/index.ts';
import { aChild, aPartner, splitBody } from './marketplace.ts';
import { aTransaction, payCard, savedTokenOf, settleAll } from './payments.ts';
import { aPayout, aPayoutAccount } from './payouts.ts';
import { aReceiver } from './receiver.ts';
import { aRecurring } from './recurring.ts';
import { aRefund, fund } from './refunds.ts';
import { tickAll } from './rooms.ts';
import { aCredential, type Service, type TestMerchant } from './service.ts';

/** By the name of their path parameter. */
type Ids = Readonly<Record<string, readonly string[]>>;

export interface Furnished {
  readonly full: TestMerchant;
  readonly readOnly: TestMerchant;
  readonly ids: Ids;
  /** A description of each value, and the value. */
  readonly secrets: readonly (readonly [string, string])[];
}

const instrument = 'tok-of-the-subscription-4be1';

/** A merchant whose payers used everything that leaves a secret behind. */
export async function furnishForReading(service: Service): Promise<Furnished> {
  const { sql } = service.world.db;
  const full = await aPartner(service, [{}]);
  await fund(service, full, 1_000_000n);
  const receiver = await aReceiver();
  const callbacks = { notification: { url: receiver.url } };
  const keyed = (key: string, path: string, body: object) =>
    service.ask('POST', path, { token: full.token, body, headers: { 'idempotency-key': key } });
  const created = await keyed('created', '/transactions', { amount: 10.02, description: 'Order', callbacks });
  const waiting: string = created.body.transactionId;
  await payCard(service, full, waiting, { save: true });
  const paid = await aTransaction(service, full, { callbacks });
  await payCard(service, full, paid, { save: true });
  const token = await savedTokenOf(service, paid);
  const again = await aTransaction(service, full, { callbacks });
  await keyed('paid', `/transactions/${again}/pay`, { channelId: 53, cardPaymentData: { token } });
  await keyed('canceled', `/transactions/${await aTransaction(service, full)}/cancel`, {});
  await keyed('domain', '/wallet/domains', { domainName: 'shop.example.com' });
  const certificate = await keyed('csr', '/wallet/certificates', { merchantIdentifier: 'merchant.com.example' });
  const split = await keyed('split', '/marketplace/v1/transaction', splitBody(full, [aChild(full, 0, 1_002)]));
  await keyed('split paid', `/marketplace/v1/transaction/${split.body.transactionId}/pay`, {
    cardPaymentData: { token },
  });
  const refundId = await aRefund(service, full, paid, { amount: 1 });
  const recurringId = await aRecurring(service, full, {
    paymentInstrument: { paymentType: 'card_token', value: instrument },
    callbackUrl: receiver.url,
  });
  await settleAll(service.world);
  await tickAll(service.world);
  const settlements = (await service.rooms.settlements.cut([full.id])) ?? [];
  await aPayoutAccount(service, full);
  const payout = await aPayout(service, full, 1n);
  const column = (rows: Promise<string[]>, what: string) => rows.then((values) => values.map((one) => [what, one]));
  const account = await readAccountSecrets(service.world, full.id);
  return {
    full,
    readOnly: await aCredential(service, full, 'read_only'),
    ids: {
      transactionId: await sql.many((row) => readText(row, 'id'))`select id from transaction`,
      eventId: await sql.many((row) => readText(row, 'id'))`select id from event`,
      refundId: [refundId],
      recurringId: [recurringId],
      settlementId: settlements.map(({ id }) => id),
      payoutId: [payout.id],
      key: ['created', 'paid', 'canceled', 'split', 'split paid'],
      accountId: [full.id],
      domainName: ['shop.example.com'],
      certificateId: [certificate.body.certificateId],
    },
    secrets: [
      ...(await column(sql.many((row) => readText(row, 'key'))`select pay_key as key from transaction`, 'pay key')),
      ...(await column(
        sql.many((row) => readText(row, 'link'))`select link from charge where link is not null`,
        'page of the bank',
      )),
      ['card token', token],
      ['card token', instrument],
      ['security code', account.securityCode.reveal()],
      ['webhook secret', account.webhookSecret.reveal()],
    ] as [string, string][],
  };
}

/** Every path of an endpoint: one for each id that it takes. */
function pathsOf({ id, path }: Endpoint, ids: Ids): string[] {
  const [, parameter] = /\{(\w+)\}/.exec(path) ?? [];
  if (parameter === undefined) return [path];
  const values = ids[parameter];
  if (!values || values.length === 0) throw new Error(`${id} takes a {${parameter}}: there is none to ask with.`);
  return values.map((value) => path.replace(`{${parameter}}`, value));
}

/** Calls every endpoint that takes a token, and returns which secrets were in which responses. */
export async function leaksTo(
  service: Service,
  { token }: TestMerchant,
  { ids, secrets }: Furnished,
): Promise<{ asked: number; leaks: string[] }> {
  const leaks: string[] = [];
  let asked = 0;
  for (const endpoint of endpoints.filter(({ access }) => access !== 'none')) {
    for (const path of pathsOf(endpoint, ids)) {
      const post = { body: endpoint.example.request ?? {}, headers: { 'idempotency-key': 'created' } };
      const { text } = await service.ask(endpoint.method, path, {
        token,
        ...(endpoint.body || endpoint.method === 'POST' ? post : {}),
      });
      asked += 1;
      for (const [what, value] of secrets) if (text.includes(value)) leaks.push(`${endpoint.id} shows a ${what}`);
    }
  }
  return { asked, leaks: [...new Set(leaks)] };
}
