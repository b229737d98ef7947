// P40: browsers follow what changes.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { LiveFeed } from '../../src/panel/live/feed.ts';
import { within } from '../../src/runtime/index.ts';
import { aPerson, type TestPerson } from '../support/panel.ts';
import { aPaidTransaction, aTransaction, settleAll } from '../support/payments.ts';
import { aRefund } from '../support/refunds.ts';
import { aMerchant, aService, type Service, type TestMerchant } from '../support/service.ts';

let service: Service;
let merchant: TestMerchant;

const path = '/panel/api/live';

/** Far longer than an event takes. Without it, one that never comes would stop the whole run. */
const eventMilliseconds = 30_000;

interface Following {
  /** The next event; undefined at the end. */
  next(): Promise<{ name: string; kinds: string[] } | undefined>;
  stop(): Promise<void>;
}

async function follow(person: TestPerson, headers: Record<string, string> = {}): Promise<Following> {
  const stopping = new AbortController();
  const response = await fetch(`${service.url}${path}`, {
    headers: { cookie: person.cookie, ...headers },
    signal: stopping.signal,
  });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  assert.ok(response.body);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  async function next() {
    for (;;) {
      const end = text.indexOf('\n\n');
      const block = end < 0 ? '' : text.slice(0, end);
      if (end >= 0) text = text.slice(end + 2);
      const [, name = '', data = '{}'] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
      if (name) return { name, kinds: (JSON.parse(data).kinds ?? []).sort() };
      if (end >= 0) continue;
      const { value, done } = await reader.read();
      if (done) return undefined;
      text += value;
    }
  }
  return {
    next: () => within(eventMilliseconds, `No event came; read so far: ${JSON.stringify(text)}`, next()),
    stop: async () => {
      stopping.abort();
      // Without it an event that nobody has read would keep the stream open for ever.
      await reader.cancel().catch(() => undefined);
    },
  };
}

const round = () => service.rooms.panel.live.round();

/** All kinds that are told until nothing more is. */
async function untilEvent(following: Following, what: string): Promise<void> {
  for (const seen: string[] = []; !seen.includes(what); ) {
    const event = await following.next();
    assert.equal(event?.name, 'changed');
    seen.push(...event.kinds);
  }
}

before(async () => {
  service = await aService();
  merchant = await aMerchant(service);
});

suite('GET /panel/api/live', () => {
  test('ready first; then what changed, to everybody who looks at the account, and to nobody else', async () => {
    const [one, other] = [
      await aPerson(service, 'owner', merchant.id),
      await aPerson(service, 'read_only', merchant.id),
    ];
    const stranger = await aPerson(service, 'owner', (await aMerchant(service)).id);
    const followings = await Promise.all([follow(one), follow(other)]);
    const strange = await follow(stranger);
    for (const following of [...followings, strange]) assert.equal((await following.next())?.name, 'ready');

    await aTransaction(service, merchant);
    await round();
    for (const following of followings) {
      assert.deepEqual(await following.next(), { name: 'changed', kinds: ['transactions'] });
    }
    const id = await aPaidTransaction(service, merchant, { amount: 50 });
    await settleAll(service.world);
    await round();
    for (const following of followings) await untilEvent(following, 'money');
    await aRefund(service, merchant, id, { amount: 1 });
    await settleAll(service.world);
    await round();
    for (const following of followings) await untilEvent(following, 'refunds');

    // Guarantee: nothing of another account: the end of the session is the first thing that it hears.
    await stranger.ask('POST', '/panel/api/sign-out');
    await round();
    assert.equal((await strange.next())?.name, 'ended');
    assert.equal(await strange.next(), undefined);
    for (const following of followings) await following.stop();
  });

  test('429 for the eleventh connection of a user; another may follow, and again after one has ended', async () => {
    const person = await aPerson(service, 'staff', merchant.id);
    const all = await Promise.all(Array.from({ length: 10 }, () => follow(person)));
    for (const following of all) assert.equal((await following.next())?.name, 'ready');
    const refused = await within(eventMilliseconds, 'An eleventh connection was taken.', person.ask('GET', path));
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '30']);
    const other = await follow(await aPerson(service, 'staff', merchant.id));
    await other.next();
    await other.stop();
    await all[0]?.stop();
    // The server learns of it when it reads the end of the connection.
    const tries = { left: 500, status: 429 };
    for (; tries.left > 0 && tries.status !== 200; tries.left -= 1) {
      const again = await fetch(`${service.url}${path}`, { headers: { cookie: person.cookie } });
      tries.status = again.status;
      await again.body?.cancel();
      service.world.wall.advance({ milliseconds: 20 });
    }
    assert.equal(tries.status, 200, 'a place is free again');
    for (const following of all.slice(1)) await following.stop();
  });

  // Guarantee: one account cannot take the connections of all others.
  test('the people of one account have a share of the connections', async () => {
    const feed = new LiveFeed(service.world);
    const viewer = (index: number, ownAccountId: string) => ({
      userId: `${ownAccountId} ${index}`,
      sessionId: '',
      accountId: merchant.id,
      ownAccountId,
    });
    for (let index = 0; index < 400; index += 1) await feed.follow(viewer(index, merchant.id));
    await assert.rejects(feed.follow(viewer(400, merchant.id)), /too_many_requests/);
    await feed.follow(viewer(0, 'another'));
    feed.end();
  });

  test('401 without a session; HEAD follows nothing', async () => {
    assert.equal((await service.ask('GET', path)).status, 401);
    const person = await aPerson(service, 'staff', merchant.id);
    for (let index = 0; index < 12; index += 1) assert.equal((await person.ask('HEAD', path)).status, 200);
  });

  test('an operator follows the account that it looks at', async () => {
    const operator = await aPerson(service, 'operator', null);
    assert.equal((await operator.ask('GET', path)).status, 403);
    const following = await follow(operator, { 'x-view-as': merchant.id });
    assert.equal((await following.next())?.name, 'ready');
    await aTransaction(service, merchant);
    await round();
    await untilEvent(following, 'transactions');
    await following.stop();
  });

  // Guarantee: who signs out, is blocked or idle for too long hears nothing more.
  test('ends with the session', async () => {
    const person = await aPerson(service, 'staff', merchant.id);
    const following = await follow(person);
    assert.equal((await following.next())?.name, 'ready');
    service.world.wall.advance({ hours: 3 });
    await round();
    assert.equal((await following.next())?.name, 'ended');
    assert.equal(await following.next(), undefined);
  });

  test('ends when the account is blocked, or no longer a seller of the partner', async () => {
    const shop = await aMerchant(service);
    const partner = await aMerchant(service, { kind: 'partner' });
    const { sql } = service.world.db;
    await sql.run`insert into partner_seller values (${partner.id}, ${shop.id})`;
    const own = await follow(await aPerson(service, 'owner', shop.id));
    const theirs = await follow(await aPerson(service, 'owner', partner.id), { 'x-view-as': shop.id });
    for (const following of [own, theirs]) assert.equal((await following.next())?.name, 'ready');
    await sql.run`delete from partner_seller where seller_id = ${shop.id}`;
    await round();
    assert.equal((await theirs.next())?.name, 'ended');
    await aTransaction(service, shop);
    await round();
    await untilEvent(own, 'transactions');
    const operator = await aPerson(service, 'operator', null);
    await operator.ask('POST', `/panel/api/operator/accounts/${shop.id}`, { body: { status: 'blocked' } });
    await round();
    assert.equal((await own.next())?.name, 'ended');
  });
});
