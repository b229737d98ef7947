// The pay page over plain HTTP: what it forbids, what it accepts, what it never reveals.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { channelIds } from '../../contract/methods.ts';
import { readText } from '../../src/database/index.ts';
import { aPayPage, attemptsOf, capturesOf } from '../support/payer.ts';
import { checkInvariants, payBlik } from '../support/payments.ts';
import { aMerchant, aService, type Service, type TestMerchant } from '../support/service.ts';

suite('GET and POST /pay/{address}', () => {
  const logLines: string[] = [];
  let service: Service;
  let merchant: TestMerchant;

  before(async () => {
    service = await aService({ logLines });
    merchant = await aMerchant(service);
  });

  async function aPage(body: object = {}) {
    const { id, url } = await aPayPage(service, merchant, body);
    return { id, path: new URL(url).pathname };
  }
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(service.url + path, { headers, redirect: 'manual' });
  async function send(path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
    // Avoids the rate limit, which has its own test.
    service.world.wall.advance({ seconds: 1 });
    return fetch(service.url + path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers,
      redirect: 'manual',
    });
  }
  const blik = { method: '64', attempt: '1', blik: '777123' };

  // Guarantee: only our own files run or load, and nobody can frame the page, cache it, or learn its URL.
  test('200: the headers', async () => {
    const { path } = await aPage();
    const { status, headers } = await get(path);
    assert.equal(status, 200);
    const policy = headers.get('content-security-policy') ?? '';
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ])
      assert.ok(policy.split('; ').includes(rule), rule);
    assert.ok(!policy.includes('unsafe'));
    assert.equal(headers.get('referrer-policy'), 'same-origin');
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
  });

  // Guarantee: the page contains no secret of the merchant and nothing that the payer need not see.
  test('200: what it does not tell', async () => {
    const { path, id } = await aPage({
      hiddenDescription: 'order-secret',
      payer: { email: 'jan@example.com', name: 'Jan' },
    });
    const html = await (await get(path)).text();
    for (const secret of ['order-secret', 'jan@example.com', merchant.id, merchant.posId])
      assert.ok(!html.includes(secret));
    assert.ok(html.includes(id), 'its own address only');
  });

  // Guarantee: without the key a transaction looks as if it did not exist, byte for byte.
  test('404: unknown id, wrong key, malformed address alike', async () => {
    const { path, id } = await aPage();
    const wrong = [
      `/pay/01ARZ3NDEKTSV4RRFFQ69G5FAV.${path.split('.')[1]}`,
      `/pay/${id}.${'A'.repeat(22)}`,
      `/pay/${id}.`,
      `/pay/${id}`,
      '/pay/x',
    ];
    const answers = await Promise.all(
      wrong.map(async (address) => [(await get(address)).status, await (await get(address)).text()]),
    );
    for (const answer of answers) assert.deepEqual(answer, answers[0]);
    assert.equal(answers[0]?.[0], 404);
    for (const suffix of ['/status', '/cancel', '/bank', '/leave'])
      assert.equal((await get(`/pay/${id}.A${suffix}`)).status, 404);
    assert.equal((await send(`/pay/${id}.A/cancel`, {})).status, 404);
  });

  // Guarantee: a blocked merchant cannot be paid.
  test('404: a pending payment of a blocked merchant', async () => {
    const blocked = await aMerchant(service);
    const { url } = await aPayPage(service, blocked);
    await service.world.db.sql.run`update account set status = 'blocked' where id = ${blocked.id}`;
    assert.equal((await get(new URL(url).pathname)).status, 404);
  });

  // Guarantee: however often a form arrives, concurrently or later, one attempt starts.
  test('303: the same form twenty times', async () => {
    const { path, id } = await aPage();
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(path, blik)));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([303]));
    assert.equal((await send(path, blik)).status, 303);
    assert.deepEqual([await attemptsOf(service, id), await capturesOf(service, id)], [['64 correct'], 1]);
    await checkInvariants(service.world);
  });

  // Guarantee: a form of an earlier state starts nothing, and neither does one that we never showed.
  test('303: stale and forged forms', async () => {
    const { path, id } = await aPage();
    await payBlik(service, merchant, id, '111111');
    for (const attempt of ['1', '3', '0', '-1', 'x', ''])
      assert.equal((await send(path, { ...blik, attempt })).status, 303);
    for (const method of ['75', '99', ''])
      assert.equal((await send(path, { ...blik, attempt: '2', method })).status, 303);
    assert.deepEqual(await attemptsOf(service, id), ['64 failed']);
  });

  // Guarantee: no other site can submit our forms.
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ]) {
    test(`403: ${JSON.stringify(headers)}`, async () => {
      const { path, id } = await aPage();
      const answers = await Promise.all([send(path, blik, headers), send(`${path}/cancel`, {}, headers)]);
      assert.deepEqual(
        answers.map(({ status }) => status),
        [403, 403],
      );
      assert.deepEqual(await attemptsOf(service, id), []);
      assert.match(await (await get(path)).text(), /method=64/);
    });
  }

  // Guarantee: a form that cannot be read is refused as such, in the payer's language, and is no fault on our side.
  for (const [status, what, more] of [
    [400, 'a field twice', '&blik=777124'],
    [400, 'the attempt twice', '&attempt=1'],
    [400, 'too many fields', '&x='.repeat(200)],
    [413, 'too long', `&x=${'x'.repeat(9_000)}`],
  ] as const) {
    test(`${status}: ${what}`, async () => {
      const { path, id } = await aPage();
      const body = new URLSearchParams(blik) + more;
      const headers = { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'de' };
      const answer = await fetch(service.url + path, { method: 'POST', body, headers });
      assert.equal(answer.status, status);
      const page = await answer.text();
      assert.match(page, /Dieses Formular konnte nicht gelesen werden/);
      assert.match(page, /Es wurde nichts gesendet/);
      assert.deepEqual(await attemptsOf(service, id), []);
    });
  }

  // Guarantee: an expired transaction cannot be paid.
  test('303: expired', async () => {
    const { path, id } = await aPage();
    await service.world.db.sql.run`update transaction set created_at = '2026-01-01T00:00:00Z' where id = ${id}`;
    assert.equal((await send(path, blik)).status, 303);
    assert.deepEqual(await attemptsOf(service, id), []);
    assert.match(await (await get(path)).text(), /This payment has expired/);
  });

  // Guarantee: attempts are limited, and the page says so.
  test('200: too many attempts', async () => {
    const { path, id } = await aPage();
    await Promise.all(Array.from({ length: 100 }, () => payBlik(service, merchant, id, '111111')));
    assert.match(await (await get(path)).text(), /Too many attempts/);
    assert.equal((await send(path, { ...blik, attempt: '101' })).status, 303);
    assert.equal((await attemptsOf(service, id)).length, 100);
  });

  // Guarantee: invalid requests get a page in the payer's language.
  test('405, 413: as pages', async () => {
    const { path } = await aPage();
    const wrong = await fetch(service.url + path, { method: 'PUT', headers: { 'accept-language': 'pl' } });
    assert.deepEqual([wrong.status, wrong.headers.get('allow')], [405, 'HEAD, GET, POST']);
    assert.match(await wrong.text(), /<html lang="pl">/);
    const large = await send(path, { ...blik, blik: 'x'.repeat(10_000) });
    assert.deepEqual([large.status, large.headers.get('content-type')], [413, 'text/html; charset=utf-8']);
  });

  // Guarantee: nobody can try cards or codes as fast as the network allows.
  test('429: too many forms from one address', async () => {
    const { path } = await aPage();
    const body = new URLSearchParams({ method: 'none' });
    const post = () => fetch(service.url + path, { method: 'POST', body, redirect: 'manual' });
    const answers = await Promise.all(Array.from({ length: 60 }, post));
    assert.ok(answers.filter(({ status }) => status === 429).length >= 20);
  });

  suite('language', () => {
    // Guarantee: the merchant's lang is used, otherwise the browser's; English for languages that we do not have.
    for (const [lang, header, expected] of [
      ['de', 'pl', 'de'],
      ['uk', undefined, 'uk'],
      ['fr', 'pl', 'fr'],
      [undefined, 'cs', 'en'],
      [undefined, 'uk-UA,uk;q=0.9', 'uk'],
      [undefined, undefined, 'en'],
    ] as const) {
      test(`${lang} ${header}: ${expected}`, async () => {
        const { path } = await aPage(lang ? { lang } : {});
        const html = await (await get(path, header ? { 'accept-language': header } : {})).text();
        assert.ok(html.includes(`<html lang="${expected}">`));
      });
    }
  });

  // Guarantee: the payer's own choice counts, also where no cookie is kept, and the transaction takes the language in
  // which it was paid; mails about it follow.
  test('the choice of another language', async () => {
    const { id, path } = await aPage({ lang: 'pl' });
    const chosen = await get(`${path}?method=64&lang=fr`);
    const page = await chosen.text();
    assert.ok(page.includes('<html lang="fr">') && page.includes('href="?method=64&amp;lang=ru"'));
    const cookie = chosen.headers.get('set-cookie') ?? '';
    assert.equal(cookie, `lang=fr; Path=${path}; HttpOnly; SameSite=Lax`);
    assert.match(await (await get(path, { cookie: 'other=1; lang=fr' })).text(), /<html lang="fr">/);
    assert.match(await (await get(path)).text(), /<html lang="pl">/);
    for (const lang of ['xx', 'toString', '"><script>'])
      assert.equal((await get(`${path}?lang=${encodeURIComponent(lang)}`)).headers.get('set-cookie'), null);
    assert.match(await (await send(path, { ...blik, blik: '7', lang: 'it' })).text(), /<html lang="it">/);
    await send(path, { ...blik, lang: 'fr' });
    assert.match(await (await get(path)).text(), /<html lang="fr">/);
    assert.equal(
      await service.world.db.sql.one((row) => readText(row, 'lang'))`select lang from transaction where id = ${id}`,
      'fr',
    );
  });

  // Guarantee: the script stays small, and every file is sent with a type and a cache lifetime.
  test('the weight of what the page loads', async () => {
    const { path } = await aPage();
    const html = await (await get(path)).text();
    const [script = ''] = html.match(/\/assets\/pay\/pay\.js\?v=\w+/) ?? [];
    const [style = ''] = html.match(/\/assets\/pay\/pay\.css\?v=\w+/) ?? [];
    const weigh = async (address: string) => gzipSync(Buffer.from(await (await get(address)).arrayBuffer())).length;
    const [wallet = ''] = html.match(/\/assets\/pay\/wallet\.js\?v=\w+/) ?? [];
    assert.ok((await weigh(script)) + (await weigh(wallet)) <= 20_480, 'scripts');
    assert.ok((await weigh(style)) <= 10_240, 'style');
    // Loaded only where the wallet is offered: the wallet script, and the vendor's, here that of the simulated device.
    assert.equal((html.match(/<script/g) ?? []).length, 3);
    assert.equal(((await (await get(`${path}?method=64`)).text()).match(/<script/g) ?? []).length, 1);
    assert.ok(!/<style|style="|onclick=|javascript:/.test(html));
    assert.equal((await get(script)).headers.get('cache-control'), 'public, max-age=31536000, immutable');
  });

  // Guarantee: the code for phones is an image that can run nothing, made only where the payment exists.
  test('the QR code of the page', async () => {
    const { path } = await aPage();
    assert.ok((await (await get(path)).text()).includes(`src="${path}/qr.svg"`));
    const answer = await get(`${path}/qr.svg`);
    assert.equal(answer.headers.get('content-type'), 'image/svg+xml; charset=utf-8');
    assert.equal(answer.headers.get('content-security-policy'), "default-src 'none'; sandbox");
    assert.match(await answer.text(), /^<svg [^>]+><path fill="#fff"[^>]+><path d="M[\dMhvz -]+"\/><\/svg>\n$/);
    assert.equal((await get(`${path}x/qr.svg`)).status, 404);
  });

  // Guarantee: the images that the API names exist.
  test('the pictures of GET /transactions/bank-groups', async () => {
    const { body } = await service.ask('GET', '/transactions/bank-groups', { token: merchant.token });
    assert.equal(body.groups.length, channelIds.length);
    for (const { img } of body.groups) {
      const answer = await get(new URL(img).pathname);
      assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/svg+xml; charset=utf-8']);
    }
  });

  // Guarantee: a page's URL, its key and what is typed there are never logged.
  test('the log knows no key, code or card', async () => {
    const { path } = await aPage({ amount: 10.01 });
    await send(path, { method: '53', attempt: '1', number: '4111 1111 1111 1111', expiry: '12/39', code: '987' });
    await get(path);
    const log = logLines.join('\n');
    assert.ok(log.includes('pay form'), 'the request itself is logged');
    assert.ok(!log.includes(path.split('.')[1] ?? ''), 'the key of the page');
    // As whole numbers: a few digits occur by chance in times and request ids.
    for (const secret of ['4111111111111111', '4111 1111 1111 1111', '777123', '987']) {
      assert.doesNotMatch(log, new RegExp(`(?<![\\w.])${secret}(?![\\w.])`), secret);
    }
  });
});
