// P34 to P39: the balance, the ledger, statements and files. What is on screen, in the files and in the API is the same.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { aBusiness, allOf, type Business, runBusiness } from '../support/business.ts';
import { balanceOf } from '../support/marketplace.ts';
import { aPerson, type TestPerson } from '../support/panel.ts';
import { aTransaction } from '../support/payments.ts';
import { aMerchant, aService, faultsOf, type Service, type TestMerchant } from '../support/service.ts';

let service: Service;
let business: Business;
let merchant: TestMerchant;
let person: TestPerson;

const minorOf = (amount: number) => BigInt(Math.round(amount * 100));
const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);

interface Move {
  readonly journalId: string;
  readonly at: string;
  readonly kind: string;
  readonly amount: number;
  readonly fee: number;
  readonly commission: number;
  readonly other: number;
  readonly net: number;
}

async function ask(path: string, who = person) {
  // People make at most 50 requests in a second.
  service.world.wall.advance({ milliseconds: 20 });
  const answer = await who.ask('GET', path);
  assert.equal(answer.status, 200, answer.text);
  return answer;
}

async function movesOf(query: string, who = person): Promise<Move[]> {
  const rows: Move[] = [];
  for (let before: string | null = ''; before !== null; ) {
    const { body } = await ask(`/panel/api/ledger?limit=20${query}${before ? `&before=${before}` : ''}`, who);
    rows.push(...body.moves);
    before = body.nextBefore;
  }
  return rows;
}

