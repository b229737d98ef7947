// W1 to W4: domains for on-site wallet payments, and the check of their association file.

import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Socket,
  type Server as TcpServer,
} from 'node:net';
import { before, suite, test } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { readInteger, readText } from '../../src/database/index.ts';
import { quietPort } from '../../src/embedded/index.ts';
import { associationPath } from '../../src/wallet/index.ts';
import { aReceiver, type Receiver, type ReceiverAnswer } from '../support/receiver.ts';
import {
  type Answer,
  aMerchant,
  aNode,
  aService,
  atEnd,
  faultsOf,
  type Service,
  serve,
  type TestMerchant,
} from '../support/service.ts';
import { walletConfig } from '../support/wallet.ts';

const path = '/wallet/domains';

function add(service: Service, { token }: TestMerchant, domainName: unknown, headers = {}): Promise<Answer> {
  return service.ask('POST', path, { token, headers, body: { domainName } });
}

async function namesOf(service: Service, { token }: TestMerchant): Promise<string[]> {
  const { body } = await service.ask('GET', path, { token });
  return body.domains.map((domain: { domainName: string }) => domain.domainName);
}

suite('wallet domains', () => {
  let service: Service;
  let merchant: TestMerchant;

  before(async () => {
    service = await aService({ config: walletConfig() });
    merchant = await aMerchant(service);
  });

  const posDomains = ({ posId }: TestMerchant) =>
    service.world.db.sql.many((row) => readText(row, 'domain_name'))`
      select domain_name from pos_domain where pos_id = ${posId} order by domain_name`;

  // Guarantee: a registered domain is listed, also belongs to the point of sale, and can be removed.
  test('W2 201, W1, W3: registered, listed, removed', async () => {
    const made = await add(service, merchant, 'Shop.Example.com');
    assert.equal(made.status, 201, made.text);
    assert.equal(made.body.domainName, 'shop.example.com');
    await add(service, merchant, 'a.example.com');
    assert.deepEqual(await namesOf(service, merchant), ['a.example.com', 'shop.example.com']);
    assert.deepEqual(await posDomains(merchant), ['a.example.com', 'shop.example.com']);
    const removed = await service.ask('DELETE', `${path}/SHOP.example.com`, { token: merchant.token });
    assert.deepEqual([removed.status, removed.body.domainName], [200, 'shop.example.com']);
    assert.deepEqual(await namesOf(service, merchant), ['a.example.com']);
    assert.deepEqual(await posDomains(merchant), ['a.example.com', 'shop.example.com'], 'other channels may use it');
    const again = await service.ask('DELETE', `${path}/shop.example.com`, { token: merchant.token });
    assert.equal(again.status, 404);
  });

  // Guarantee: registering again changes nothing, with or without an idempotency key.
  test('W2 201: repeats return the first registration', async () => {
    const first = await add(service, merchant, 'again.example.com');
    service.world.wall.advance({ seconds: 5 });
    const second = await add(service, merchant, 'again.example.com');
    assert.equal(second.status, 201);
    assert.equal(second.body.createdAt, first.body.createdAt);
    const headers = { 'idempotency-key': 'domain-1' };
    const keyed = [
      await add(service, merchant, 'k.example.com', headers),
      await add(service, merchant, 'k.example.com', headers),
    ];
    assert.deepEqual(keyed[0]?.body, keyed[1]?.body);
    assert.equal((await add(service, merchant, 'other.example.com', headers)).status, 422);
  });

  // Guarantee: an account's domain is invisible to another, which may register the same one.
  test('404: domains of another account', async () => {
    const other = await aMerchant(service);
    await add(service, merchant, 'mine.example.com');
    assert.deepEqual(await namesOf(service, other), []);
    for (const [method, at] of [
      ['DELETE', `${path}/mine.example.com`],
      ['POST', `${path}/mine.example.com/check`],
    ] as const) {
      const answer = await service.ask(method, at, { token: other.token, ...(method === 'POST' ? { body: {} } : {}) });
      assert.equal(answer.status, 404, at);
    }
    assert.equal((await add(service, other, 'mine.example.com')).status, 201);
    assert.ok((await namesOf(service, merchant)).includes('mine.example.com'));
  });

  test('400: what is not a host name', async () => {
    for (const name of [
      'https://shop.example.com',
      'shop.example.com/',
      'shop.example.com/path',
      'shop.example.com?x',
      'shop.example.com.',
      '.shop.example.com',
      'shop..example.com',
      '-shop.example.com',
      'shop_1.example.com',
      'shop example.com',
      ' shop.example.com',
      '*.example.com',
      'user@shop.example.com',
      'sklep-ż.example.com',
      'ѕhop.example.com',
      '[::1]',
      '::1',
      '127.1',
      '0x7f.0.0.1',
      'shop.example.com:',
      'shop.example.com:0',
      'shop.example.com:070',
      'shop.example.com:65536',
      'shop.example.com:80:80',
      `${'x'.repeat(64)}.example.com`,
      `${'x.'.repeat(127)}xyz`,
    ]) {
      const answer = await add(service, merchant, name);
      assert.deepEqual(faultsOf(answer), ['not_valid domainName'], name);
    }
    const whole = await add(service, merchant, 'https://shop.example.com');
    assert.equal(whole.body.errors[0].errorMessage, 'Must be a host name, without scheme and path.');
    assert.deepEqual(faultsOf(await add(service, merchant, '')), ['too_short domainName']);
    assert.deepEqual(faultsOf(await add(service, merchant, 'x'.repeat(260))), ['too_long domainName']);
    assert.deepEqual(faultsOf(await add(service, merchant, 7)), ['not_string domainName']);
    assert.deepEqual(faultsOf(await add(service, merchant, undefined)), ['field_required domainName']);
  });

  test('401 and 403: without a token, read-only', async () => {
    assert.equal((await service.ask('POST', path, { body: { domainName: 'x.example.com' } })).status, 401);
    const reader = await aMerchant(service, {}, 'read_only');
    assert.equal((await add(service, reader, 'x.example.com')).status, 403);
    assert.equal((await service.ask('DELETE', `${path}/x.example.com`, { token: reader.token })).status, 403);
    assert.equal(
      (await service.ask('POST', `${path}/x.example.com/check`, { token: reader.token, body: {} })).status,
      403,
    );
    assert.equal((await service.ask('GET', path, { token: reader.token })).status, 200);
  });

  // Guarantee: the sandbox accepts the names of a developer's machine; live mode accepts only public names.
  test('ports, single names and addresses are for the sandbox', async () => {
    const wallet = readConfig({ MODE: 'sandbox' }).wallet;
    const live = await serve({ ...service.world, config: { ...service.world.config, mode: 'live', wallet } });
    const seller = await aMerchant(live);
    for (const name of ['shop.example.com:8443', 'localhost', 'localhost:3001', '127.0.0.1', '127.0.0.1:3001']) {
      assert.deepEqual(faultsOf(await add(live, seller, name)), ['not_valid domainName'], name);
      assert.equal((await add(service, seller, name)).status, 201, name);
    }
    assert.equal((await add(live, seller, 'shop.example.com')).status, 201);
  });

  // Guarantee: an account has at most 100, even with concurrent registrations at two nodes.
  test('400 too_many: 100 domains at most, also by 130 at once', async () => {
    const own = await aMerchant(service, { requestsPerSecond: 1_000_000 });
    const node = await serve(await aNode(service.world));
    const answers = await Promise.all(
      Array.from({ length: 130 }, (_, index) => add(index % 2 ? node : service, own, `d${index}.example.com`)),
    );
    const refused = answers.filter(({ status }) => status !== 201);
    assert.equal(refused.length, 30);
    for (const answer of refused) assert.deepEqual(faultsOf(answer), ['too_many domainName']);
    const [kept = ''] = await namesOf(service, own);
    assert.equal((await namesOf(service, own)).length, 100);
    assert.equal((await posDomains(own)).length, 100, 'a refused one is not at the point of sale either');
    assert.equal((await add(service, own, kept)).status, 201, 'one that is registered is no new one');
    await service.ask('DELETE', `${path}/${kept}`, { token: own.token });
    assert.equal((await add(service, own, 'new.example.com')).status, 201);
  });

  // Guarantee: twenty concurrent registrations of one domain are one row.
  test('W2 201: the same domain by twenty at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => add(service, merchant, 'once.example.com')));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
    const rows = await service.world.db.sql.one((row) => readInteger(row, 'count'))`
      select count(*)::integer as count from wallet_domain
       where merchant_id = ${merchant.id} and domain_name = 'once.example.com'`;
    assert.equal(rows, 1);
  });
});

