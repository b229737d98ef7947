import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { atOnce } from '../../test/support/steps.ts';
import { type AccountId, knownId, Refusal, type TransactionId } from '../kernel/index.ts';
import type { Product, RefundItem, RequestedRefund } from './model.ts';
import { chooseParts, commissionReturned, halfUp, type OpenPart, quantityText } from './rules.ts';

interface PartGiven {
  readonly id: string;
  readonly seller?: string;
  readonly amount: bigint;
  readonly commission?: bigint;
  readonly refunded?: bigint;
  /** Paid out by the bank although it had declined. */
  readonly late?: bigint;
  readonly returned?: bigint;
  readonly products?: readonly Product[];
  readonly refundedLines?: readonly (readonly [line: number, quantity: bigint])[];
}

function aPart(given: PartGiven, number = 1): OpenPart {
  const { id, seller = 'S', amount, commission = 0n, refunded = 0n, late = 0n, returned = 0n, products = [] } = given;
  // As if they had been refunded at their own prices.
  const productsValue = (given.refundedLines ?? []).reduce(
    (sum, [line, quantity]) => sum + quantity * (products[line - 1]?.unitPriceMinor ?? 0n),
    0n,
  );
  return {
    part: {
      id,
      transactionId: knownId<TransactionId>('T'),
      number,
      merchantId: knownId<AccountId>(seller),
      amountMinor: amount,
      feeMinor: 0n,
      priceId: null,
      commissionMinor: commission,
      description: '',
      hiddenDescription: '',
      products: '',
      mac: '',
    },
    goneMinor: refunded + late,
    refundedMinor: refunded,
    commissionReturnedMinor: returned,
    refundedLines: new Map(given.refundedLines ?? []),
    productsValue,
    productsMinor: halfUp(productsValue, 1_000_000n),
    products,
  };
}

/** `quantity` in millionths. */
function aProduct(externalId: string, quantity: bigint, unitPriceMinor: bigint): Product {
  return { externalId, name: '', quantity, unitPriceMinor };
}

const one = 1_000_000n;
const full: RequestedRefund = { kind: 'full' };
const items = (...given: RefundItem[]): RequestedRefund => ({ kind: 'items', items: given });
const amountOf = (id: string, amountMinor: bigint): RefundItem => ({ of: { id }, by: { amountMinor } });
const amountOfSeller = (merchantId: string, amountMinor: bigint): RefundItem => ({
  of: { merchantId },
  by: { amountMinor },
});
type Chosen = readonly [externalId: string, quantity: bigint, unitPriceMinor: bigint];
const productsOf = (of: RefundItem['of'], ...chosen: Chosen[]): RefundItem => ({
  of,
  by: { products: chosen.map(([externalId, quantity, unitPriceMinor]) => ({ externalId, quantity, unitPriceMinor })) },
});

/** `id amount commission`, and `line*quantity` for each product. */
function chosenText(parts: readonly PartGiven[], requested: RequestedRefund, left?: bigint): string[] {
  const open = parts.map((part, index) => aPart(part, index + 1));
  const all = open.reduce((sum, { part, goneMinor }) => sum + part.amountMinor - goneMinor, 0n);
  return atOnce(chooseParts(open, requested, left ?? all)).map(({ part, amountMinor, commissionMinor, lines }) =>
    [
      part.id,
      amountMinor,
      commissionMinor,
      ...lines.map(({ line, quantity }) => `${line}*${quantityText(quantity)}`),
    ].join(' '),
  );
}

/** `code field: message` of each fault. */
function faultTexts(parts: readonly PartGiven[], requested: RequestedRefund, left?: bigint): string[] {
  try {
    return [`chosen: ${chosenText(parts, requested, left).join(', ')}`];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.faults.map(({ code, field, message = '' }) => `${code} ${field}: ${message}`);
  }
}

suite('halfUp', () => {
  for (const [amount, divisor, expected] of [
    [0n, 1n, 0n],
    [4n, 10n, 0n],
    [5n, 10n, 1n],
    [14n, 10n, 1n],
    [15n, 10n, 2n],
    [499_999n, 1_000_000n, 0n],
    [500_000n, 1_000_000n, 1n],
    [1n, 3n, 0n],
    [2n, 3n, 1n],
    [1n, 2n, 1n],
    [10n ** 30n + 5n, 10n, 10n ** 29n + 1n],
  ] as const) {
    test(`${amount} / ${divisor} is ${expected}`, () => assert.equal(halfUp(amount, divisor), expected));
  }
});

