// Reads and writes across merchants: one merchant calls every endpoint with every id of another. Each response must
// equal that for a nonexistent id, byte for byte, and nothing of the other may have changed.

import type { Endpoint } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { readText } from '../../src/database/index.ts';
import { idsFrom, systemRandom } from '../../src/runtime/index.ts';
import { aChild, aPaidSplit, aPartner, aSplit, refundSplit } from '../support/marketplace.ts';
import { aPaidTransaction, aTransaction, settleAll, show } from '../support/payments.ts';
import { aPayout, aPayoutAccount } from '../support/payouts.ts';
import { aReceiver } from '../support/receiver.ts';
import { aRecurring, aRecurringRequest } from '../support/recurring.ts';
import { aRefund, fund } from '../support/refunds.ts';
import { tickAll } from '../support/rooms.ts';
import { type Answer, aMerchant, aService, type Service, type TestMerchant } from '../support/service.ts';
import { aCertificate, aRequest } from '../support/wallet.ts';
import type { ProveOptions, Seen } from './figure.ts';

/** Ids of the other merchant, by the name of their parameter. */
type Foreign = Readonly<Record<string, readonly string[]>>;

/** A merchant with one of everything; a partner, because merchants have no sellers. */
async function furnish(service: Service): Promise<{ owner: TestMerchant; foreign: Foreign }> {
  const owner = await aPartner(service, [{}]);
  const [seller] = owner.sellers as [TestMerchant];
  await fund(service, owner, 1_000_000n);
  const receiver = await aReceiver();
  const callbacks = { notification: { url: receiver.url } };
  const pending = await aTransaction(service, owner, { callbacks });
  const canceled = await aTransaction(service, owner, { callbacks });
  await service.ask('POST', `/transactions/${canceled}/cancel`, { token: owner.token });
  const paid = await aPaidTransaction(service, owner, { callbacks });
  const refunded = await aPaidTransaction(service, owner, { callbacks });
  const refundId = await aRefund(service, owner, refunded, {});
  const more = { transactionCallbacks: [{ type: 3, value: receiver.url }] };
  const split = await aSplit(service, owner, [aChild(owner, 0, 100)], more);
  const paidSplit = await aPaidSplit(service, owner, [aChild(owner, 0, 100)], more);
  const { refundId: splitRefundId } = (await refundSplit(service, owner, paidSplit)).body;
  const recurringId = await aRecurring(service, owner);
  const domainName = 'owner.example.com';
  await service.ask('POST', '/wallet/domains', { token: owner.token, body: { domainName } });
  const [requested, active] = [await aRequest(service, owner), await aCertificate(service, owner)];
  const key = 'owner-key-1';
  const body = { amount: 1, description: 'x' };
  await service.ask('POST', '/transactions', { token: owner.token, body, headers: { 'idempotency-key': key } });
  await settleAll(service.world);
  await tickAll(service.world);
  const [settlement] = (await service.rooms.settlements.cut([owner.id])) ?? [];
  if (!settlement) throw new Error('The owner has no settlement.');
  await aPayoutAccount(service, owner);
  const payout = await aPayout(service, owner, 1n);
  // Its settlement is there before anybody asks.
  await settleAll(service.world);
  const eventIds = await service.world.db.sql.many((row) => readText(row, 'id'))`
    select id from event where account_id = ${owner.id}`;
  const transactionIds = [pending, canceled, paid, refunded, split, paidSplit];
  return {
    owner,
    foreign: {
      transactionId: transactionIds,
      refundId: [refundId, splitRefundId],
      recurringId: [recurringId],
      settlementId: [settlement.id],
      payoutId: [payout.id],
      eventId: eventIds,
      key: [key],
      accountId: [seller.id, owner.id],
      domainName: [domainName],
      certificateId: [requested.id, active.id],
    },
  };
}

function pathParameters({ path }: Endpoint): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
}

function ask(service: Service, endpoint: Endpoint, token: string, id: string, headers = {}): Promise<Answer> {
  const path = endpoint.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(id));
  const body = endpoint.body || endpoint.method === 'POST' ? (endpoint.example.request ?? {}) : undefined;
  return service.ask(endpoint.method, path, { token, headers, ...(body === undefined ? {} : { body }) });
}