/** The cells of a CSV, as a program reads it; `fetch` has removed the byte order mark. */
function readCsv(text: string, between: ',' | ';'): string[][] {
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${between}\\r\\n]*))(${between}|\\r\\n)`, 'gy');
  const rows: string[][] = [[]];
  for (const [, quoted, bare, end] of text.matchAll(cell)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? bare ?? '');
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}

before(async () => {
  service = await aService();
  business = await aBusiness(service);
  ({ merchant } = business);
  await runBusiness(service, business, 34, 90);
  person = await aPerson(service, 'read_only', merchant.id);
});

suite('GET /panel/api/balance', () => {
  test('is what the ledger has', async () => {
    for (const account of [merchant, business.partner, ...business.partner.sellers]) {
      const owner = await aPerson(service, 'owner', account.id);
      const { body } = await ask('/panel/api/balance', owner);
      assert.equal(minorOf(body.balance), await balanceOf(service, account));
      assert.equal(body.payoutTransit, 0);
    }
  });
});

suite('GET /panel/api/ledger', () => {
  test('every move once, newest first, adding up to the balance', async () => {
    for (const account of [merchant, business.partner, ...business.partner.sellers]) {
      const owner = await aPerson(service, 'owner', account.id);
      const moves = await movesOf('', owner);
      assert.equal(new Set(moves.map(({ journalId }) => journalId)).size, moves.length);
      assert.equal(sum(moves.map(({ net }) => minorOf(net))), await balanceOf(service, account));
      for (const { amount, fee, commission, other, net } of moves) {
        assert.equal(minorOf(amount) + minorOf(fee) + minorOf(commission) + minorOf(other), minorOf(net));
      }
      const times = moves.map(({ at }) => Temporal.Instant.from(at));
      assert.deepEqual(
        times,
        times.toSorted((one, other) => Temporal.Instant.compare(other, one)),
      );
    }
  });

  test('by kind and by days', async () => {
    const all = await movesOf('');
    for (const kind of ['payment', 'refund', 'refund_returned', 'dispute', 'dispute_returned', 'opening', 'other']) {
      assert.deepEqual(
        await movesOf(`&kind=${kind}`),
        all.filter((move) => move.kind === kind),
        kind,
      );
    }
    const dayOf = ({ at }: Move) =>
      Temporal.Instant.from(at).toZonedDateTimeISO('Europe/Warsaw').toPlainDate().toString();
    const day = dayOf(all[Math.floor(all.length / 2)] as Move);
    assert.deepEqual(
      await movesOf(`&from=${day}&to=${day}`),
      all.filter((move) => dayOf(move) === day),
    );
    const refunds = all.filter((move) => dayOf(move) >= day && move.kind === 'refund');
    assert.deepEqual(await movesOf(`&from=${day}&kind=refund`), refunds);
  });

  test('400: what is not a place, a day or a kind', async () => {
    for (const [query, fault] of [
      ['before=x', 'not_valid before'],
      ['from=2026-02-30', 'not_valid from'],
      ['kind=gift', 'not_valid kind'],
    ] as const) {
      const answer = await person.ask('GET', `/panel/api/ledger?${query}`);
      assert.deepEqual([answer.status, ...faultsOf(answer)], [400, fault]);
    }
    assert.equal((await service.ask('GET', '/panel/api/ledger')).status, 401);
  });
});

suite('GET /panel/api/statements', () => {
  const parts = [
    'payments',
    'paymentFees',
    'refunds',
    'refundFees',
    'refundsReturned',
    'commissions',
    'disputes',
    'other',
  ] as const;

  for (const by of ['day', 'month']) {
    test(`by ${by}: each row adds up, and begins where the one before ended`, async () => {
      for (const account of [merchant, business.partner, ...business.partner.sellers]) {
        const owner = await aPerson(service, 'owner', account.id);
        const { body } = await ask(`/panel/api/statements?by=${by}&from=2026-03-01&to=2026-05-31`, owner);
        assert.equal(body.rows.length, by === 'day' ? 92 : 3);
        let balance = 0n;
        for (const row of body.rows) {
          assert.equal(minorOf(row.opening), balance);
          balance += sum(parts.map((part) => minorOf(row[part])));
          assert.equal(minorOf(row.closing), balance, JSON.stringify(row));
        }
        assert.equal(balance, await balanceOf(service, account));
        for (const part of parts) {
          const total = sum(body.rows.map((row: Record<string, number>) => minorOf(row[part] ?? 0)));
          assert.equal(minorOf(body.total[part]), total, part);
        }
        assert.deepEqual([body.total.opening, body.total.closing], [0, body.rows.at(-1).closing]);
      }
    });
  }

  test('400: days that do not exist, in the wrong order, too many of them', async () => {
    for (const [query, fault] of [
      ['from=2026-02-30&to=2026-03-01', 'not_valid from'],
      ['from=2026-03-02&to=2026-03-01', 'not_valid to'],
      ['from=2026-01-01&to=2027-03-01', 'not_valid to'],
      ['by=month&from=2006-01-01&to=2027-03-01', 'not_valid to'],
      ['to=2027-03-01', 'field_required from'],
    ] as const) {
      const answer = await person.ask('GET', `/panel/api/statements?${query}`);
      assert.deepEqual([answer.status, ...faultsOf(answer)], [400, fault], query);
    }
  });
});

// Guarantee: the sums on screen, in the files and from the API are equal, for a month of random business.
suite('a random month', () => {
  const range = 'from=2026-03-10&to=2026-04-09';

  test('screen, CSV, JSON and API have the same sums', async () => {
    const { body } = await ask(`/panel/api/statements?${range}`);
    const within = (at: string | null) => at !== null && at >= '2026-03-10' && at < '2026-04-10';
    interface Listed {
      readonly date: { readonly creation: string; readonly realization: string | null };
      readonly payments: { readonly amountPaid: number };
    }
    const listed = await allOf<Listed>(service, merchant, '/transactions');
    const paid = listed.filter(({ date }) => within(date.realization));
    const api = sum(paid.map(({ payments }) => minorOf(payments.amountPaid)));
    assert.equal(minorOf(body.total.payments), api);
    assert.equal(body.total.paymentCount, paid.length);

    const polish = await aPerson(service, 'staff', merchant.id);
    await polish.ask('POST', '/panel/api/me', { body: { language: 'pl' } });
    for (const [who, between, point] of [
      [person, ',', '.'],
      [polish, ';', ','],
    ] as const) {
      const file = await ask(`/panel/api/ledger/export?${range}`, who);
      assert.equal(file.headers.get('content-type'), 'text/csv; charset=utf-8');
      assert.equal(file.headers.get('content-disposition'), 'attachment; filename="ledger.csv"');
      const [titles = [], ...rows] = readCsv(file.text, between);
      assert.equal(Number(file.headers.get('x-total-rows')), rows.length);
      assert.equal(titles.length, 12);
      const minor = (cell = '') => BigInt(cell.replace(point, ''));
      const ofKind = (kind: string, column: number) =>
        sum(rows.filter((row) => row[1] === kind).map((row) => minor(row[column])));
      assert.equal(ofKind(who === polish ? 'płatność' : 'payment', 2), api);
      assert.equal(ofKind(who === polish ? 'zwrot' : 'refund', 2), minorOf(body.total.refunds));
      assert.equal(sum(rows.map((row) => minor(row[6]))), minorOf(body.total.closing) - minorOf(body.total.opening));
    }
    const json = JSON.parse((await ask(`/panel/api/ledger/export?format=json&${range}`)).text) as Move[];
    const payments = json.filter(({ kind }) => kind === 'payment');
    assert.equal(sum(payments.map(({ amount }) => minorOf(amount))), api);
    assert.deepEqual(json.toReversed(), await movesOf(`&${range}`));

    const statements = await ask(`/panel/api/statements/export?${range}`);
    const [, ...days] = readCsv(statements.text, ',');
    assert.equal(days.length, 31);
    assert.equal(sum(days.map((row) => BigInt((row[3] ?? '').replace('.', '')))), api);

    const transactions = await ask(`/panel/api/transactions/export?${range}`);
    const [, ...exported] = readCsv(transactions.text, ',');
    assert.equal(Number(transactions.headers.get('x-total-rows')), exported.length);
    const created = listed.filter(({ date }) => within(date.creation));
    assert.equal(exported.length, created.length);
    assert.equal(
      sum(exported.map((row) => BigInt((row[5] ?? '').replace('.', '')))),
      sum(created.map(({ payments: { amountPaid } }) => minorOf(amountPaid))),
    );
    // In words, in the language of the reader.
    const [, ...inPolish] = readCsv((await ask(`/panel/api/transactions/export?${range}`, polish)).text, ';');
    assert.ok(exported.every((row) => ['Waiting', 'Paid', 'Refunded', 'Canceled'].includes(row[3] ?? '')));
    assert.ok(inPolish.some((row) => row[3] === 'Opłacona' && row[12] === 'BLIK'));
    assert.ok(inPolish.every((row) => ['Oczekuje', 'Opłacona', 'Zwrócona', 'Anulowana'].includes(row[3] ?? '')));
  });

  test('a file begins with a byte order mark', async () => {
    const { cookie } = person;
    const file = await fetch(`${service.url}/panel/api/ledger/export`, { headers: { cookie } });
    assert.deepEqual([...(await file.bytes()).subarray(0, 3)], [0xef, 0xbb, 0xbf]);
  });

  test('of one kind or status; of nothing', async () => {
    for (const path of ['ledger/export?kind=refund', 'ledger/export?kind=opening', 'transactions/export?status=paid']) {
      const file = await ask(`/panel/api/${path}`);
      const rows = readCsv(file.text, ',').slice(1);
      assert.ok(rows.length > 0);
      assert.equal(Number(file.headers.get('x-total-rows')), rows.length, path);
    }
    const none = 'from=2020-01-01&to=2020-01-31';
    assert.equal((await ask(`/panel/api/ledger/export?format=json&${none}`)).text, '[]\n');
    assert.equal(readCsv((await ask(`/panel/api/transactions/export?${none}`)).text, ',').length, 1);
  });

  // Guarantee: the file has what the screen with the same filters has.
  test('transactions with the filters of the search', async () => {
    const filters = ['channelId=64', 'amountFrom=20&amountTo=60', 'q=a&status=paid', 'q=nothing-begins-like-this'];
    for (const filter of filters) {
      const searched = (await ask(`/panel/api/transactions?limit=100&${filter}`)).body;
      assert.equal(searched.nextBefore, null);
      const file = await ask(`/panel/api/transactions/export?format=json&${filter}`);
      assert.deepEqual(JSON.parse(file.text), searched.transactions, filter);
      assert.equal(file.headers.get('x-total-rows'), null);
    }
    const refused = await person.ask('GET', '/panel/api/transactions/export?from=2026-02-30&q=a');
    assert.equal(refused.status, 400);
  });

  test('text that a program would run begins with an apostrophe', async () => {
    const shop = await aMerchant(service);
    const owner = await aPerson(service, 'owner', shop.id);
    await aTransaction(service, shop, { description: '=cmd|calc', hiddenDescription: '@x, "y"\n+z' });
    const [, row] = readCsv((await ask('/panel/api/transactions/export', owner)).text, ',');
    assert.deepEqual(row?.slice(8, 10), ["'=cmd|calc", '\'@x, "y"\n\'+z']);
  });

  test('401 without a session, nothing of other accounts, HEAD without a file', async () => {
    for (const path of ['ledger/export', 'transactions/export', `statements/export?${range}`]) {
      assert.equal((await service.ask('GET', `/panel/api/${path}`)).status, 401);
      const head = await person.ask('HEAD', `/panel/api/${path}`);
      assert.deepEqual([head.status, head.text], [200, '']);
    }
    const stranger = await aPerson(service, 'owner', (await aMerchant(service)).id);
    assert.equal((await ask('/panel/api/transactions/export', stranger)).headers.get('x-total-rows'), '0');
    assert.equal((await ask('/panel/api/ledger/export', stranger)).headers.get('x-total-rows'), '0');
  });
});