suite('quantityText', () => {
  for (const [quantity, expected] of [
    [0n, '0'],
    [1n, '0.000001'],
    [10n, '0.00001'],
    [250_000n, '0.25'],
    [1_000_000n, '1'],
    [1_000_001n, '1.000001'],
    [10_000_000n, '10'],
    [1_000_000_000_000_000n, '1000000000'],
    [999_999_999_999_999n, '999999999.999999'],
  ] as const) {
    test(expected, () => assert.equal(quantityText(quantity), expected));
  }
});

suite('commissionReturned', () => {
  for (const [name, part, amount, expected] of [
    ['none', { id: 'a', amount: 100n }, 50n, 0n],
    ['half', { id: 'a', amount: 100n, commission: 10n }, 50n, 5n],
    ['half up', { id: 'a', amount: 100n, commission: 5n }, 50n, 3n],
    ['all of it', { id: 'a', amount: 100n, commission: 7n }, 100n, 7n],
    ['the rest', { id: 'a', amount: 100n, commission: 5n, refunded: 50n, returned: 3n }, 50n, 2n],
    ['the rest, after nothing was returned', { id: 'a', amount: 100n, commission: 1n, refunded: 49n }, 51n, 1n],
    ['less than was returned already', { id: 'a', amount: 10n, commission: 9n, refunded: 1n, returned: 5n }, 1n, 0n],
    ['all of the amount is commission', { id: 'a', amount: 3n, commission: 3n, refunded: 1n, returned: 1n }, 1n, 1n],
  ] as const) {
    test(name, () => assert.equal(commissionReturned(aPart(part), amount), expected));
  }

  // Guarantee: however a child is refunded, the parts of its commission sum up to it.
  test('cent by cent', () => {
    for (const [amount, commission] of [
      [7n, 3n],
      [100n, 99n],
      [13n, 13n],
      [101n, 1n],
    ] as const) {
      let returned = 0n;
      for (let refunded = 0n; refunded < amount; refunded += 1n) {
        const more = commissionReturned(aPart({ id: 'a', amount, commission, refunded, returned }), 1n);
        assert.ok(more >= 0n && more <= 1n);
        returned += more;
      }
      assert.equal(returned, commission);
    }
  });
});