suite('W4 POST /wallet/domains/{domainName}/check', () => {
  let service: Service;
  let merchant: TestMerchant;
  let receiver: Receiver;
  let file: string;

  before(async () => {
    service = await aService({ config: walletConfig() });
    merchant = await aMerchant(service);
    receiver = await aReceiver();
    file = (await service.ask('GET', '/wallet/domain-association')).text;
    assert.ok(file.length > 100);
  });

  async function check(domainName: string, at = service, of = merchant): Promise<Answer> {
    assert.equal((await add(at, of, domainName)).status, 201);
    const encoded = encodeURIComponent(domainName);
    return at.ask('POST', `${path}/${encoded}/check`, { token: of.token, body: {} });
  }
  type Rule = { rule: string; passed: boolean; detail: string };
  /** The rules that failed, without those that could not be checked. */
  const failed = ({ body }: Answer): string[] =>
    body.rules
      .filter(({ passed, detail }: Rule) => !passed && !detail.startsWith('Not checked'))
      .map(({ rule }: Rule) => rule);
  const host = () => new URL(receiver.url).host;

  // Guarantee: a correct file passes all seven rules; a trailing line break is accepted.
  test('200: the right file passes', async () => {
    for (const body of [file, `${file}\n`]) {
      receiver.answer = { status: 200, body };
      const answer = await check(host());
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.body.passed, true);
      assert.equal(answer.body.domainName, host());
      assert.deepEqual(
        answer.body.rules.map(({ rule }: Rule) => rule),
        ['reachable', 'found', 'no_authorization', 'no_redirect', 'no_server_error', 'content', 'tls'],
      );
    }
    assert.equal(receiver.received.at(-1)?.path, associationPath);
  });

  // Guarantee: each fault is reported by its rule, with a sentence on what to do.
  const cases: readonly (readonly [name: string, answer: ReceiverAnswer, rule: string, sentence: RegExp])[] = [
    ['404', { status: 404, body: '' }, 'found', /404.*Put the file at/],
    ['204', { status: 204, body: '' }, 'found', /204/],
    ['a redirect', { status: 302, body: '', headers: { location: '/elsewhere' } }, 'no_redirect', /redirects \(302\)/],
    ['a permanent redirect', { status: 308, body: '', headers: { location: '/x' } }, 'no_redirect', /308/],
    ['a password', { status: 401, body: '' }, 'no_authorization', /public/],
    ['a bot check', { status: 403, body: '' }, 'no_authorization', /bot checks/],
    ['a server error', { status: 500, body: '' }, 'no_server_error', /log/],
    ['another file', { status: 200, body: 'hello' }, 'content', /unchanged/],
    ['markup', { status: 200, body: '<html></html>' }, 'content', /no markup/],
    ['nothing', { status: 200, body: '' }, 'content', /Download it again/],
    ['a flood', 'flood', 'content', /differs/],
  ];
  for (const [name, answer, rule, sentence] of cases) {
    test(`200: ${name} fails ${rule}`, async () => {
      receiver.answer = answer;
      receiver.received.length = 0;
      const checked = await check(host());
      assert.equal(checked.body.passed, false);
      assert.deepEqual(failed(checked), [rule]);
      assert.match(checked.body.rules.find((one: Rule) => one.rule === rule).detail, sentence);
      assert.equal(receiver.received.length, 1, 'nothing is followed');
    });
  }

  // Guarantee: a server that never answers holds few of our connections, however often it is checked.
  test('429: at most four checks of an account at once', async () => {
    const held: Socket[] = [];
    let isSilent = true;
    const silent = createTcpServer((socket) => {
      held.push(socket.on('error', () => undefined));
      if (!isSilent) socket.destroy();
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    atEnd(async () => silent.close());
    const domainName = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const other = await aMerchant(service);
    for (const account of [merchant, other]) assert.equal((await add(service, account, domainName)).status, 201);
    const ask = ({ token }: TestMerchant) =>
      service.ask('POST', `${path}/${encodeURIComponent(domainName)}/check`, { token, body: {} });
    const statuses: number[] = [];
    let asked: Promise<unknown>[] = [];
    await new Promise<void>((resolve) => {
      asked = Array.from({ length: 30 }, async () => {
        const answer = await ask(merchant);
        if (answer.status === 429) assert.equal(answer.headers.get('retry-after'), '1');
        if (statuses.push(answer.status) === 26) resolve();
      });
    });
    assert.deepEqual(statuses, Array(26).fill(429));
    const elsewhere = ask(other);
    isSilent = false;
    for (const socket of held) socket.destroy();
    await Promise.all(asked);
    assert.deepEqual(statuses.slice(26), [200, 200, 200, 200]);
    assert.equal((await elsewhere).status, 200);
    assert.ok(held.length <= 10, 'https and http for each');
    assert.equal((await ask(merchant)).status, 200);
  });

  test('200: a broken connection fails reachable', async () => {
    receiver.answer = 'drop';
    assert.deepEqual(failed(await check(host())), ['reachable']);
  });

  test('200: nobody listens: fails reachable', async () => {
    assert.deepEqual(failed(await check(`127.0.0.1:${await quietPort()}`)), ['reachable']);
  });

  // Guarantee: an untrusted certificate is reported, although the sandbox also accepts plain http.
  test('200: an untrusted certificate fails tls', async () => {
    const simulated = service.rooms.devices?.simulated;
    const identity = simulated?.vendor.issueServer(['localhost'], service.world.wall.now());
    assert.ok(identity);
    const answer = (_request: unknown, response: ServerResponse) => void response.end(file);
    const [plain, secure] = [
      createServer(answer),
      createSecureServer({ key: identity.privateKey.reveal(), cert: identity.certificate }, answer),
    ];
    const listening = async (server: TcpServer) => {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return (server.address() as AddressInfo).port;
    };
    const [plainPort, securePort] = [await listening(plain), await listening(secure)];
    // Both at one port: the first byte of a TLS connection is 22.
    const shop = createTcpServer((socket) => {
      socket.once('data', (first) => {
        const target = connect(first[0] === 22 ? securePort : plainPort, '127.0.0.1');
        for (const end of [socket, target]) end.on('error', () => socket.destroy());
        target.write(first);
        socket.pipe(target).pipe(socket);
      });
    });
    const port = await listening(shop);
    atEnd(async () => {
      for (const server of [plain, secure]) server.closeAllConnections();
      for (const server of [plain, secure, shop]) server.close();
    });
    const checked = await check(`localhost:${port}`);
    assert.deepEqual(failed(checked), ['tls']);
    assert.match(checked.body.rules.at(-1).detail, /public authority/);
  });

  // Guarantee: every check fetches the file again, with or without an idempotency key.
  test('200: an Idempotency-Key repeats nothing', async () => {
    const ask = () =>
      service.ask('POST', `${path}/${encodeURIComponent(host())}/check`, {
        token: merchant.token,
        body: {},
        headers: { 'idempotency-key': 'check-1' },
      });
    receiver.answer = { status: 404, body: '' };
    assert.equal((await ask()).body.passed, false);
    receiver.answer = { status: 200, body: file };
    assert.equal((await ask()).body.passed, true);
  });

  // Guarantee: the check cannot be used to reach a private network.
  test('200: a domain that leads to a private address is not fetched', async () => {
    const strict = await serve({
      ...service.world,
      config: { ...service.world.config, callbackPolicy: { allowHttp: true, allowPrivate: false } },
    });
    receiver.answer = { status: 200, body: file };
    receiver.received.length = 0;
    const { port } = new URL(receiver.url);
    for (const name of [host(), `localhost:${port}`]) {
      const checked = await check(name, strict);
      assert.deepEqual(failed(checked), ['reachable']);
      assert.match(checked.body.rules[0].detail, /not public/);
    }
    assert.equal(receiver.received.length, 0);
  });

  test('404: a domain that is not registered', async () => {
    const answer = await service.ask('POST', `${path}/none.example.com/check`, { token: merchant.token, body: {} });
    assert.equal(answer.status, 404);
  });
});