/** The response without parts that always differ. */
function shape({ status, text }: Answer): string {
  return `${status} ${text.replace(/"requestId":"\w+"/, '')}`;
}

/** Everything that belongs to an account, as text. */
async function rowsOf(service: Service, owner: TestMerchant): Promise<string> {
  const { sql } = service.world.db;
  const columns = await sql.many((row) => ({
    table: readText(row, 'table_name'),
    column: readText(row, 'column_name'),
  }))`
    select table_name, column_name from information_schema.columns
     where table_schema = 'public' and column_name in ('merchant_id', 'account_id') order by 1, 2`;
  const parts: string[] = [];
  for (const { table, column } of columns) {
    const query = [`select to_jsonb(owned)::text as row from ${table} as owned where ${column} = `, ' order by 1'];
    parts.push(...(await sql.many((row) => readText(row, 'row'))(query as unknown as TemplateStringsArray, owner.id)));
  }
  return parts.join('\n');
}

export async function proveTenants({ print }: ProveOptions): Promise<Seen[]> {
  const service = await aService();
  const { owner, foreign } = await furnish(service);
  const stranger = await aMerchant(service, { kind: 'partner' });
  const unknownId = idsFrom(service.world.clock, systemRandom()).ulid();
  // Written behind the responses: what the owner asked for above.
  await service.rooms.panel.requests.flush();
  const before = await rowsOf(service, owner);
  const crossed: string[] = [];
  let tried = 0;

  function judge(what: string, answer: Answer, nobody: Answer): void {
    tried += 1;
    if (answer.status !== 404 || shape(answer) !== shape(nobody))
      crossed.push(`${what}: ${shape(answer).slice(0, 120)}`);
  }

  for (const endpoint of endpoints.filter(({ access }) => access !== 'none')) {
    const [parameter] = pathParameters(endpoint);
    if (parameter) {
      const ids = foreign[parameter];
      if (!ids) throw new Error(`${endpoint.id} takes a {${parameter}}: the proof has no foreign one.`);
      const nobody = await ask(service, endpoint, stranger.token, unknownId);
      for (const id of ids) judge(`${endpoint.id} ${id}`, await ask(service, endpoint, stranger.token, id), nobody);
    }
    // Acting for another account.
    const headers = { 'x-merchant-id': owner.id };
    const nobody = await ask(service, endpoint, stranger.token, unknownId, { 'x-merchant-id': unknownId });
    judge(`${endpoint.id} as ${owner.id}`, await ask(service, endpoint, stranger.token, unknownId, headers), nobody);
    // Lists never show what belongs to others.
    if (!parameter && endpoint.method === 'GET') {
      tried += 1;
      const { text } = await service.ask('GET', endpoint.path, { token: stranger.token });
      const seen = Object.values(foreign)
        .flat()
        .filter((id) => text.includes(id));
      crossed.push(...seen.map((id) => `${endpoint.id} shows ${id}`));
    }
  }
  // R1 has the id of the recurring payment in its body.
  const [recurringId = ''] = foreign.recurringId ?? [];
  const taken = await service.ask('POST', '/recurring', {
    token: stranger.token,
    body: { ...aRecurringRequest(service), id: recurringId },
  });
  tried += 1;
  if (taken.status !== 404) crossed.push(`R1 ${recurringId}: ${taken.status}`);

  await settleAll(service.world);
  await service.rooms.panel.requests.flush();
  if ((await rowsOf(service, owner)) !== before) crossed.push('Rows of the other merchant were changed.');
  const [own = ''] = foreign.transactionId ?? [];
  if ((await show(service, owner, own)).status !== 200)
    throw new Error('The owner sees nothing: the proof proves nothing.');
  for (const note of crossed.slice(0, 10)) print(`  ${note}`);
  return [
    {
      figure: 'reads or writes across merchants, every endpoint x every foreign id',
      goal: '0, and the same 404',
      seen: `${crossed.length} of ${tried}`,
      met: crossed.length === 0,
    },
  ];
}