suite('chooseParts', () => {
  const two = [
    { id: 'a', seller: 'S', amount: 1_000n, commission: 100n },
    { id: 'b', seller: 'T', amount: 500n },
  ];
  const ofOneSeller = [
    { id: 'a', seller: 'S', amount: 100n },
    { id: 'b', seller: 'T', amount: 100n },
    { id: 'c', seller: 'S', amount: 100n },
  ];
  const tea = aProduct('tea', 3n * one, 250n);
  const cart = [{ id: 'a', amount: 1_000n, products: [tea, aProduct('cup', one, 100n), aProduct('tea', one, 200n)] }];
  const halves = [{ id: 'a', amount: 1_000n, products: [aProduct('tea', 2n * one, 1n), aProduct('cup', one, 0n)] }];

  // Guarantee: these amounts, from these children, in this order.
  for (const [name, parts, requested, expected] of [
    ['full', two, full, ['a 1000 100', 'b 500 0']],
    [
      'full, of what is left',
      [{ id: 'a', amount: 1_000n, commission: 100n, refunded: 400n, returned: 40n }, two[1]],
      full,
      ['a 600 60', 'b 500 0'],
    ],
    ['full, without a child that is refunded', [{ id: 'a', amount: 10n, refunded: 10n }, two[1]], full, ['b 500 0']],
    ['full, less what the bank paid late', [{ id: 'a', amount: 10n, late: 4n }], full, ['a 6 0']],
    ['an amount of a child', two, items(amountOf('b', 500n)), ['b 500 0']],
    ['amounts in any order', two, items(amountOf('b', 1n), amountOf('a', 2n)), ['a 2 0', 'b 1 0']],
    ['the last cent of a child', [{ id: 'a', amount: 10n, refunded: 9n }], items(amountOf('a', 1n)), ['a 1 0']],
    [
      'two children by id, each its own',
      two,
      items(amountOf('a', 1n), amountOf('b', 2n), amountOfSeller('T', 3n)),
      ['a 1 0', 'b 5 0'],
    ],
    ['two sellers, each its own', two, items(amountOfSeller('S', 1n), amountOfSeller('T', 2n)), ['a 1 0', 'b 2 0']],
    ['one child twice', two, items(amountOf('a', 400n), amountOf('a', 600n)), ['a 1000 100']],
    ['a seller, of its first child', ofOneSeller, items(amountOfSeller('S', 100n)), ['a 100 0']],
    ['a seller, of both in order', ofOneSeller, items(amountOfSeller('S', 101n)), ['a 100 0', 'c 1 0']],
    [
      'a seller, and one of its children',
      ofOneSeller,
      items(amountOf('a', 60n), amountOfSeller('S', 60n)),
      ['a 100 0', 'c 20 0'],
    ],
    ['a product', cart, items(productsOf({ id: 'a' }, ['cup', one, 100n])), ['a 100 0 2*1']],
    ['a part of a product', cart, items(productsOf({ id: 'a' }, ['tea', 500_000n, 250n])), ['a 125 0 1*0.5']],
    ['a lower price', cart, items(productsOf({ id: 'a' }, ['tea', one, 1n])), ['a 1 0 3*1']],
    ['the line with that price', cart, items(productsOf({ id: 'a' }, ['tea', one, 200n])), ['a 200 0 3*1']],
    [
      'the line with that price, and then the other',
      cart,
      items(productsOf({ id: 'a' }, ['tea', one, 200n], ['tea', 3n * one, 250n])),
      ['a 950 0 3*1 1*3'],
    ],
    [
      'children in order, and of each the nearest price',
      [
        { id: 'a', amount: 900n, products: [aProduct('tea', one, 300n), aProduct('tea', one, 200n)] },
        { id: 'b', amount: 900n, products: [aProduct('tea', one, 200n)] },
      ],
      items(productsOf({ merchantId: 'S' }, ['tea', 3n * one, 200n])),
      ['a 400 0 2*1 1*1', 'b 200 0 1*1'],
    ],
    [
      'a lower price, over both lines',
      cart,
      items(productsOf({ id: 'a' }, ['tea', 4n * one, 200n])),
      ['a 800 0 3*1 1*3'],
    ],
    [
      'one product in two items',
      cart,
      items(productsOf({ id: 'a' }, ['tea', one, 250n], ['tea', 2n * one, 250n])),
      ['a 750 0 1*1 1*2'],
    ],
    [
      'what is left of a line',
      [{ ...cart[0], amount: 1_000n, id: 'a', refundedLines: [[1, 2_500_000n]] as const }],
      items(productsOf({ id: 'a' }, ['tea', 500_000n, 250n])),
      ['a 125 0 1*0.5'],
    ],
    [
      'rounded once for a child',
      halves,
      items(productsOf({ id: 'a' }, ['tea', 500_000n, 1n], ['tea', one, 1n])),
      ['a 2 0 1*0.5 1*1'],
    ],
    [
      'rounded once over all refunds',
      [{ ...halves[0], id: 'a', amount: 1_000n, refundedLines: [[1, 500_000n]] as const }],
      items(productsOf({ id: 'a' }, ['tea', one, 1n])),
      ['a 1 0 1*1'],
    ],
    ['half a cent up', halves, items(productsOf({ id: 'a' }, ['tea', 500_000n, 1n])), ['a 1 0 1*0.5']],
    [
      'a free product with another',
      halves,
      items(productsOf({ id: 'a' }, ['cup', one, 0n], ['tea', one, 1n])),
      ['a 1 0 2*1 1*1'],
    ],
    [
      'products of a seller, over its children',
      [
        { id: 'a', amount: 100n, products: [aProduct('tea', one, 100n)] },
        { id: 'b', amount: 100n, products: [aProduct('tea', one, 100n)] },
      ],
      items(productsOf({ merchantId: 'S' }, ['tea', 1_500_000n, 100n])),
      ['a 100 0 1*1', 'b 50 0 1*0.5'],
    ],
    [
      'products and an amount of one child',
      cart,
      items(productsOf({ id: 'a' }, ['cup', one, 100n]), amountOf('a', 900n)),
      ['a 1000 0 2*1'],
    ],
    [
      'products, and an amount that goes on to the next child',
      [
        { id: 'a', amount: 100n, products: [aProduct('tea', one, 60n)] },
        { id: 'b', amount: 100n },
      ],
      items(productsOf({ id: 'a' }, ['tea', one, 60n]), amountOfSeller('S', 100n)),
      ['a 100 0 1*1', 'b 60 0'],
    ],
  ] as [string, PartGiven[], RequestedRefund, string[]][]) {
    test(name, () => assert.deepEqual(chosenText(parts, requested), expected));
  }

  // Guarantee: each refusal names the item and what would be possible.
  for (const [name, parts, requested, expected] of [
    [
      'an unknown child',
      two,
      items(amountOf('x', 1n)),
      ['not_valid childTransactions.0.id: Is not a child of this transaction.'],
    ],
    [
      'an unknown seller',
      two,
      items(amountOf('a', 1n), amountOfSeller('X', 1n)),
      ['not_valid childTransactions.1.merchantId: Is not a seller of this transaction.'],
    ],
    [
      'more than a child',
      two,
      items(amountOf('b', 501n)),
      ['refund_exceeds_paid childTransactions.0.amount: Only 500 cents are left to refund.'],
    ],
    [
      'more than a child, in two items',
      two,
      items(amountOf('b', 300n), amountOf('b', 300n)),
      ['refund_exceeds_paid childTransactions.1.amount: Only 200 cents are left to refund.'],
    ],
    [
      'more than a seller',
      ofOneSeller,
      items(amountOfSeller('S', 201n)),
      ['refund_exceeds_paid childTransactions.0.amount: Only 200 cents are left to refund.'],
    ],
    [
      'an unknown product',
      cart,
      items(productsOf({ id: 'a' }, ['cup', one, 100n], ['pot', one, 1n])),
      ['not_valid childTransactions.0.products.1.externalId: Is not among the products of the child.'],
    ],
    [
      'a higher price',
      cart,
      items(productsOf({ id: 'a' }, ['tea', one, 251n])),
      ['not_valid childTransactions.0.products.0.unitPrice: Must be at most 250, the price of the product.'],
    ],
    [
      'more than a line',
      cart,
      items(productsOf({ id: 'a' }, ['cup', 1_000_001n, 100n])),
      ['refund_exceeds_paid childTransactions.0.products.0.quantity: Only 1 of the product is left to refund.'],
    ],
    [
      'more than the lines with that price',
      cart,
      items(productsOf({ id: 'a' }, ['tea', 4n * one, 250n])),
      [
        'refund_exceeds_paid childTransactions.0.products.0.quantity: Only 3 of the product is left to refund at this price.',
      ],
    ],
    [
      'less than half a cent',
      halves,
      items(productsOf({ id: 'a' }, ['tea', 499_999n, 1n])),
      ['too_low childTransactions: The products of child a come to less than one cent.'],
    ],
    [
      'half a cent, after one that was rounded up',
      [{ ...halves[0], id: 'a', amount: 1_000n, refundedLines: [[1, 500_000n]] as const }],
      items(productsOf({ id: 'a' }, ['tea', 500_000n, 1n])),
      [
        'too_low childTransactions: The products of child a come to less than one cent, because earlier refunds of its products were rounded up.',
      ],
    ],
    [
      'products of more than is left of the child',
      [{ ...cart[0], id: 'a', amount: 1_000n, refunded: 901n }],
      items(productsOf({ id: 'a' }, ['cup', one, 100n])),
      ['refund_exceeds_paid childTransactions: Only 99 cents are left of child a.'],
    ],
    [
      'more than is left of a line',
      [{ ...cart[0], id: 'a', amount: 1_000n, refundedLines: [[1, 2_500_000n]] as const }],
      items(productsOf({ id: 'a' }, ['tea', 500_001n, 250n])),
      [
        'refund_exceeds_paid childTransactions.0.products.0.quantity: Only 0.5 of the product is left to refund at this price.',
      ],
    ],
    [
      'one millionth is left of a line',
      [{ id: 'a', amount: 1_000n, products: [aProduct('tea', one, 250n)], refundedLines: [[1, one - 1n]] as const }],
      items(productsOf({ id: 'a' }, ['tea', 2n, 250n])),
      ['refund_exceeds_paid childTransactions.0.products.0.quantity: Only 0.000001 of the product is left to refund.'],
    ],
    [
      'nothing is left of any line',
      [{ id: 'a', amount: 1_000n, products: [aProduct('tea', one, 250n)], refundedLines: [[1, one]] as const }],
      items(productsOf({ id: 'a' }, ['tea', 1n, 250n])),
      ['refund_exceeds_paid childTransactions.0.products.0.quantity: Only 0 of the product is left to refund.'],
    ],
    [
      'a higher price than that of any of its children',
      [
        { id: 'a', amount: 900n, products: [aProduct('tea', one, 300n)] },
        { id: 'b', amount: 900n, products: [aProduct('tea', one, 200n)] },
      ],
      items(productsOf({ merchantId: 'S' }, ['tea', one, 301n])),
      ['not_valid childTransactions.0.products.0.unitPrice: Must be at most 300, the price of the product.'],
    ],
    [
      'a price of a product that was free',
      [{ id: 'a', amount: 900n, products: [aProduct('tea', one, 0n)] }],
      items(productsOf({ id: 'a' }, ['tea', one, 1n])),
      ['not_valid childTransactions.0.products.0.unitPrice: Must be at most 0, the price of the product.'],
    ],
    [
      'an amount after products that took more than there is',
      [{ id: 'a', amount: 100n, products: [aProduct('tea', 2n * one, 100n)] }],
      items(productsOf({ id: 'a' }, ['tea', 2n * one, 100n]), amountOf('a', 1n)),
      ['refund_exceeds_paid childTransactions.1.amount: Only 0 cents are left to refund.'],
    ],
    [
      'invalid input, and nothing else',
      two,
      items(amountOf('b', 501n), amountOf('x', 1n)),
      ['not_valid childTransactions.1.id: Is not a child of this transaction.'],
    ],
  ] as [string, PartGiven[], RequestedRefund, string[]][]) {
    test(name, () => assert.deepEqual(faultTexts(parts, requested), expected));
  }

  // Guarantee: a cart that names one product as often as a body can is refunded in no time: this took quadratic time.
  test('one product in 20,000 lines, refunded line by line', () => {
    const count = 20_000n;
    const products = Array.from({ length: Number(count) }, (_, index) => aProduct('tea', one, BigInt(index % 2)));
    const chosen = products.map((): Chosen => ['tea', one, 0n]);
    const before = process.threadCpuUsage();
    const request = items(productsOf({ id: 'a' }, ...chosen), amountOf('a', 1n));
    assert.equal(chosenText([{ id: 'a', amount: count, products }], request)[0]?.slice(0, 3), 'a 1');
    const { user } = process.threadCpuUsage(before);
    assert.ok(user < 1_000_000, `${user} microseconds`);
  });

  // Guarantee: a hundred children of the seller cost as little as one: each product was searched in all of them.
  test('one product in 100 children, refunded 20,000 times', () => {
    const products = Array.from({ length: 150 }, () => aProduct('tea', one, 1n));
    const children = Array.from({ length: 100 }, (_, index) => ({ id: `${index}`, amount: 150n, products }));
    // The first takes all of 99 children, the others from the last.
    const chosen: Chosen[] = [
      ['tea', 14_850n * one, 1n],
      ...Array.from({ length: 20_000 }, (): Chosen => ['tea', 1n, 1n]),
    ];
    const before = process.threadCpuUsage();
    const request = items(productsOf({ merchantId: 'S' }, ...chosen), amountOf('99', 1n));
    assert.equal(chosenText(children, request).length, 100);
    const { user } = process.threadCpuUsage(before);
    assert.ok(user < 500_000, `${user} microseconds`);
  });

  // Guarantee: the limit of what products of a part may ever take is what they are worth, and at most the part.
  test('what products may take of their part', () => {
    const limits = (amount: bigint, ...products: Product[]) =>
      atOnce(chooseParts([aPart({ id: 'a', amount, products })], full, amount)).map((part) => part.productsLimitMinor);
    assert.deepEqual(limits(1_000n, aProduct('tea', 2n * one, 250n), aProduct('cup', 500_000n, 1n)), [501n]);
    assert.deepEqual(limits(1_000n, aProduct('tea', 499_999n, 1n)), [0n]);
    assert.deepEqual(limits(400n, aProduct('tea', 2n * one, 250n)), [400n]);
    assert.deepEqual(limits(500n, aProduct('tea', 2n * one, 250n)), [500n]);
  });

  // Guarantee: a refund never returns more commission than it takes of the part, so that it can be undone.
  test('commission that is missing is made up for only as far as the refund goes', () => {
    const behind = aPart({ id: 'a', amount: 100n, commission: 50n, refunded: 80n, returned: 0n });
    assert.equal(commissionReturned(behind, 10n), 10n);
    assert.equal(
      commissionReturned(aPart({ id: 'a', amount: 100n, commission: 50n, refunded: 0n, returned: 40n }), 10n),
      0n,
    );
  });

  test('products that were rounded up before take nothing, and never less', () => {
    const part = {
      ...aPart({ id: 'a', amount: 1_000n, products: [aProduct('tea', 4n * one, 1n)] }),
      productsMinor: 3n,
    };
    const requested = items(productsOf({ id: 'a' }, ['tea', one, 1n]), amountOf('a', 5n));
    assert.deepEqual(
      atOnce(chooseParts([part], requested, 1_000n)).map(({ amountMinor, productsMinor }) => [
        amountMinor,
        productsMinor,
      ]),
      [[5n, 0n]],
    );
  });

  test('an amount takes nothing for products, whatever was refunded of them before', () => {
    const part = { ...aPart({ id: 'a', amount: 1_000n }), productsValue: 5n * one };
    const chosen = atOnce(chooseParts([part], items(amountOf('a', 7n)), 1_000n));
    assert.deepEqual(
      chosen.map(({ amountMinor, productsMinor }) => [amountMinor, productsMinor]),
      [[7n, 0n]],
    );
  });

  test('a hundred faults are shown, not more', () => {
    const wrong = Array.from({ length: 101 }, () => amountOf('x', 1n));
    assert.equal(faultTexts(two, items(...wrong)).length, 100);
  });

  // Guarantee: never more than what is left of the whole payment.
  test('the limit of the payment', () => {
    assert.deepEqual(chosenText(two, full, 1_200n), ['a 1000 100', 'b 200 0']);
    assert.deepEqual(faultTexts(two, items(amountOf('a', 1_000n)), 999n), ['refund_exceeds_paid : ']);
  });
});

// Guarantee: a refund of thousands of products lets others have their turn: once for each part that is searched or refunded,
// and after every fifty products. A child that several items name is searched once.
test('a refund by products is chosen in steps', () => {
  const products = Array.from({ length: 101 }, (_, index) => aProduct(`p${index}`, one, 1n));
  const parts = [aPart({ id: 'A', amount: 101n, products }, 1), aPart({ id: 'B', amount: 101n, products }, 2)];
  const some = (from: number, to: number): Chosen[] =>
    products.slice(from, to).map(({ externalId }) => [externalId, one, 1n]);
  const stepsOf = (...given: RefundItem[]) => [...chooseParts(parts, items(...given), 202n)].length;
  assert.equal(stepsOf(productsOf({ id: 'A' }, ...some(0, 101))), 1 + 3 + 1);
  assert.equal(
    stepsOf(productsOf({ id: 'A' }, ...some(0, 50)), productsOf({ id: 'A' }, ...some(50, 101))),
    1 + 1 + 2 + 1,
  );
  assert.equal(stepsOf(productsOf({ id: 'A' }, ...some(0, 1)), productsOf({ id: 'B' }, ...some(0, 1))), 2 + 2 + 2);
});
