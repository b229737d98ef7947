// R1, POST /recurring.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { addSeller } from '../../src/accounts/index.ts';
import { openVault, type VaultKey } from '../../src/runtime/index.ts';
import { aRecurringRequest, postRecurring } from '../support/recurring.ts';
import {
  aCredential,
  aMerchant,
  aService,
  faultsOf,
  type Service,
  serve,
  type TestMerchant,
} from '../support/service.ts';

type Body = Record<string, unknown>;
type Request = Body & { id: string; schedule: Body };

suite('POST /recurring', () => {
  let service: Service;
  let merchant: TestMerchant;
  let other: TestMerchant;
  before(async () => {
    service = await aService();
    merchant = await aMerchant(service);
    other = await aMerchant(service);
  });

  const post = (body: unknown, who = merchant) => postRecurring(service, who, body);
  const request = (overrides: Body = {}) => aRecurringRequest(service, overrides) as Request;
  const blik = (overrides: object = {}) => ({
    paymentType: 'blik_payid',
    value: 'alias',
    blik: { model: 'A' },
    ...overrides,
  });
  const rowsOf = (id: string) => service.world.db.sql.many((row) => row)`select * from recurring where id = ${id}`;

  const full = (): Request => ({
    ...request({
      hiddenDescription: 'order 7',
      schedule: {
        chargeCount: 12,
        retryIntervals: [
          { value: 30, unit: 'minutes' },
          { value: 1, unit: 'days' },
          { value: 2, unit: 'months' },
        ],
      },
      paymentInstrument: blik({ blik: { model: 'O', noDelay: true } }),
    }),
    payer: {
      email: 'anna@example.com',
      name: 'Anna Nowak',
      phone: '+48123456789',
      address: 'Prosta 1',
      code: '00-001',
      city: 'Warszawa',
      country: 'PL',
      taxId: '5250001009',
    },
    callbackUrl: 'https://shop.example.com/recurring?x=1',
  });

  suite('the first charge in the past', () => {
    const at = (duration: Temporal.DurationLike) => ({
      schedule: {
        firstChargeDate: service.world.clock.now().add(duration).toString(),
        interval: 1,
        intervalType: 'days',
      },
    });

    // Guarantee: a typo does not charge for years: more than a day in the past is refused, by the business clock.
    test('201 up to 24 hours, 400 beyond', async () => {
      assert.equal((await post(request(at({ hours: -24 })))).status, 201);
      for (const past of [{ hours: -24, milliseconds: -1 }, { hours: -25 }, { hours: -24 * 3_650 }]) {
        const given = request(at(past));
        const refused = await post(given);
        assert.deepEqual([refused.status, faultsOf(refused)], [400, ['not_valid schedule.firstChargeDate']]);
        assert.deepEqual(await rowsOf(given.id), []);
      }
    });

    // Guarantee: the same request gets the same response, however much later; with other data it still conflicts.
    test('200 and 409 for a repeat days later', async () => {
      const later = await aService();
      const [mine, foreign] = [await aMerchant(later), await aMerchant(later)];
      const given = aRecurringRequest(later) as Request;
      assert.equal((await postRecurring(later, mine, given)).status, 201);
      later.world.clock.advance({ hours: 24 * 9 });
      assert.equal((await postRecurring(later, mine, given)).status, 200);
      assert.equal((await postRecurring(later, mine, { ...given, description: 'Another box' })).status, 409);
      assert.equal((await postRecurring(later, foreign, given)).status, 404);
      const { schedule } = given;
      const fresh = await postRecurring(later, mine, aRecurringRequest(later, { schedule }));
      assert.deepEqual(faultsOf(fresh), ['not_valid schedule.firstChargeDate']);
    });
  });

  suite('what is kept of the request', () => {
    const hashOf = async (id: string) => String((await rowsOf(id))[0]?.request_hash);
    const withVault = (...keys: VaultKey[]) =>
      serve({ ...service.world, vault: openVault(keys, service.world.random) });

    // Guarantee: a reader of the table cannot test guesses of tokens and aliases: the hash of a request is keyed by the
    // vault.
    test('the hash of the same request differs under another vault key', async () => {
      const given = request();
      const old = { id: 'test', key: service.world.vaultKey };
      const otherVault = await withVault({ id: 'new', key: new Uint8Array(32) }, old);
      assert.equal((await post(given)).status, 201);
      const hash = await hashOf(given.id);
      await service.world.db.sql.run`delete from recurring where id = ${given.id}`;
      assert.equal((await postRecurring(otherVault, merchant, given)).status, 201);
      assert.notEqual(await hashOf(given.id), hash);
    });

    // Guarantee: after the vault key was changed, a repeat is still recognized, and so is different data.
    test('a repeat after a change of vault keys', async () => {
      const given = request();
      assert.equal((await post(given)).status, 201);
      const changed = await withVault(
        { id: 'new', key: new Uint8Array(32) },
        { id: 'test', key: service.world.vaultKey },
      );
      assert.equal((await postRecurring(changed, merchant, given)).status, 200);
      assert.equal((await postRecurring(changed, merchant, { ...given, description: 'Another box' })).status, 409);
    });
  });

  suite('201', () => {
    // Guarantee: the response is the representation of R2, with exactly its fields.
    test('the required fields only', async () => {
      const given = request();
      const { status, body } = await post(given);
      assert.equal(status, 201);
      assert.deepEqual(body, {
        id: given.id,
        description: 'Monthly box',
        hiddenDescription: '',
        status: 'active',
        payer: { email: 'jan@example.com', name: 'Jan Nowak' },
        schedule: { amount: 49.9, currency: 'PLN', interval: 1, intervalType: 'months', chargeCount: null },
        paymentInstrument: { paymentType: 'card_token' },
        callbackUrl: 'http://127.0.0.1:9/none',
      });
    });

    // Guarantee: every field is accepted; what R2 does not show is not in the response.
    test('all fields', async () => {
      const given = full();
      const { status, body } = await post(given);
      assert.equal(status, 201);
      assert.deepEqual(body, {
        id: given.id,
        description: 'Monthly box',
        hiddenDescription: 'order 7',
        status: 'active',
        payer: { email: 'anna@example.com', name: 'Anna Nowak' },
        schedule: { amount: 49.9, currency: 'PLN', interval: 1, intervalType: 'months', chargeCount: 12 },
        paymentInstrument: { paymentType: 'blik_payid' },
        callbackUrl: 'https://shop.example.com/recurring?x=1',
      });
      const [row] = await rowsOf(given.id);
      assert.deepEqual(row?.payer, given.payer);
      assert.deepEqual(row?.retry_intervals, given.schedule.retryIntervals);
      assert.deepEqual([row?.blik_model, row?.blik_no_delay], ['O', true]);
    });

    // Guarantee: a token or an alias charges money without its owner, so it is never stored in plain text.
    test('the instrument is stored sealed', async () => {
      const given = request({ paymentInstrument: { value: 'tok-very-secret' } });
      await post(given);
      assert.ok(
        !JSON.stringify(await rowsOf(given.id), (_, value) =>
          typeof value === 'bigint' ? `${value}` : value,
        ).includes('very-secret'),
      );
    });

    // Guarantee: values at the limits of the rules are accepted.
    for (const [name, overrides] of [
      ['no retries', { schedule: { retryIntervals: [] } }],
      ['30 retries', { schedule: { retryIntervals: Array(30).fill({ value: 1, unit: 'days' }) } }],
      ['chargeCount 1', { schedule: { chargeCount: 1 } }],
      ['chargeCount null', { schedule: { chargeCount: null } }],
      ['retryIntervals null', { schedule: { retryIntervals: null } }],
      ['every 400 days', { schedule: { interval: 400, intervalType: 'days' } }],
      ['the least amount', { schedule: { amount: 0.01 } }],
      ['a first charge in the past', { schedule: { firstChargeDate: '2026-03-09T10:00:00+01:00' } }],
      ['a first charge in UTC', { schedule: { firstChargeDate: '2027-01-31T10:00:00Z' } }],
      ['BLIK model A', { paymentInstrument: blik() }],
      ['BLIK model A without delay', { paymentInstrument: blik({ blik: { model: 'A', noDelay: true } }) }],
      ['BLIK model O with delay', { paymentInstrument: blik({ blik: { model: 'O', noDelay: false } }) }],
      ['BLIK model M', { paymentInstrument: blik({ blik: { model: 'M' } }) }],
      ['blik null with a card', { paymentInstrument: { blik: null } }],
      ['noDelay null with M', { paymentInstrument: blik({ blik: { model: 'M', noDelay: null } }) }],
      ['noDelay false with M', { paymentInstrument: blik({ blik: { model: 'M', noDelay: false } }) }],
      ['hiddenDescription null', { hiddenDescription: null }],
      ['an unknown field', { somethingElse: { a: 1 } }],
      ['texts of every kind', { description: 'Zażółć "gęślą" <jaźń> 🐝\t', hiddenDescription: '' }],
    ] as const) {
      test(name, async () => {
        const answer = await post(request(overrides as Body));
        assert.equal(answer.status, 201, answer.text);
      });
    }
  });

  suite('200: the same id with identical data', () => {
    // Guarantee: formatting is not data: the second request repeats the response and changes nothing.
    for (const [name, change] of [
      ['the same bytes', (given) => given],
      ['keys in another order', (given) => reversed(given)],
      [
        'an instant with another offset',
        (given) => withSchedule(given, { firstChargeDate: '2026-03-10T04:00:00-05:00' }),
      ],
      ['an instant in UTC', (given) => withSchedule(given, { firstChargeDate: '2026-03-10T09:00:00.000Z' })],
      ['an instant in small letters', (given) => withSchedule(given, { firstChargeDate: '2026-03-10t09:00:00z' })],
      ['an instant without seconds', (given) => withSchedule(given, { firstChargeDate: '2026-03-10T10:00+01:00' })],
      ['an unknown field more', (given) => ({ ...given, schedule: { ...given.schedule, note: 1 }, note: 'x' })],
    ] as [string, (given: Request) => object][]) {
      test(name, async () => {
        const given = full();
        const first = await post(given);
        const second = await post(change(given));
        assert.deepEqual([first.status, second.status], [201, 200], second.text);
        const { ignoredFields: _ignored, ...repeated } = second.body;
        assert.deepEqual(repeated, first.body);
        assert.equal((await rowsOf(given.id)).length, 1);
      });
    }

    // Guarantee: the same for number formats.
    test('numbers in another spelling', async () => {
      const given = request({ schedule: { amount: 10, interval: 2 } });
      assert.equal((await post(given)).status, 201);
      const raw = JSON.stringify(given)
        .replace('"amount":10,', '"amount":1.00e1,')
        .replace('"interval":2,', '"interval":2.0,');
      assert.ok(raw.includes('1.00e1') && raw.includes('2.0'));
      const headers = { 'content-type': 'application/json' };
      const again = await service.ask('POST', '/recurring', { token: merchant.token, raw, headers });
      assert.equal(again.status, 200, again.text);
    });

    // Guarantee: null for an optional field means "not given".
    test('null instead of nothing', async () => {
      const given = request();
      assert.equal((await post(given)).status, 201);
      const payer = { email: 'jan@example.com', name: 'Jan Nowak', phone: null, taxId: null, country: null };
      const schedule = { ...given.schedule, chargeCount: null, retryIntervals: null };
      const again = await post({ ...given, hiddenDescription: null, payer, schedule });
      assert.equal(again.status, 200, again.text);
    });

    // Guarantee: it stays the same request after charges, a change of instrument and a cancel; the response is the
    // current state.
    test('after it was canceled', async () => {
      const given = request({ schedule: { firstChargeDate: '2030-01-01T10:00:00Z' } });
      await post(given);
      await service.ask('POST', `/recurring/${given.id}/payment_instrument`, {
        token: merchant.token,
        body: { paymentInstrument: blik() },
      });
      await service.ask('POST', `/recurring/${given.id}/cancel`, { token: merchant.token });
      const again = await post(given);
      assert.deepEqual(
        [again.status, again.body.status, again.body.paymentInstrument.paymentType],
        [200, 'canceled', 'blik_payid'],
      );
    });
  });

  suite('409: the same id with different data', () => {
    // Guarantee: any difference in the data is a conflict, and changes nothing.
    for (const [name, overrides] of [
      ['description', { description: 'Weekly box' }],
      ['hiddenDescription', { hiddenDescription: 'order 8' }],
      ['callbackUrl', { callbackUrl: 'https://shop.example.com/other' }],
      ['payer.email', { payer: { email: 'eve@example.com', name: 'Jan Nowak' } }],
      ['payer.phone', { payer: { email: 'jan@example.com', name: 'Jan Nowak', phone: '1' } }],
      ['schedule.amount', { schedule: { amount: 49.91 } }],
      ['schedule.firstChargeDate', { schedule: { firstChargeDate: '2026-03-10T10:00:01+01:00' } }],
      ['schedule.interval', { schedule: { interval: 2 } }],
      ['schedule.intervalType', { schedule: { intervalType: 'days' } }],
      ['schedule.chargeCount', { schedule: { chargeCount: 5 } }],
      ['schedule.retryIntervals', { schedule: { retryIntervals: [] } }],
      ['paymentInstrument.value', { paymentInstrument: { value: 'tok2' } }],
      ['paymentInstrument.paymentType', { paymentInstrument: blik({ value: 'tok' }) }],
    ] as [string, Body][]) {
      test(name, async () => {
        const given = request();
        await post(given);
        const before = await rowsOf(given.id);
        const answer = await post({ ...request(overrides), id: given.id });
        assert.equal(answer.status, 409);
        assert.deepEqual(faultsOf(answer), ['recurring_exists_with_different_data']);
        assert.deepEqual(await rowsOf(given.id), before);
      });
    }
  });

  suite('400', () => {
    // Guarantee: every rule of the fields, by its code and dotted path.
    const cases: readonly (readonly [string, Body | string, string])[] = [
      ['no id', { id: undefined }, 'field_required id'],
      ['id is no ULID', { id: 'abc' }, 'not_valid id'],
      ['id in small letters', { id: '01k9z4m7q2v5x8b1c3d6f9g0hj' }, 'not_valid id'],
      ['id is a number', { id: 7 }, 'not_string id'],
      ['no description', { description: undefined }, 'field_required description'],
      ['description null', { description: null }, 'not_string description'],
      ['a line break in the email', { payer: { email: '"a\r\nb"@example.com', name: 'J' } }, 'not_valid payer.email'],
      ['description empty', { description: '' }, 'too_short description'],
      ['description of 129', { description: 'x'.repeat(129) }, 'too_long description'],
      ['hiddenDescription of 256', { hiddenDescription: 'x'.repeat(256) }, 'too_long hiddenDescription'],
      ['no payer', { payer: undefined }, 'field_required payer'],
      ['payer a text', { payer: 'Jan' }, 'not_object payer'],
      ['no payer.email', { payer: { name: 'J' } }, 'field_required payer.email'],
      ['no payer.name', { payer: { email: 'j@example.com' } }, 'field_required payer.name'],
      ['payer.email wrong', { payer: { email: 'jan', name: 'J' } }, 'not_valid payer.email'],
      [
        'payer.country wrong',
        { payer: { email: 'j@example.com', name: 'J', country: 'Poland' } },
        'not_valid payer.country',
      ],
      ['payer.phone a number', { payer: { email: 'j@example.com', name: 'J', phone: 48 } }, 'not_string payer.phone'],
      ['no schedule', { schedule: undefined }, 'field_required schedule'],
      ['amount a text', { schedule: { amount: '49.90' } }, 'not_number schedule.amount'],
      ['amount zero', { schedule: { amount: 0 } }, 'too_low schedule.amount'],
      ['amount negative', { schedule: { amount: -1 } }, 'too_low schedule.amount'],
      ['amount with three places', { schedule: { amount: 1.001 } }, 'incorrect_precision schedule.amount'],
      ['amount of 10^11', { schedule: { amount: 100_000_000_000 } }, 'too_high schedule.amount'],
      ['currency EUR', { schedule: { currency: 'EUR' } }, 'not_valid schedule.currency'],
      [
        'firstChargeDate without offset',
        { schedule: { firstChargeDate: '2026-03-10T10:00:00' } },
        'not_valid schedule.firstChargeDate',
      ],
      ['firstChargeDate a date', { schedule: { firstChargeDate: '2026-03-10' } }, 'not_valid schedule.firstChargeDate'],
      [
        'firstChargeDate that does not exist',
        { schedule: { firstChargeDate: '2026-02-30T10:00:00Z' } },
        'not_valid schedule.firstChargeDate',
      ],
      [
        'firstChargeDate a number',
        { schedule: { firstChargeDate: 1_770_000_000 } },
        'not_string schedule.firstChargeDate',
      ],
      ['interval 0', { schedule: { interval: 0 } }, 'too_low schedule.interval'],
      ['interval 1.5', { schedule: { interval: 1.5 } }, 'not_integer schedule.interval'],
      ['interval a text', { schedule: { interval: '1' } }, 'not_integer schedule.interval'],
      ['intervalType weeks', { schedule: { intervalType: 'weeks' } }, 'not_valid schedule.intervalType'],
      ['chargeCount 0', { schedule: { chargeCount: 0 } }, 'too_low schedule.chargeCount'],
      ['chargeCount -1', { schedule: { chargeCount: -1 } }, 'too_low schedule.chargeCount'],
      ['chargeCount 1.5', { schedule: { chargeCount: 1.5 } }, 'not_integer schedule.chargeCount'],
      [
        '31 retries',
        { schedule: { retryIntervals: Array(31).fill({ value: 1, unit: 'days' }) } },
        'too_many schedule.retryIntervals',
      ],
      ['retryIntervals an object', { schedule: { retryIntervals: {} } }, 'not_array schedule.retryIntervals'],
      [
        'a retry of 0',
        { schedule: { retryIntervals: [{ value: 0, unit: 'days' }] } },
        'too_low schedule.retryIntervals.0.value',
      ],
      [
        'a retry of 1.5',
        { schedule: { retryIntervals: [{ value: 1.5, unit: 'days' }] } },
        'not_integer schedule.retryIntervals.0.value',
      ],
      [
        'a retry in weeks',
        { schedule: { retryIntervals: [{ value: 1, unit: 'weeks' }] } },
        'not_valid schedule.retryIntervals.0.unit',
      ],
      [
        'a retry without unit',
        { schedule: { retryIntervals: [{ value: 1 }] } },
        'field_required schedule.retryIntervals.0.unit',
      ],
      ['a retry that is a number', { schedule: { retryIntervals: [1] } }, 'not_object schedule.retryIntervals.0'],
      ['no paymentInstrument', { paymentInstrument: undefined }, 'field_required paymentInstrument'],
      ['paymentType cash', { paymentInstrument: { paymentType: 'cash' } }, 'not_valid paymentInstrument.paymentType'],
      ['value empty', { paymentInstrument: { value: '' } }, 'too_short paymentInstrument.value'],
      ['value of 257', { paymentInstrument: { value: 'x'.repeat(257) } }, 'too_long paymentInstrument.value'],
      [
        'blik_payid without blik',
        { paymentInstrument: { paymentType: 'blik_payid' } },
        'field_required paymentInstrument.blik',
      ],
      [
        'blik_payid without model',
        { paymentInstrument: blik({ blik: {} }) },
        'field_required paymentInstrument.blik.model',
      ],
      ['model X', { paymentInstrument: blik({ blik: { model: 'X' } }) }, 'not_valid paymentInstrument.blik.model'],
      [
        'noDelay with M',
        { paymentInstrument: blik({ blik: { model: 'M', noDelay: true } }) },
        'not_valid paymentInstrument.blik.noDelay',
      ],
      [
        'noDelay a text',
        { paymentInstrument: blik({ blik: { model: 'A', noDelay: 'true' } }) },
        'not_boolean paymentInstrument.blik.noDelay',
      ],
      ['blik with a card', { paymentInstrument: { blik: { model: 'A' } } }, 'unexpected_field paymentInstrument.blik'],
      ['no callbackUrl', { callbackUrl: undefined }, 'field_required callbackUrl'],
      ['callbackUrl relative', { callbackUrl: '/notify' }, 'not_valid callbackUrl'],
      ['callbackUrl ftp', { callbackUrl: 'ftp://shop.example.com/' }, 'not_valid callbackUrl'],
      ['a text with NUL', { description: 'a\u0000b' }, 'not_valid description'],
    ];
    for (const [name, overrides, expected] of cases) {
      test(name, async () => {
        const given = typeof overrides === 'string' ? overrides : mergedOver(request(), overrides);
        const answer = await post(given);
        assert.equal(answer.status, 400, answer.text);
        assert.deepEqual(faultsOf(answer), [expected]);
      });
    }

    // Guarantee: all faults of a body are reported together, not only the first.
    test('all faults at once', async () => {
      const answer = await post({
        id: 'x',
        description: '',
        payer: { email: 'no', country: 'pl' },
        schedule: {
          amount: '1',
          currency: 'USD',
          firstChargeDate: 'soon',
          interval: 0,
          intervalType: 'years',
          chargeCount: 0,
          retryIntervals: [{ value: 0 }],
        },
        paymentInstrument: { paymentType: 'blik_payid', value: '', blik: { noDelay: 1 } },
      });
      assert.equal(answer.status, 400);
      assert.deepEqual(faultsOf(answer), [
        'field_required callbackUrl',
        'field_required payer.name',
        'field_required paymentInstrument.blik.model',
        'field_required schedule.retryIntervals.0.unit',
        'not_boolean paymentInstrument.blik.noDelay',
        'not_number schedule.amount',
        'not_valid id',
        'not_valid payer.country',
        'not_valid payer.email',
        'not_valid schedule.currency',
        'not_valid schedule.firstChargeDate',
        'not_valid schedule.intervalType',
        'too_low schedule.chargeCount',
        'too_low schedule.interval',
        'too_low schedule.retryIntervals.0.value',
        'too_short description',
        'too_short paymentInstrument.value',
      ]);
    });

    test('an empty body lists what is required', async () => {
      const answer = await post({});
      assert.deepEqual(faultsOf(answer), [
        'field_required callbackUrl',
        'field_required description',
        'field_required id',
        'field_required payer',
        'field_required paymentInstrument',
        'field_required schedule',
      ]);
    });
  });

  suite('401, 403, 404', () => {
    test('401 without a token', async () => {
      const answer = await service.ask('POST', '/recurring', { body: request() });
      assert.deepEqual([answer.status, faultsOf(answer)[0]], [401, 'invalid_token']);
    });

    // Guarantee: a read-only credential creates nothing.
    test('403 with a read-only credential', async () => {
      const given = request();
      const answer = await post(given, await aCredential(service, merchant, 'read_only'));
      assert.deepEqual([answer.status, faultsOf(answer)], [403, ['access_denied']]);
      assert.deepEqual(await rowsOf(given.id), []);
    });

    // Guarantee: another merchant's id gives the same response as a nonexistent one, whatever the data; and nothing
    // changes.
    test('404 for the id of another merchant', async () => {
      const given = request();
      await post(given, other);
      const before = await rowsOf(given.id);
      for (const body of [given, { ...given, description: 'Other' }]) {
        const answer = await post(body);
        assert.deepEqual([answer.status, faultsOf(answer)], [404, ['not_found']]);
      }
      assert.deepEqual(await rowsOf(given.id), before);
    });

    // Guarantee: X-Merchant-Id names the account that the request is for.
    test('X-Merchant-Id', async () => {
      const partner = await aMerchant(service, { kind: 'partner' });
      const seller = await aMerchant(service, { kind: 'seller' });
      await addSeller(service.world.db.sql, partner.id, seller.id);
      const given = request();
      const as = (id: string) =>
        service.ask('POST', '/recurring', { token: partner.token, body: given, headers: { 'x-merchant-id': id } });
      assert.equal((await as(merchant.id)).status, 404);
      assert.equal((await as(seller.id)).status, 201);
      const shown = (who: TestMerchant) => service.ask('GET', `/recurring/${given.id}`, { token: who.token });
      assert.deepEqual([(await shown(seller)).status, (await shown(partner)).status], [200, 404]);
    });
  });

  suite('fifty concurrent requests with one id', () => {
    const count = async (answers: Promise<{ status: number }>[]) => {
      const statuses = (await Promise.all(answers)).map(({ status }) => status);
      return Object.fromEntries(
        Object.entries(Object.groupBy(statuses, String)).map(([status, all]) => [status, all?.length]),
      );
    };

    // Guarantee: one 201, the rest 200.
    test('the same data', async () => {
      const given = request();
      assert.deepEqual(await count(Array.from({ length: 50 }, () => post(given))), { 200: 49, 201: 1 });
      assert.equal((await rowsOf(given.id)).length, 1);
    });

    // Guarantee: one 201, the rest 409; the stored data is that of the 201.
    test('different data', async () => {
      const { id } = request();
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) => post({ ...request({ description: `Box ${index}` }), id })),
      );
      assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(49).fill(409)]);
      const [row] = await rowsOf(id);
      assert.equal(row?.description, answers.find(({ status }) => status === 201)?.body.description);
    });

    // Guarantee: of two merchants one wins; for the other the id does not exist.
    test('two merchants', async () => {
      const given = request();
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) => post(given, index % 2 === 0 ? merchant : other)),
      );
      const [mine, theirs] = [0, 1].map((rest) =>
        answers.filter((_, index) => index % 2 === rest).map(({ status }) => status),
      );
      const [winner, loser] = mine?.includes(201) ? [mine, theirs] : [theirs, mine];
      assert.deepEqual(winner?.sort(), [...Array(24).fill(200), 201]);
      assert.deepEqual(loser, Array(25).fill(404));
    });
  });
});

/** The request with some fields replaced or omitted; objects are merged one level deep. */
function mergedOver(base: Body, overrides: Body): Body {
  const merged: Body = { ...base };
  for (const [key, value] of Object.entries(overrides)) {
    const inner = base[key];
    const merge = (key === 'schedule' || key === 'paymentInstrument') && typeof value === 'object' && value !== null;
    if (value === undefined) delete merged[key];
    else merged[key] = merge ? { ...(inner as Body), ...value } : value;
  }
  return merged;
}

function withSchedule(given: Body & { schedule: Body }, overrides: Body): Body {
  return { ...given, schedule: { ...given.schedule, ...overrides } };
}

/** Keys in reverse order, recursively; the order of lists is data and stays. */
function reversed(value: object): object {
  if (Array.isArray(value)) return value.map((item) => reversed(item));
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, typeof item === 'object' && item !== null ? reversed(item) : item]),
  );
}
