// M3, POST /marketplace/v1/transaction/{id}/refund.

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, suite, test } from 'node:test';
import { changeAccount } from '../../src/accounts/index.ts';
import { readInteger, readText } from '../../src/database/index.ts';
import { verifyMarketplace } from '../../src/marketplace/index.ts';
import { inWords } from '../support/findings.ts';
import {
  aChild,
  aPaidSplit,
  aPartner,
  aSplit,
  balancesOf,
  cancelSplit,
  checkDenied,
  checkMethods,
  checkNotFound,
  refundSplit,
  showSplit,
  type TestPartner,
} from '../support/marketplace.ts';
import { checkInvariants, encryptCard, passTime, settleAll } from '../support/payments.ts';
import { fund, refund as refundStandard } from '../support/refunds.ts';
import { receiveRefundCallback } from '../support/rooms.ts';
import { aCredential, aService, faultsOf, type Service, type TestMerchant } from '../support/service.ts';
import { whole } from '../support/verify.ts';

const pathOf = (id: string) => `/marketplace/v1/transaction/${id}/refund`;
const tea = { externalId: 'tea', name: 'Tea', quantity: 3, unitPrice: 250 };
const loose = { externalId: 'loose', quantity: 1.5, unitPrice: 333 };

suite('POST /marketplace/v1/transaction/{id}/refund', () => {
  let service: Service;
  let partner: TestPartner;

  before(async () => {
    service = await aService();
  });
  beforeEach(async () => {
    partner = await aPartner(service, [{ refundFeeMinor: 30n }, {}, { refundFeeMinor: 5n }]);
    for (const who of [partner, ...partner.sellers]) await fund(service, who, 100_000n);
  });
  afterEach(() => service.world.bank.setFaults({}));
  after(() => checkInvariants(service.world));

  const seller = (index: number) => partner.sellers[index] as TestMerchant;
  const refund = (id: string, body: object = {}, query = '') => refundSplit(service, partner, id, body, query);
  const shown = async (id: string) => (await showSplit(service, partner, id)).body;
  const childrenOf = async (id: string): Promise<string[]> =>
    (await shown(id)).childTransactions.map((child: { id: string }) => child.id);
  /** What is refunded of each child. */
  const refundedOf = async (id: string): Promise<number[]> =>
    (await shown(id)).childTransactions.map((child: { refunded: number }) => child.refunded);
  const linesOf = async (id: string): Promise<number[]> =>
    (await shown(id)).childTransactions.flatMap((child: { products: { refundedQuantity: number }[] }) =>
      child.products.map(({ refundedQuantity }) => refundedQuantity),
    );
  const moved = async (before: bigint[]) =>
    (await balancesOf(service, partner)).map((balance, index) => Number(balance - (before[index] ?? 0n)));
  /** Children of sellers 0, 1 and 0 again: 10.00 with 1.00 commission, 5.00, and 2.00. */
  const aThree = () =>
    aPaidSplit(service, partner, [
      aChild(partner, 0, 1_000, { commission: 100, products: [tea, loose] }),
      aChild(partner, 1, 500, { products: [tea, tea] }),
      aChild(partner, 0, 200),
    ]);
  const refundsAtBank = (id: string) => service.world.bank.record().refunds.filter(({ key }) => key === id).length;
  const later = () => passTime(service.world, { minutes: 10 });

  suite('200: full', () => {
    // Guarantee: {} refunds everything, from every seller, and makes the status `refund`; one refund at the bank.
    for (const [name, asking] of [
      ['{}', { body: {} }],
      ['an empty list', { body: { childTransactions: [] } }],
      ['no body', {}],
    ] as const) {
      test(name, async () => {
        const id = await aThree();
        const before = await balancesOf(service, partner);
        const answer = await service.ask('POST', pathOf(id), { token: partner.token, ...asking });
        assert.equal(answer.status, 200, answer.text);
        const { refundId } = answer.body;
        assert.deepEqual(answer.body, {
          result: 'success',
          requestId: answer.headers.get('x-request-id'),
          transactionId: id,
          amount: 1_700,
          refundId,
        });
        assert.deepEqual(await moved(before), [-(1_200 - 100 + 30), -500, 0, -100]);
        const { status, refunds, childTransactions } = await shown(id);
        assert.equal(status, 'refund');
        assert.deepEqual(
          childTransactions.map(({ refunded, commissionReturned }: Record<string, number>) => [
            refunded,
            commissionReturned,
          ]),
          [
            [1_000, 100],
            [500, 0],
            [200, 0],
          ],
        );
        assert.deepEqual(
          refunds.map((one: Record<string, unknown>) => [one.refundId, one.amount, one.fee, one.status]),
          [[refundId, 1_700, 30, 'BLIK_pending']],
        );
        await later();
        assert.equal(refundsAtBank(refundId), 1);
        const again = await refund(id);
        assert.deepEqual([again.status, faultsOf(again)], [409, ['already_refunded']]);
        assert.equal(again.body.reasons.length, 1);
      });
    }

    // Guarantee: after parts, what is left; the commission sums up exactly.
    test('after parts', async () => {
      const id = await aThree();
      await refund(id, { childTransactions: [{ merchantId: seller(0).id, amount: 333 }] });
      const { body } = await refund(id);
      assert.equal(body.amount, 1_700 - 333);
      const [first] = (await shown(id)).childTransactions;
      assert.deepEqual([first.refunded, first.commissionReturned], [1_000, 100]);
    });

    // Guarantee: parts up to 100 % leave it paid, and then nothing is left.
    test('parts up to 100 % leave the status paid', async () => {
      const id = await aThree();
      const body = [0, 1].map((index) => ({ merchantId: seller(index).id, amount: index === 0 ? 1_200 : 500 }));
      assert.equal((await refund(id, { childTransactions: body })).body.amount, 1_700);
      assert.equal((await shown(id)).status, 'paid');
      assert.deepEqual(faultsOf(await refund(id)), ['already_refunded']);
    });
  });

  suite('200: by amount', () => {
    test('of a child, by its id', async () => {
      const id = await aThree();
      const [, , third] = await childrenOf(id);
      const before = await balancesOf(service, partner);
      const { body } = await refund(id, { childTransactions: [{ id: third, amount: 150 }] });
      assert.equal(body.amount, 150);
      assert.deepEqual(await refundedOf(id), [0, 0, 150]);
      assert.deepEqual(await moved(before), [-180, 0, 0, 0]);
      assert.equal((await shown(id)).status, 'paid');
    });

    // Guarantee: a seller with several children: in order, with one fee.
    test('of a seller, over its children in order', async () => {
      const id = await aThree();
      const before = await balancesOf(service, partner);
      const { body } = await refund(id, { childTransactions: [{ merchantId: seller(0).id, amount: 1_050 }] });
      assert.equal(body.amount, 1_050);
      assert.deepEqual(await refundedOf(id), [1_000, 0, 50]);
      assert.deepEqual(await moved(before), [-(1_050 - 100 + 30), 0, 0, -100]);
      await refund(id, { childTransactions: [{ merchantId: seller(0).id, amount: 150 }] });
      assert.deepEqual(await refundedOf(id), [1_000, 0, 200]);
    });

    test('of several sellers at once: one refund at the bank', async () => {
      const id = await aThree();
      const [first] = await childrenOf(id);
      const childTransactions = [
        { merchantId: seller(1).id, amount: 1 },
        { id: first, amount: 2 },
        { merchantId: seller(1).id, amount: 3 },
      ];
      const { body } = await refund(id, { childTransactions });
      assert.equal(body.amount, 6);
      assert.deepEqual(await refundedOf(id), [2, 4, 0]);
      await later();
      assert.equal(refundsAtBank(body.refundId), 1);
    });
  });

  suite('200: by products', () => {
    const products = (...given: object[]) => ({ childTransactions: [{ merchantId: seller(0).id, products: given }] });

    // Guarantee: quantity times price, rounded half up once per child; exact with fractions.
    for (const [name, given, amount, lines] of [
      ['one', [{ ...tea, quantity: 1 }], 250, [1, 0]],
      ['without a name', [{ externalId: 'tea', quantity: 2, unitPrice: 250 }], 500, [2, 0]],
      ['a fraction', [{ ...loose, quantity: 0.5 }], 167, [0, 0.5]],
      [
        'fractions that a double cannot add',
        [
          { ...loose, quantity: 0.1 },
          { ...loose, quantity: 0.2 },
        ],
        100,
        [0, 0.3],
      ],
      [
        'rounded once',
        [
          { ...tea, quantity: 0.001 },
          { ...tea, quantity: 0.001 },
        ],
        1,
        [0.002, 0],
      ],
      ['a lower price', [{ ...tea, quantity: 3, unitPrice: 1 }], 3, [3, 0]],
      [
        'a price of zero with another',
        [
          { ...tea, quantity: 1, unitPrice: 0 },
          { ...loose, quantity: 1 },
        ],
        333,
        [1, 1],
      ],
      ['all of it', [tea, { ...loose, unitPrice: 166 }], 999, [3, 1.5]],
    ] as [string, object[], number, number[]][]) {
      test(name, async () => {
        const id = await aThree();
        const answer = await refund(id, products(...given));
        assert.equal(answer.status, 200, answer.text);
        assert.equal(answer.body.amount, amount);
        assert.deepEqual((await linesOf(id)).slice(0, 2), lines);
        assert.deepEqual(await refundedOf(id), [amount, 0, 0]);
      });
    }

    // Guarantee: a product on two lines is taken from both; the refund shows what it took.
    test('a product on duplicate lines', async () => {
      const id = await aThree();
      const given = { merchantId: seller(1).id, products: [{ ...tea, quantity: 4, unitPrice: 100 }] };
      const { body } = await refund(id, { childTransactions: [given] });
      assert.equal(body.amount, 400);
      assert.deepEqual(await linesOf(id), [0, 0, 3, 1]);
      const [shownRefund] = (await shown(id)).refunds;
      assert.deepEqual(shownRefund.childTransactions[0].products, [
        { externalId: 'tea', quantity: 3, unitPrice: 100 },
        { externalId: 'tea', quantity: 1, unitPrice: 100 },
      ]);
    });

    // Guarantee: the last fraction gives the exact rest of 1.5 times 333, which is 500.
    test('in thirds, until nothing is left', async () => {
      const id = await aThree();
      const amounts: number[] = [];
      for (const quantity of [0.5, 0.5, 0.499999, 0.000001])
        amounts.push((await refund(id, products({ ...loose, quantity }))).body.amount);
      assert.deepEqual(amounts, [167, 166, 166, 1]);
      assert.deepEqual((await linesOf(id)).slice(0, 2), [0, 1.5]);
      const rest = await refund(id, products({ ...loose, quantity: 0.000001 }));
      assert.deepEqual(
        [rest.status, faultsOf(rest)],
        [409, ['refund_exceeds_paid childTransactions.0.products.0.quantity']],
      );
      assert.deepEqual(rest.body.reasons, ['Only 0 of the product is left to refund.']);
    });

    // Guarantee: fractions that are each rounded up never add up to more than the product costs, also after a refund was
    // canceled, whose cents the next one makes up for; a preview shows what the refund will be.
    test('halves of a product at one cent', async () => {
      const pin = { externalId: 'pin', quantity: 10, unitPrice: 1 };
      const id = await aPaidSplit(service, partner, [aChild(partner, 0, 1_000, { products: [pin] })]);
      const amounts: (number | string)[] = [];
      const take = async (quantity: number) => {
        const body = products({ ...pin, quantity });
        const preview = await refund(id, body, '?dryRun=true');
        const answer = await refund(id, body);
        assert.deepEqual([preview.status, preview.body.amount], [answer.status, answer.body.amount]);
        amounts.push(answer.status === 200 ? answer.body.amount : faultsOf(answer).join());
        return answer.body.refundId as string;
      };
      const first = await take(0.5);
      for (const quantity of [0.5, 1, 1]) await take(quantity);
      assert.deepEqual(amounts.splice(0), [1, 'too_low childTransactions', 1, 1]);
      for (const verb of ['hold', 'cancel']) {
        const changed = await service.ask('POST', `/refunds/${first}/${verb}`, { token: partner.token });
        assert.equal(changed.status, 200, changed.text);
      }
      for (const quantity of [0.5, 0.5, 0.5, 7.5]) await take(quantity);
      assert.deepEqual(amounts, [1, 'too_low childTransactions', 'too_low childTransactions', 7]);
      assert.deepEqual(await refundedOf(id), [10]);
    });

    // Guarantee: the schema refuses totals of products beyond their price, and verify names those that differ.
    test('totals of products', async () => {
      const id = await aThree();
      assert.equal((await refund(id, products({ ...loose, quantity: 0.5 }))).status, 200);
      const { sql } = service.world.db;
      await assert.rejects(sql.run`update line_refund_total set refunded_value = refunded_value + 1`, {
        constraint: 'line_refund_total_value',
      });
      await assert.rejects(sql.run`update part_refund_total set products_refunded_minor = products_limit_minor + 1`, {
        constraint: 'part_refund_total_products',
      });
      const [child = ''] = await childrenOf(id);
      const kept = (
        await service.world.db.sql.many((row) => readInteger(row, 'price'))`
        select unit_price_minor::integer as price from line_refund_total where part_id = ${child}`
      )[0];
      await sql.run`update line_refund_total set unit_price_minor = 1000 where part_id = ${child}`;
      await sql.run`update part_refund_total set products_limit_minor = 1001 where part_id = ${child}`;
      assert.deepEqual(inWords(await verifyMarketplace(service.world, whole(service.world))), [
        `Part ${child}, product 2: the total allows 1500000 at 1000, sold were 1500000 at 333.`,
        `Part ${child}: its products are worth 1000, the total allows 1001.`,
      ]);
      await sql.run`update line_refund_total set unit_price_minor = ${kept ?? 0} where part_id = ${child}`;
      await sql.run`update part_refund_total set products_limit_minor = 1000 where part_id = ${child}`;
    });

    test('1,000 products in one call', async () => {
      const many = Array.from({ length: 1_000 }, (_, index) => ({
        externalId: `p${index}`,
        quantity: 1,
        unitPrice: 1,
      }));
      const id = await aPaidSplit(service, partner, [aChild(partner, 0, 1_000, { products: many })]);
      const answer = await refund(id, products(...many));
      assert.deepEqual([answer.status, answer.body.amount], [200, 1_000]);
      assert.ok((await linesOf(id)).every((quantity) => quantity === 1));
    });
  });

  suite('400: nothing moves', () => {
    const item = (more: object) => ({ childTransactions: [{ merchantId: seller(0).id, ...more }] });
    const product = (more: object) => item({ products: [{ ...tea, ...more }] });
    for (const [name, body, faults] of [
      ['an unknown key', () => ({ amount: 5 }), ['unexpected_field amount']],
      ['a misspelled key', () => ({ childTransaction: [] }), ['unexpected_field childTransaction']],
      ['null', () => ({ childTransactions: null }), ['not_array childTransactions']],
      ['not a list', () => ({ childTransactions: {} }), ['not_array childTransactions']],
      ['a list as body', () => [], ['not_object']],
      [
        'an unknown key of a child',
        () => item({ amount: 1, reason: 'x' }),
        ['unexpected_field childTransactions.0.reason'],
      ],
      ['a null amount', () => item({ amount: null }), ['not_integer childTransactions.0.amount']],
      [
        'a null beside an amount',
        () => item({ amount: 1, products: null }),
        ['not_array childTransactions.0.products'],
      ],
      ['an item that is null', () => ({ childTransactions: [null] }), ['not_object childTransactions.0']],
      [
        'an empty item',
        () => ({ childTransactions: [{}] }),
        ['field_required childTransactions.0.amount', 'field_required childTransactions.0.merchantId'],
      ],
      ['neither amount nor products', () => item({}), ['field_required childTransactions.0.amount']],
      ['both', () => item({ amount: 1, products: [tea] }), ['not_valid childTransactions.0.products']],
      ['no products', () => item({ products: [] }), ['too_few childTransactions.0.products']],
      ['zero', () => item({ amount: 0 }), ['too_low childTransactions.0.amount']],
      ['negative', () => item({ amount: -1 }), ['too_low childTransactions.0.amount']],
      ['decimals', () => item({ amount: 1.5 }), ['not_integer childTransactions.0.amount']],
      ['text', () => item({ amount: '1' }), ['not_integer childTransactions.0.amount']],
      [
        'a malformed seller',
        () => ({ childTransactions: [{ merchantId: 'x', amount: 1 }] }),
        ['not_valid childTransactions.0.merchantId'],
      ],
      [
        'a seller that is not in it',
        () => ({ childTransactions: [{ merchantId: seller(2).id, amount: 1 }] }),
        ['not_valid childTransactions.0.merchantId'],
      ],
      [
        'a child that is not in it',
        () => ({ childTransactions: [{ id: service.world.ids.ulid(), amount: 1 }] }),
        ['not_valid childTransactions.0.id'],
      ],
      [
        'an unknown product',
        () => product({ externalId: 'x' }),
        ['not_valid childTransactions.0.products.0.externalId'],
      ],
      ['a higher price', () => product({ unitPrice: 251 }), ['not_valid childTransactions.0.products.0.unitPrice']],
      ['a quantity of zero', () => product({ quantity: 0 }), ['too_low childTransactions.0.products.0.quantity']],
      [
        'seven places',
        () => product({ quantity: 0.0000001 }),
        ['incorrect_precision childTransactions.0.products.0.quantity'],
      ],
      ['less than a cent', () => product({ quantity: 0.000001 }), ['too_low childTransactions']],
      [
        'no price',
        () => product({ unitPrice: undefined }),
        ['field_required childTransactions.0.products.0.unitPrice'],
      ],
      [
        'an unknown key of a product',
        () => product({ price: 1 }),
        ['unexpected_field childTransactions.0.products.0.price'],
      ],
      [
        '101 items',
        () => ({ childTransactions: Array.from({ length: 101 }, () => ({ merchantId: seller(0).id, amount: 1 })) }),
        ['too_many childTransactions'],
      ],
    ] as [string, () => object, string[]][]) {
      test(name, async () => {
        const id = await aThree();
        const before = await balancesOf(service, partner);
        const answer = await refund(id, body());
        assert.equal(answer.status, 400, answer.text);
        assert.deepEqual(faultsOf(answer), faults, answer.text);
        assert.deepEqual(
          Object.keys(answer.body.violations).sort(),
          faults.map((fault) => fault.split(' ')[1] ?? '').sort(),
        );
        assert.deepEqual(await moved(before), [0, 0, 0, 0]);
        assert.deepEqual((await shown(id)).refunds, []);
      });
    }

    // Guarantee: a list and an empty list of the same name are not a full refund.
    test('childTransactions twice', async () => {
      const id = await aThree();
      const before = await balancesOf(service, partner);
      const raw = `{"childTransactions":[{"merchantId":"${seller(0).id}","amount":500}],"childTransactions":[]}`;
      const answer = await service.ask('POST', `/marketplace/v1/transaction/${id}/refund`, {
        token: partner.token,
        raw,
        headers: { 'content-type': 'application/json' },
      });
      assert.deepEqual([answer.status, faultsOf(answer)], [400, ['duplicate_field childTransactions']]);
      assert.deepEqual(await moved(before), [0, 0, 0, 0]);
    });

    test('an id and a merchantId', async () => {
      const id = await aThree();
      const [first] = await childrenOf(id);
      const answer = await refund(id, { childTransactions: [{ id: first, merchantId: seller(0).id, amount: 1 }] });
      assert.deepEqual([answer.status, faultsOf(answer)], [400, ['not_valid childTransactions.0.id']]);
      assert.deepEqual(Object.values(answer.body.violations), ['Send either merchantId or id.']);
    });

    // Guarantee: whoever misspells the preview does not refund.
    for (const query of [
      '?dryrun=true',
      '?dryRun=1',
      '?dryRun=',
      '?dryRun=TRUE',
      '?dry_run=true',
      '?dryRun=true&dryRun=true',
      '?x=1',
    ]) {
      test(query, async () => {
        const id = await aThree();
        const answer = await refund(id, {}, query);
        assert.equal(answer.status, 400, answer.text);
        assert.equal(Object.keys(answer.body.violations).length, 1);
        assert.deepEqual((await shown(id)).refunds, []);
      });
    }
  });

  suite('dryRun', () => {
    // Guarantee: a preview is what then happens, and moves nothing.
    for (const [name, body] of [
      ['full', () => ({})],
      ['by amount', () => ({ childTransactions: [{ merchantId: seller(0).id, amount: 1_111 }] })],
      [
        'by products',
        () => ({
          childTransactions: [
            { merchantId: seller(0).id, products: [{ ...loose, quantity: 0.7 }] },
            { merchantId: seller(1).id, products: [{ ...tea, quantity: 1 }] },
          ],
        }),
      ],
    ] as [string, () => object][]) {
      test(name, async () => {
        const id = await aThree();
        const before = await balancesOf(service, partner);
        const preview = await refund(id, body(), '?dryRun=true');
        assert.equal(preview.status, 200, preview.text);
        assert.equal(preview.body.refundId, undefined);
        assert.deepEqual(await moved(before), [0, 0, 0, 0]);
        assert.deepEqual((await shown(id)).refunds, []);
        const done = await refund(id, body(), '?dryRun=false');
        assert.equal(done.body.preview, undefined);
        assert.equal(done.body.amount, preview.body.amount);
        const [made] = (await shown(id)).refunds;
        assert.deepEqual(
          made.childTransactions.map(({ products: _products, ...rest }: { products: unknown }) => rest),
          preview.body.preview.childTransactions,
        );
        const after = await balancesOf(service, partner);
        const all = [...partner.sellers, partner];
        for (const change of preview.body.preview.balances) {
          const index = all.findIndex((one) => one.id === change.merchantId);
          assert.deepEqual([BigInt(change.before), BigInt(change.after)], [before[index], after[index]]);
        }
      });
    }

    test('is refused as the refund would be', async () => {
      const id = await aThree();
      const [, second] = await childrenOf(id);
      const body = { childTransactions: [{ id: second, amount: 501 }] };
      const [preview, real] = [await refund(id, body, '?dryRun=true'), await refund(id, body)];
      assert.deepEqual([preview.status, preview.body.reasons], [409, real.body.reasons]);
    });

    // Guarantee: the query belongs to the key: a preview is never the answer to the refund.
    test('422: the key of a preview for the refund', async () => {
      const id = await aThree();
      const asking = { token: partner.token, body: {}, headers: { 'idempotency-key': `key-${id}` } };
      assert.equal((await service.ask('POST', `${pathOf(id)}?dryRun=true`, asking)).status, 200);
      const real = await service.ask('POST', pathOf(id), asking);
      assert.deepEqual([real.status, faultsOf(real)], [422, ['idempotency_key_reused']]);
      assert.deepEqual((await shown(id)).refunds, []);
    });
  });

  // Guarantee: a repeat under its key refunds once.
  test('200: repeated under an idempotency key', async () => {
    const id = await aThree();
    const body = { childTransactions: [{ merchantId: seller(0).id, amount: 100 }] };
    const asking = { token: partner.token, body, headers: { 'idempotency-key': `once-${id}` } };
    const first = await service.ask('POST', pathOf(id), asking);
    const second = await service.ask('POST', pathOf(id), asking);
    assert.equal(second.text, first.text);
    assert.deepEqual(await refundedOf(id), [100, 0, 0]);
  });

  test('401, 403: who may', async () => {
    const id = await aThree();
    const call = (who: TestMerchant | undefined, of: string) =>
      service.ask('POST', pathOf(of), { ...(who ? { token: who.token } : {}), body: {} });
    await checkDenied(service, partner, call, { id, writes: true });
    assert.equal((await shown(id)).status, 'paid');
  });

  // Guarantee: refunds of old payments go on when a seller is blocked.
  test('200: a blocked seller', async () => {
    const id = await aThree();
    await changeAccount(service.world, seller(0).id, { status: 'blocked' });
    assert.equal((await refund(id)).status, 200);
  });

  test('404: foreign, standard and malformed ids', () =>
    checkNotFound(service, partner, (who, id) =>
      service.ask('POST', pathOf(id), { ...(who ? { token: who.token } : {}), body: {} }),
    ));

  // Guarantee: a child of another transaction is not one of this.
  test('400: a child of another transaction of the partner', async () => {
    const [first] = await childrenOf(await aThree());
    const answer = await refund(await aThree(), { childTransactions: [{ id: first, amount: 1 }] });
    assert.deepEqual([answer.status, faultsOf(answer)], [400, ['not_valid childTransactions.0.id']]);
  });

  test('405: other methods', () => checkMethods(service, pathOf('x'), 'POST'));

  suite('409: nothing moves', () => {
    async function refused(id: string, body: object, faults: string[], reasons?: string[]): Promise<void> {
      const before = await balancesOf(service, partner);
      const answer = await refund(id, body);
      assert.deepEqual([answer.status, faultsOf(answer)], [409, faults], answer.text);
      assert.deepEqual(
        answer.body.reasons,
        reasons ?? answer.body.errors.map((error: { errorMessage: string }) => error.errorMessage),
      );
      assert.equal(answer.body.violations, undefined);
      assert.deepEqual(await moved(before), [0, 0, 0, 0]);
    }

    test('not paid, canceled', async () => {
      const pending = await aSplit(service, partner, [aChild(partner, 0, 100)]);
      await refused(pending, {}, ['cannot_create_refund']);
      await cancelSplit(service, partner, pending);
      await refused(pending, {}, ['transaction_canceled']);
    });

    test('over 100 %', async () => {
      const id = await aThree();
      const of = (index: number, amount: number) => ({ merchantId: seller(index).id, amount });
      await refused(
        id,
        { childTransactions: [of(0, 1_201)] },
        ['refund_exceeds_paid childTransactions.0.amount'],
        ['Only 1200 cents are left to refund.'],
      );
      await refused(id, { childTransactions: [of(0, 1), of(1, 501)] }, [
        'refund_exceeds_paid childTransactions.1.amount',
      ]);
      await refund(id, { childTransactions: [of(1, 499)] });
      await refused(
        id,
        { childTransactions: [of(1, 2)] },
        ['refund_exceeds_paid childTransactions.0.amount'],
        ['Only 1 cents are left to refund.'],
      );
      const products = [{ ...tea, quantity: 3.000001 }];
      await refused(id, { childTransactions: [{ merchantId: seller(0).id, products }] }, [
        'refund_exceeds_paid childTransactions.0.products.0.quantity',
      ]);
      // Within the lines, but over what is left of the child.
      const [first] = await childrenOf(id);
      await refund(id, { childTransactions: [{ id: first, amount: 900 }] });
      await refused(
        id,
        { childTransactions: [{ id: first, products: [{ ...tea, quantity: 1 }] }] },
        ['refund_exceeds_paid childTransactions'],
        [`Only 100 cents are left of child ${first}.`],
      );
    });

    // Guarantee: one grosz short of one of three sellers refuses all of it and names that seller.
    test('a seller one grosz short', async () => {
      const market = await aPartner(service, [{ refundFeeMinor: 30n }, {}, {}]);
      const children = [0, 1, 2].map((index) => aChild(market, index, 1_000));
      const id = await aPaidSplit(service, market, children);
      await fund(service, market.sellers[0] as TestMerchant, 29n);
      const before = await balancesOf(service, market);
      for (const query of ['', '?dryRun=true']) {
        const answer = await refundSplit(service, market, id, {}, query);
        assert.deepEqual([answer.status, faultsOf(answer)], [409, ['insufficient_funds']]);
        assert.deepEqual(answer.body.reasons, [
          `The balance of the seller ${market.sellers[0]?.id} is 1029 cents, and 1030 are needed for amount and fee.`,
        ]);
        assert.deepEqual(await balancesOf(service, market), before);
      }
      assert.equal((await showSplit(service, market, id)).body.refunds.length, 0);
    });

    // Guarantee: all that are short are named.
    test('two sellers short', async () => {
      const market = await aPartner(service, [{ refundFeeMinor: 1n }, { refundFeeMinor: 1n }]);
      const children = [aChild(market, 0, 100, { commission: 50 }), aChild(market, 1, 100)];
      const id = await aPaidSplit(service, market, children);
      const answer = await refundSplit(service, market, id);
      assert.deepEqual(faultsOf(answer), ['insufficient_funds', 'insufficient_funds']);
      assert.deepEqual(answer.body.reasons.map((reason: string) => /\d+ cents, and \d+/.exec(reason)?.[0]).sort(), [
        '100 cents, and 101',
        '50 cents, and 51',
      ]);
    });

    // Guarantee: the channel of the third-party online wallet does not support refunds.
    test('channel 106', async () => {
      const answer = await service.ask('POST', '/marketplace/v1/transaction', {
        token: partner.token,
        body: {
          currency: 'PLN',
          description: 'Cart',
          pos: { id: partner.posId },
          billingAddress: { email: 'payer@example.com', name: 'Jan' },
          childTransactions: [aChild(partner, 0, 1_000)],
        },
      });
      const { transactionId: id, paymentUrl } = answer.body;
      const page = `${service.url}${new URL(paymentUrl).pathname}`;
      const paying = await fetch(page, {
        method: 'POST',
        body: new URLSearchParams({ method: '106', attempt: '1' }),
        redirect: 'manual',
      });
      assert.match(paying.headers.get('location') ?? '', /\/bank$/);
      const [link = ''] = await service.world.db.sql.many((row) => readText(row, 'link'))`
        select link from charge where transaction_id = ${id}`;
      await service.world.bank.choose(link.split('/').at(-1) ?? '', 'confirm');
      await settleAll(service.world);
      assert.equal((await shown(id)).status, 'paid');
      await refused(id, {}, ['cannot_create_refund']);
      await refused(id, { childTransactions: [{ merchantId: seller(0).id, amount: 1 }] }, ['cannot_create_refund']);
    });

    // Guarantee: E4 does not know the sellers: it refuses.
    test('E4 refuses a marketplace transaction', async () => {
      const id = await aThree();
      for (const body of [{}, { amount: 1 }]) {
        const answer = await refundStandard(service, partner, id, body);
        assert.deepEqual([answer.status, faultsOf(answer)], [409, ['belongs_to_marketplace']]);
      }
      const t1 = await service.ask('GET', `/transactions/${id}`, { token: partner.token });
      assert.deepEqual([t1.body.status, t1.body.amount], ['paid', 17]);
    });
  });

  suite('the way of the refund', () => {
    // Guarantee: if the bank refuses, everything returns: balances, fees, commission and quantities.
    test('the bank refuses', async () => {
      const id = await aThree();
      const before = await balancesOf(service, partner);
      service.world.bank.setFaults({ refusedRefund: { probability: 1, seed: 1 } });
      const byProducts = await refund(id, {
        childTransactions: [{ merchantId: seller(0).id, products: [{ ...loose, quantity: 0.7 }] }],
      });
      assert.equal((await refund(id)).status, 200);
      assert.equal((await shown(id)).status, 'refund');
      await later();
      assert.deepEqual(await moved(before), [0, 0, 0, 0]);
      const after = await shown(id);
      assert.equal(after.status, 'paid');
      assert.deepEqual(
        after.refunds.map(({ status }: { status: string }) => status),
        ['BLIK_incorrect', 'BLIK_incorrect'],
      );
      assert.deepEqual(
        [await refundedOf(id), await linesOf(id)],
        [
          [0, 0, 0],
          [0, 0, 0, 0],
        ],
      );
      assert.equal(after.childTransactions[0].commissionReturned, 0);
      assert.ok(byProducts.body.refundId);
      service.world.bank.setFaults({});
      assert.equal((await refund(id)).body.amount, 1_700);
    });

    // Guarantee: what the bank paid after it had declined is gone from that seller: it goes to nobody a second time.
    test('the bank pays late what it had declined', async () => {
      const id = await aThree();
      service.world.bank.setFaults({ unreachable: { probability: 1, seed: 1, seconds: 1e9 } });
      const childTransactions = [{ merchantId: seller(1).id, amount: 400 }];
      const { refundId: key } = (await refund(id, { childTransactions })).body;
      await later();
      service.world.bank.setFaults({});
      await receiveRefundCallback(service.world, { kind: 'refund', key, result: { kind: 'declined' } });
      const [chargeKey = ''] = await service.world.db.sql.many((row) => readText(row, 'charge_key'))`
        select charge_key from outgoing_refund where id = ${key} and sent_at is not null`;
      const amount = { minor: 400n, currency: 'PLN' } as const;
      await service.world.bank.refund({ key, chargeKey, amount, deadlineMilliseconds: 1_000 });
      await receiveRefundCallback(service.world, { kind: 'refund', key, result: { kind: 'approved' } });
      const tooMuch = await refund(id, { childTransactions: [{ merchantId: seller(1).id, amount: 101 }] });
      assert.deepEqual(faultsOf(tooMuch), ['refund_exceeds_paid childTransactions.0.amount']);
      assert.equal((await refund(id)).body.amount, 1_300);
      assert.deepEqual(await refundedOf(id), [1_000, 100, 200]);
    });

    // Guarantee: holding, releasing and canceling work as for any refund, and cancel returns everything.
    test('hold, release, cancel', async () => {
      const id = await aSplit(service, partner, [
        aChild(partner, 0, 1_000, { commission: 77, products: [tea] }),
        aChild(partner, 1, 1),
      ]);
      const paying = { cardPaymentData: { card: encryptCard(service) } };
      await service.ask('POST', `/marketplace/v1/transaction/${id}/pay`, { token: partner.token, body: paying });
      const before = await balancesOf(service, partner);
      const childTransactions = [
        { merchantId: seller(0).id, products: [{ ...tea, quantity: 1.5 }] },
        { merchantId: seller(1).id, amount: 1 },
      ];
      const { refundId } = (await refund(id, { childTransactions })).body;
      const operator = await aCredential(service, partner, 'operator');
      const step = async (verb: string) =>
        (await service.ask('POST', `/refunds/${refundId}/${verb}`, { token: operator.token })).body.status;
      assert.equal(await step('hold'), 'Hold');
      await later();
      assert.notDeepEqual(await moved(before), [0, 0, 0, 0]);
      assert.equal(await step('release'), 'New');
      assert.equal(await step('hold'), 'Hold');
      assert.equal(await step('cancel'), 'Cancel');
      assert.deepEqual(await moved(before), [0, 0, 0, 0]);
      assert.deepEqual([await refundedOf(id), await linesOf(id)], [[0, 0], [0]]);
      assert.equal((await refund(id)).body.amount, 1_001);
    });

    // Guarantee: each step is an event; a refund is no notification.
    test('events', async () => {
      const id = await aThree();
      const { refundId } = (await refund(id)).body;
      await later();
      const events: { type: string; payload: string; subjectId: string }[] = [];
      const { body } = await service.ask('GET', '/events?limit=100', { token: partner.token });
      events.push(...body.events.filter((event: { subjectId: string }) => event.subjectId === refundId));
      assert.deepEqual(
        events.map(({ type, payload: text }) => [type, JSON.parse(text).data.refundStatus]),
        [
          ['refund', 'BLIK_pending'],
          ['refund', 'BLIK_processed'],
        ],
      );
      const sent = await service.world.db.sql.one((row) => readInteger(row, 'count'))`
        select count(*)::integer as count from event where subject_id = ${id}`;
      assert.equal(sent, 1, 'only that it is paid');
    });

    // Guarantee: a refund shows in the lists of refunds.
    test('E5, E6 and E7 show it', async () => {
      const id = await aThree();
      const { refundId } = (await refund(id, { childTransactions: [{ merchantId: seller(1).id, amount: 5 }] })).body;
      const get = (path: string) => service.ask('GET', path, { token: partner.token });
      assert.equal((await get(`/refunds/${refundId}`)).body.transactionId, id);
      assert.equal((await get(`/transactions/${id}/refunds`)).body.refundsList[0].refundId, refundId);
      assert.ok((await get('/refunds')).text.includes(refundId));
      const others = await service.ask('GET', `/refunds/${refundId}`, { token: seller(1).token });
      assert.equal(others.status, 404, 'a seller does not see the whole');
    });
  });

  test('413, 415', async () => {
    const id = await aThree();
    const send = (raw: string, type: string) =>
      service.ask('POST', pathOf(id), { token: partner.token, raw, headers: { 'content-type': type } });
    assert.equal((await send(' '.repeat(1_048_577), 'application/json')).status, 413);
    assert.equal((await send('childTransactions=', 'application/x-www-form-urlencoded')).status, 415);
    assert.deepEqual((await shown(id)).refunds, []);
  });
});
