// The simulated bank over HTTP: the port's client, the protocol, the pages and the callbacks, end to end.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { before, describe, test } from 'node:test';
import {
  aBank,
  aCharge,
  aRefund,
  atEnd,
  blik,
  byKey,
  card,
  linkIdOf,
  pln,
  recurring,
  silent,
} from '../../../test/support/simulated-bank.ts';
import { callbackPath, type ReadCallback, readCallback } from '../../acquirer/callback.ts';
import { type HttpAcquirer, openHttpAcquirer } from '../../acquirer/http.ts';
import type { Callback, OnCallback, StatementLine } from '../../acquirer/port.ts';
import { signRequest } from '../../acquirer/signature.ts';
import { Secret } from '../../kernel/index.ts';
import { systemClock } from '../../runtime/index.ts';
import { openBankHost } from './host.ts';

const keys = [
  { id: 'new', secret: new Secret('n'.repeat(40)) },
  { id: 'old', secret: new Secret('o'.repeat(40)) },
] as const;
const { bank, clock } = aBank();
const reads: ReadCallback[] = [];
let serviceStatus = 204;
let url = '';
let onCallback: OnCallback;
let acquirer: HttpAcquirer;

/** Stands in for the service's callback route. */
const service = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part) => parts.push(part));
  request.on('end', () => {
    const { headers } = request;
    reads.push(readCallback({ headers, rawBody: Buffer.concat(parts) }, keys, systemClock, request.url));
    response.writeHead(serviceStatus).end();
  });
});

