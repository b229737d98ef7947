import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { methodNames, methods } from '../../contract/methods.ts';
import { TestClock } from '../../test/support/clock.ts';
import { openLog } from '../runtime/index.ts';
import { type AskedOffers, KnownOffers, type OffersAnswer, offersFromWire, wireFromOffers } from './offers.ts';

const blik = { method: 'blik', currency: 'PLN', leastMinor: 100, mostMinor: 500_000, recurring: ['O'] };
const { recurring: _, ...card } = { ...blik, method: 'card' };
const read = (...offers: object[]) => offersFromWire({ kind: 'offers', offers });

suite('the offers of an acquirer over HTTP', () => {
  test('are its methods, currencies and amounts, typed into fields of ours', () => {
    const limits = { currency: 'PLN', leastMinor: 100n, mostMinor: 500_000n, fields: 'own' };
    const answer = read({ ...blik, more: 1 }, card);
    assert.deepEqual(answer.kind === 'offers' && answer.offers.map(({ method, recurring }) => [method, recurring]), [
      ['blik', ['O']],
      ['card', []],
    ]);
    const { offers } = answer as OffersAnswer & { kind: 'offers' };
    const asked = { ...offers[0], method: 'transfer', asksEmail: true };
    assert.deepEqual(offersFromWire(wireFromOffers([asked] as typeof offers)), { kind: 'offers', offers: [asked] });
    for (const offer of offers) assert.deepEqual({ ...offer, ...limits }, offer);
    assert.deepEqual(offersFromWire(JSON.parse(JSON.stringify(wireFromOffers(offers)))), answer);
    assert.deepEqual(read(), { kind: 'offers', offers: [] });
  });

  // Guarantee: payers are asked for what an acquirer needs: only where the pay page has the field for it may one need it.
  test('ask for an email address only where the pay page does', () => {
    for (const method of methodNames) {
      const answer = read(blik, { ...card, method, asksEmail: true });
      const isAsked = 'redirect' in methods[method];
      assert.equal(answer.kind, isAsked ? 'offers' : 'refused', method);
      if (answer.kind === 'refused')
        assert.equal(answer.why, '/offers/1/asksEmail is only for transfer, online_wallet');
      assert.equal(read({ ...card, method, asksEmail: false }).kind, 'offers');
    }
  });

  // Guarantee: a list that is not understood is not guessed at, and the operator is told where it is wrong.
  test('that are malformed are refused as a whole, with the place and without the value', () => {
    for (const [wrong, where] of [
      [{ ...card, method: 'coins' }, '/offers/1/method'],
      [{ ...card, currency: 'XXX' }, '/offers/1/currency'],
      [{ ...card, leastMinor: 1.5 }, '/offers/1/leastMinor'],
      [{ ...card, leastMinor: 0 }, '/offers/1/leastMinor'],
      [{ ...card, mostMinor: '100' }, '/offers/1/mostMinor'],
      [{ ...card, mostMinor: 99 }, '/offers/1 has a leastMinor above its mostMinor'],
      [{ ...card, recurring: ['B'] }, '/offers/1/recurring/0'],
      [{ method: 'card', currency: 'PLN', mostMinor: 1 }, '/offers/1 must have required properties leastMinor'],
    ] as const) {
      const answer = read(blik, wrong);
      assert.ok(answer.kind === 'refused' && answer.why.startsWith(where), JSON.stringify(answer));
      assert.doesNotMatch(answer.why, /coins|XXX|1\.5/);
    }
    for (const wrong of [undefined, null, [], { kind: 'offers' }, { kind: 'approved' }])
      assert.equal(offersFromWire(wrong).kind, 'refused');
    assert.equal(read(...Array(101).fill(blik)).kind, 'refused');
  });
});

suite('the offers that are known', () => {
  const offers = (read(blik) as OffersAnswer & { kind: 'offers' }).offers;

  /** Whoever asks gets what was read; a moment later what was asked for meanwhile is there. */
  function known() {
    const [wall, lines] = [new TestClock(), [] as string[]];
    const log = openLog({ level: 'error' }, { write: (line: string) => void lines.push(line) });
    const say: { answer: AskedOffers | Error; asked: number } = { answer: { kind: 'offers', offers }, asked: 0 };
    const ask = async () => {
      say.asked += 1;
      if (say.answer instanceof Error) throw say.answer;
      return say.answer;
    };
    const current = async (seconds: number) => {
      wall.advance({ seconds });
      const before = tools.current;
      await new Promise((resolve) => setImmediate(resolve));
      return [before, say.asked];
    };
    const tools = new KnownOffers({ ask, wall, log });
    return { tools, say, current, lines };
  }

  test('are everything until they are read, and nobody is asked before', async () => {
    const { tools, current } = known();
    assert.deepEqual(await current(3_600), [undefined, 0]);
    await tools.read();
    assert.deepEqual(await current(0), [offers, 1]);
  });

  // Guarantee: a payment never waits for the list, and a change is seen a minute later.
  test('are read again while they are used, behind those who use them', async () => {
    const { tools, say, current } = known();
    await tools.read();
    say.answer = { kind: 'offers', offers: [] };
    assert.deepEqual(await current(59), [offers, 1]);
    assert.deepEqual(await current(1), [offers, 2]);
    assert.deepEqual(await current(1), [[], 2]);
    say.answer = { kind: 'everything' };
    assert.deepEqual(await current(60), [[], 3]);
    assert.deepEqual(await current(0), [undefined, 3]);
  });

  // Guarantee: what a signed list said stays until a signed answer says otherwise: a proxy that answers 404 changes nothing.
  test('stay if an answer that nobody signed says that there is no such list', async () => {
    const { tools, say, current } = known();
    say.answer = { kind: 'noPath' };
    assert.deepEqual([await tools.read(), tools.current], [{ kind: 'everything' }, undefined]);
    say.answer = { kind: 'offers', offers };
    await tools.read();
    say.answer = { kind: 'noPath' };
    assert.deepEqual(await tools.read(), { kind: 'unknown' });
    assert.deepEqual((await current(60))[0], offers);
    assert.deepEqual((await current(0))[0], offers);
    say.answer = { kind: 'offers', offers: [] };
    await tools.read();
    say.answer = { kind: 'noPath' };
    await tools.read();
    assert.deepEqual(tools.current, []);
  });

  // Guarantee: a list that cannot be read changes nothing about what can be paid.
  test('go on when they cannot be read again', async () => {
    const { tools, say, current, lines } = known();
    await tools.read();
    let asked = 1;
    for (const answer of [
      { kind: 'refused', why: '/offers/0/method is wrong' },
      { kind: 'unknown' },
      { kind: 'notReached' },
      new Error('broken'),
    ] as const) {
      say.answer = answer;
      asked += 1;
      assert.deepEqual(await current(60), [offers, asked]);
      assert.deepEqual(await current(0), [offers, asked]);
    }
    assert.deepEqual(
      lines.map((line) => [JSON.parse(line).msg, JSON.parse(line).why]),
      [
        ['the offers of the acquirer were refused', '/offers/0/method is wrong'],
        ['the offers could not be read again', undefined],
      ],
    );
  });
});