before(async () => {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  atEnd(() => service.close());
  const callbackUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}${callbackPath}`;
  const host = await openBankHost({ simulator: bank, keys, wall: systemClock, log: silent, callbackUrl });
  url = await host.app.listen({ host: '127.0.0.1', port: 0 });
  atEnd(() => host.app.close());
  onCallback = host.onCallback;
  acquirer = openHttpAcquirer({ url, keys, wall: systemClock, log: silent });
});

function callbacks(): Callback[] {
  return reads.splice(0).map((read) => {
    assert.equal(read.kind, 'callback');
    return (read as ReadCallback & { kind: 'callback' }).callback;
  });
}

describe('the port over the line is the port', () => {
  // Guarantee: a connector tested against the bank's host sees the same bank as the service does in-process.
  test('every kind of instrument and response comes through', async () => {
    const paid = aCharge();
    assert.deepEqual(await acquirer.charge(paid), { kind: 'approved', amount: pln(1_000) });
    assert.deepEqual(await acquirer.charge(paid), { kind: 'approved', amount: pln(1_000) });
    const refused = aCharge({ instrument: blik('222000') });
    assert.deepEqual(await acquirer.charge(refused), { kind: 'declined', reason: 'insufficient funds' });
    const expired = aCharge({ instrument: card('4111111111111111', '01/20') });
    assert.deepEqual(await acquirer.charge(expired), { kind: 'declined', reason: 'instrument invalid' });
    const retried = aCharge({ instrument: recurring('fail-1-internal-error', 2, 3) });
    assert.equal((await acquirer.charge(retried)).kind, 'approved');
    const saved = { ...card('4111111111111111', '01/20'), recurring: { iteration: 3, attempt: 2 } } as const;
    assert.equal((await acquirer.charge(aCharge({ instrument: saved, initiator: 'merchant' }))).kind, 'approved');
    const waiting = aCharge({ instrument: { kind: 'transfer' } });
    assert.equal((await acquirer.charge(waiting)).kind, 'waiting');
    assert.equal((await acquirer.findCharge(byKey(waiting.key))).kind, 'waiting');
    assert.deepEqual(await acquirer.cancel(byKey(waiting.key)), { kind: 'canceled' });
    assert.deepEqual(await acquirer.cancel(byKey(paid.key)), { kind: 'tooLate' });
    const refund = aRefund(paid.key, 250);
    assert.deepEqual(await acquirer.refund(refund), { kind: 'approved' });
    assert.deepEqual(await acquirer.findRefund(byKey(refund.key)), { kind: 'approved', amount: pln(250) });
    assert.deepEqual(await acquirer.findCharge(byKey('a key/with?signs')), { kind: 'notFound' });
    assert.equal(bank.record().netMinor.get(paid.key), 750n);
  });

  // Guarantee: pages give every line of the period once, over the line as in-process.
  test('it says that it takes every method', async () => {
    assert.equal((await acquirer.readOffers()).kind, 'offers');
    assert.deepEqual(acquirer.offers?.map(({ method, recurring }) => [method, recurring.join()]).sort(), [
      ['blik', 'A,M,O'],
      ['card', 'card'],
      ['online_wallet', ''],
      ['transfer', ''],
      ['wallet', ''],
    ]);
  });

  test('the statement, in pages', async () => {
    const [evening, night] = ['2028-03-10T20:00:00Z', '2028-03-11T01:00:00Z'] as const;
    clock.set(evening);
    const keys = Array.from({ length: 7 }, (_, index) => `statement-${index}`);
    for (const key of keys) await acquirer.charge(aCharge({ key }));
    await acquirer.refund(aRefund('statement-0', 100, 'statement-refund'));
    clock.set(night);
    const [from, to] = [Temporal.Instant.from(evening), Temporal.Instant.from(night)];
    const period = { from, to, deadlineMilliseconds: 1_000 };
    const whole = await bank.statement({ ...period, after: null, limit: 100 });
    assert.equal(whole.kind, 'page');
    const lines: StatementLine[] = [];
    for (let after: string | null = null, pages = 0; pages < 10; pages += 1) {
      const page = await acquirer.statement({ ...period, after, limit: 2 });
      if (page.kind !== 'page') assert.fail(page.kind);
      lines.push(...page.lines);
      after = page.next;
      if (after === null) break;
    }
    assert.deepEqual({ kind: 'page', lines, next: null }, whole);
    assert.deepEqual(
      lines.slice(0, 8).map(({ key }) => key),
      [...keys, 'statement-refund'],
    );
    const payout = lines.at(-1);
    if (payout?.kind !== 'payout') assert.fail(payout?.kind);
    const { captures, refunds } = bank.record();
    const delayed =
      captures.reduce((sum, { amount }) => sum + amount.minor, 0n) -
      refunds.reduce((sum, { amount }) => sum + amount.minor, 0n);
    assert.equal(payout.amount.minor + payout.fee.minor, delayed);
    assert.deepEqual(await acquirer.statement({ ...period, after: 'nonsense', limit: 2 }), {
      kind: 'page',
      lines: [],
      next: null,
    });
  });

  test('a lost response closes the connection, and the money is found', async () => {
    const request = aCharge({ instrument: recurring('lost-answer') });
    assert.deepEqual(await acquirer.charge(request), { kind: 'unknown' });
    assert.deepEqual(await acquirer.findCharge(byKey(request.key)), { kind: 'approved', amount: pln(1_000) });
    const away = aCharge({ instrument: recurring('unreachable') });
    assert.deepEqual(await acquirer.charge(away), { kind: 'notReached' });
  });

  test('an older secret still works, an unknown one does not', async () => {
    const open = (id: string, secret: string) =>
      openHttpAcquirer({ url, keys: [{ id, secret: new Secret(secret) }], wall: systemClock, log: silent });
    assert.equal((await open('old', 'o'.repeat(40)).charge(aCharge())).kind, 'approved');
    const request = aCharge();
    assert.equal((await open('new', 'x'.repeat(40)).charge(request)).kind, 'unknown');
    assert.deepEqual(await acquirer.findCharge(byKey(request.key)), { kind: 'notFound' });
  });
});

describe('the host refuses', () => {
  const post = (body: string, headers: Record<string, string>) =>
    fetch(`${url}/charges`, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });

  test('what is not signed, before it reads it', async () => {
    assert.equal((await post('{}', {})).status, 401);
    assert.equal((await fetch(`${url}/charges/A`)).status, 401);
  });

  test('what is signed but malformed', async () => {
    for (const body of ['', '{', '{}', '[]']) {
      const signed = signRequest(keys[0], { method: 'POST', path: '/charges', body }, systemClock);
      assert.equal((await post(body, signed)).status, 400);
    }
  });
});

describe('callbacks', () => {
  test('arrive signed, and are repeated after a 503', async () => {
    reads.length = 0;
    const request = aCharge({ instrument: blik('500000') });
    await acquirer.charge(request);
    clock.advance({ minutes: 2 });
    serviceStatus = 503;
    assert.equal(await bank.deliverDue(onCallback), 0);
    serviceStatus = 204;
    clock.advance({ seconds: 5 });
    assert.equal(await bank.deliverDue(onCallback), 1);
    const declined = { kind: 'charge', key: request.key, result: { kind: 'declined', reason: 'timed out' } };
    assert.deepEqual(callbacks(), [declined, declined]);
  });
});

describe('the bank’s pages', () => {
  const confirm = async (linkId: string, body: string, headers = {}) =>
    fetch(`${url}/bank/confirm/${linkId}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      redirect: 'manual',
    });

  async function aWaitingCharge(overrides: Parameters<typeof aCharge>[0] = {}) {
    const request = aCharge({ instrument: card(), ...overrides });
    return { ...request, linkId: linkIdOf(await acquirer.charge(request)) };
  }

  test('the payer sees what is asked, in a page that can load and run nothing foreign', async () => {
    const description = '<script>alert(1)</script> & "Order"';
    const { linkId } = await aWaitingCharge({ description, amount: pln(1_234_500) });
    const response = await fetch(`${url}/bank/confirm/${linkId}`);
    const html = await response.text();
    assert.equal(response.status, 200);
    for (const text of ['Test bank', 'PLN', '12,345.00', '•••• 1111', '&lt;script&gt;', '>Confirm<', '>Refuse<']) {
      assert.ok(html.includes(text), text);
    }
    assert.ok(!/style=|<script(?! type="module" src="\/bank\/confirm.js\?v=\w+"><\/script>)/.test(html));
    const policy = response.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'/);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    const styleUrl = /href="([^"]+style\.css[^"]*)"/.exec(html)?.[1];
    assert.equal((await fetch(`${url}${styleUrl}`)).headers.get('content-type'), 'text/css; charset=utf-8');
  });

  test('Polish for those who prefer it', async () => {
    const { linkId } = await aWaitingCharge();
    const headers = { 'accept-language': 'cs, en;q=0.5, pl-PL;q=0.9' };
    const html = await (await fetch(`${url}/bank/confirm/${linkId}`, { headers })).text();
    assert.ok(html.includes('<html lang="pl">') && html.includes('Potwierdź') && html.includes('10,00'));
  });

  // Guarantee: the page speaks the language of the payment, names whom the payer pays, and has the name of their bank.
  test('what the request says about the merchant, the language and the bank', async () => {
    const shown = { merchantName: 'Tea & House', language: 'it', instrument: { kind: 'transfer', bank: 'Bank Beta' } };
    const { linkId } = await aWaitingCharge(shown as Parameters<typeof aCharge>[0]);
    const headers = { 'accept-language': 'pl' };
    const html = await (await fetch(`${url}/bank/confirm/${linkId}`, { headers })).text();
    for (const text of ['<html lang="it">', 'Conferma il bonifico', 'Tea &amp; House', '>Bank Beta</p>'])
      assert.ok(html.includes(text), text);
  });

  // Guarantee: the service knows the result before the payer returns.
  test('a choice is reported immediately and returns the payer; a second one changes nothing', async () => {
    callbacks();
    const { linkId, key, returnUrl } = await aWaitingCharge();
    for (const choice of ['confirm', 'confirm', 'refuse']) {
      const response = await confirm(linkId, `choice=${choice}`);
      assert.deepEqual([response.status, response.headers.get('location')], [303, returnUrl]);
    }
    assert.deepEqual(callbacks(), [{ kind: 'charge', key, result: { kind: 'approved', amount: pln(1_000) } }]);
    const html = await (await fetch(`${url}/bank/confirm/${linkId}`)).text();
    assert.ok(html.includes('This payment is confirmed.') && !html.includes('<form'));
  });

  test('a refusal is reported as such', async () => {
    callbacks();
    const { linkId, key } = await aWaitingCharge();
    assert.equal((await confirm(linkId, 'choice=refuse')).status, 303);
    assert.deepEqual(callbacks(), [{ kind: 'charge', key, result: { kind: 'declined', reason: 'payer rejected' } }]);
  });

  // Guarantee: when the service is down, the payment is not lost and the payer is not stuck.
  test('the payer goes back even if the service does not take the callback, which stays due', async () => {
    callbacks();
    const { linkId, key } = await aWaitingCharge();
    serviceStatus = 500;
    assert.equal((await confirm(linkId, 'choice=confirm')).status, 303);
    serviceStatus = 204;
    clock.advance({ seconds: 5 });
    assert.equal(await bank.deliverDue(onCallback), 1);
    assert.deepEqual(
      callbacks().map((callback) => callback.key),
      [key, key],
    );
  });

  test('a choice after a cancel says so, and captures nothing', async () => {
    const { linkId, key } = await aWaitingCharge();
    await acquirer.cancel(byKey(key));
    const response = await confirm(linkId, 'choice=confirm');
    assert.equal(response.status, 409);
    assert.ok((await response.text()).includes('This payment was canceled.'));
    assert.equal(bank.record().netMinor.get(key), undefined);
  });

  test('unknown links and unreadable choices', async () => {
    const { linkId, key } = await aWaitingCharge();
    for (const response of [await fetch(`${url}/bank/confirm/nothing`), await confirm('nothing', 'choice=confirm')]) {
      assert.equal(response.status, 404);
      assert.ok((await response.text()).includes('No such payment'));
    }
    assert.equal((await confirm(linkId, '')).status, 400);
    assert.equal((await confirm(linkId, 'choice=maybe')).status, 400);
    assert.equal((await confirm(linkId, 'x'.repeat(5_000))).status, 413);
    assert.equal((await acquirer.findCharge(byKey(key))).kind, 'waiting');
  });

  // Guarantee: knowing the link is not enough to make the payer's browser confirm.
  test('a form of another site chooses nothing; one of our own does, and its browser may name its origin', async () => {
    const { linkId, key } = await aWaitingCharge();
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }, { origin: 'null' }])
      assert.equal((await confirm(linkId, 'choice=confirm', headers)).status, 403);
    assert.equal((await acquirer.findCharge(byKey(key))).kind, 'waiting');
    const page = await fetch(`${url}/bank/confirm/${linkId}`);
    assert.equal(page.headers.get('referrer-policy'), 'same-origin');
    assert.equal((await confirm(linkId, 'choice=confirm', { origin: url })).status, 303);
  });

  // Guarantee: the bank's pages cannot be used to run a script in the payer's browser.
  test('a return address that is not of the web is not followed', async () => {
    const { linkId } = await aWaitingCharge({ returnUrl: 'javascript:alert(1)' });
    const response = await confirm(linkId, 'choice=confirm');
    assert.equal(response.status, 200);
    assert.ok(!(await response.text()).includes('javascript:'));
  });
});
