// The choice of the parts of a refund against a model in exact fractions: random children, products, fractional
// quantities, commissions and refunds in all forms, while the bank returns some and pays others late.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { type AccountId, knownId, Refusal, type TransactionId } from '../../src/kernel/index.ts';
import { chooseParts, type OpenPart } from '../../src/marketplace/rules.ts';
import { readProducts, readRequested, serializeProducts } from '../../src/marketplace/wire.ts';
import type { ChosenPart } from '../../src/refunds/index.ts';
import { type DrawnChild, type DrawnItem, decimal, drawnChildren, drawnItem, itemOf } from '../support/market-draws.ts';
import { Fraction, MarketModel, type ModelDecision, type ModelItem, type ModelPart } from '../support/market-model.ts';
import { atOnce } from '../support/steps.ts';

const cases = 3_000;
const seed = 20_261_117;

type Action =
  | { readonly kind: 'full' }
  | { readonly kind: 'items'; readonly items: readonly DrawnItem[] }
  | { readonly kind: 'returned' | 'late'; readonly pick: number };

const actions: fc.Arbitrary<Action[]> = fc.array(
  fc.oneof(
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('full' as const) }) },
    {
      weight: 8,
      arbitrary: fc.record({
        kind: fc.constant('items' as const),
        items: fc.array(drawnItem, { minLength: 1, maxLength: 3 }),
      }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('returned' as const), pick: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('late' as const), pick: fc.nat(20) }) },
  ),
  { minLength: 1, maxLength: 12 },
);

const millionths = ({ over, under }: Fraction) => (over * 1_000_000n) / under;

function modelOf(children: readonly DrawnChild[]): MarketModel {
  return new MarketModel(
    children.map(({ seller, amount, commissionShare, products }, index) => ({
      id: `child ${index}`,
      seller: `seller ${seller}`,
      amount: BigInt(amount),
      commission: (BigInt(amount) * BigInt(commissionShare)) / 1_000n,
      products,
    })),
  );
}

/** The parts as the store would have them. */
function openParts(model: MarketModel): OpenPart[] {
  return model.children.map(({ id, seller, amount, commission, products }, child) => {
    const stored = serializeProducts(
      products.map(({ externalId, quantity, unitPrice }) => ({
        externalId,
        name: '',
        quantity: millionths(Fraction.of(quantity)),
        unitPriceMinor: BigInt(unitPrice),
      })),
    );
    return {
      part: {
        id,
        transactionId: knownId<TransactionId>('transaction'),
        number: child + 1,
        merchantId: knownId<AccountId>(seller),
        amountMinor: amount,
        feeMinor: 0n,
        priceId: null,
        commissionMinor: commission,
        description: '',
        hiddenDescription: '',
        products: stored,
        mac: '',
      },
      products: readProducts(stored),
      refundedMinor: model.refundedOf(child),
      goneMinor: amount - model.leftOf(child),
      commissionReturnedMinor: model.commissionReturnedOf(child),
      refundedLines: new Map(
        products.flatMap((_, line) => {
          const refunded = millionths(model.refundedQuantityOf(child, line));
          return refunded === 0n ? [] : [[line + 1, refunded]];
        }),
      ),
      productsValue: millionths(model.valueOf(child)),
      productsMinor: model.productsOf(child),
    };
  });
}

function choose(model: MarketModel, items: readonly ModelItem[]): readonly ChosenPart[] | { refused: string } {
  try {
    const requested = readRequested(items.length === 0 ? {} : ({ childTransactions: items } as never));
    return atOnce(chooseParts(openParts(model), requested, model.left));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { refused: error.code };
  }
}

/** Adjacent lines of one product may be stored as one or as several. */
function plain(parts: readonly ModelPart[]) {
  return parts.map(({ child, amount, commission, lines }) => ({
    child,
    amount,
    commission,
    lines: lines.map(({ line, quantity }) => [line + 1, millionths(quantity)]),
  }));
}

function compare(model: MarketModel, items: readonly ModelItem[]): ModelDecision {
  const expected = model.decide(items);
  const seen = choose(model, items);
  if ('refused' in expected) {
    // A full refund of nothing is refused before parts are chosen.
    if (items.length > 0) assert.deepEqual(seen, expected);
    return expected;
  }
  if ('refused' in seen) assert.fail(`It is refused: ${seen.refused}.`);
  const chosen = seen.map(({ part, amountMinor, commissionMinor, lines }) => ({
    child: part.number - 1,
    amount: amountMinor,
    commission: commissionMinor,
    lines: lines.map(({ line, quantity }) => [line, quantity]),
  }));
  assert.deepEqual(chosen, plain(expected.parts));
  return expected;
}

/** Whatever the formulas are. */
function checkLimits(model: MarketModel): void {
  const undisturbed = model.refunds.every(({ state }) => state === 'counts');
  for (const [child, { amount, commission, products }] of model.children.entries()) {
    const [refunded, returned] = [model.refundedOf(child), model.commissionReturnedOf(child)];
    assert.ok(refunded <= amount && returned <= commission);
    // Nobody gets money by refunding: a seller gives at least what comes back to it.
    assert.ok(returned <= refunded);
    if (refunded === amount) assert.equal(returned, commission, 'the last cent returns the exact rest');
    // Never further than half a cent from the exact proportion.
    const off = returned * amount - commission * refunded;
    if (undisturbed) assert.ok((off < 0n ? -off : off) * 2n <= amount);
    const worth = products.map(({ quantity, unitPrice }) => Fraction.of(quantity).times(Fraction.of(unitPrice)));
    for (const [line, { quantity }] of products.entries()) {
      assert.ok(!Fraction.of(quantity).isLess(model.refundedQuantityOf(child, line)));
      assert.ok(!worth[line]?.isLess(model.valueOf(child, line)), 'a product is refunded with more than its price');
    }
    const all = worth.reduce((sum, one) => sum.plus(one), new Fraction(0n));
    assert.ok(model.productsOf(child) <= all.rounded(), 'products are refunded with more than they are worth');
    if (undisturbed) assert.equal(model.productsOf(child), model.valueOf(child).rounded());
  }
}

function play(children: readonly DrawnChild[], steps: readonly Action[], seen: Map<string, number>): void {
  const model = modelOf(children);
  const refund = (items: readonly ModelItem[]) => {
    const decision = compare(model, items);
    const name = 'refused' in decision ? decision.refused : 'made';
    seen.set(name, (seen.get(name) ?? 0) + 1);
    if ('refused' in decision) return;
    for (const { amount, commission } of decision.parts) assert.ok(amount > 0n && commission <= amount);
    model.refunds.push({ parts: decision.parts, state: 'counts' });
    checkLimits(model);
  };
  for (const step of steps) {
    if (step.kind === 'full') refund([]);
    else if (step.kind === 'items') refund(step.items.map((item) => itemOf(model, item)));
    else {
      const picked = model.refunds[step.pick % Math.max(1, model.refunds.length)];
      if (picked && picked.state === (step.kind === 'returned' ? 'counts' : 'returned')) picked.state = step.kind;
      checkLimits(model);
    }
  }
  refund([]);
  assert.equal(model.left, 0n);
  if (model.refunds.some(({ state }) => state === 'late')) return;
  for (const [child, { amount, commission }] of model.children.entries()) {
    assert.equal(model.refundedOf(child), amount);
    assert.equal(model.commissionReturnedOf(child), commission);
  }
}

suite('the parts of a refund', () => {
  // Guarantee: parts, amounts, quantities and commissions are exactly those of the model, to the cent and the
  // millionth; whatever was returned meanwhile, the last refund returns the exact rest.
  test(`${cases} random carts and their refunds`, () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(drawnChildren(3, 99_999_999_999), actions, (children, steps) => play(children, steps, seen)),
      { seed, numRuns: cases },
    );
    // The draws reach every outcome, and mostly those that move money.
    const count = (name: string) => seen.get(name) ?? 0;
    for (const name of ['not_valid', 'too_low', 'refund_exceeds_paid', 'already_refunded'])
      assert.ok(count(name) >= 100, `${name}: ${count(name)}`);
    assert.ok(count('made') >= cases * 2, `made: ${count('made')}`);
  });

  // Guarantee: however a product is refunded in fractions, and whatever the bank returns meanwhile, never more than its
  // price is given for it, and the refund of the last fraction gives the exact rest.
  test('fractions of one product', () => {
    const drawn = fc.record({
      quantity: fc.integer({ min: 1, max: 12_000_000 }),
      unitPrice: fc.integer({ min: 1, max: 7 }),
      steps: fc.array(fc.record({ millionths: fc.integer({ min: 1, max: 1_500_000 }), back: fc.boolean() }), {
        maxLength: 40,
      }),
    });
    fc.assert(
      fc.property(drawn, ({ quantity, unitPrice, steps }) => {
        const product = { externalId: 'tea', quantity: decimal(quantity), unitPrice };
        // Room for more than the product, so that only its price is the limit.
        const model = modelOf([{ seller: 0, amount: 10_000, commissionShare: 0, products: [product] }]);
        const refund = (part: number) => {
          const decision = compare(model, [
            { id: 'child 0', products: [{ externalId: 'tea', quantity: decimal(part), unitPrice }] },
          ]);
          if ('refused' in decision) return;
          model.refunds.push({ parts: decision.parts, state: 'counts' });
          checkLimits(model);
        };
        const left = () => quantity - Number(millionths(model.refundedQuantityOf(0, 0)));
        for (const { millionths: part } of steps) if (left() > 0) refund(Math.min(part, left()));
        for (const [index, one] of model.refunds.entries()) if (steps[index]?.back) one.state = 'returned';
        if (left() > 0) refund(left());
        const price = Fraction.of(product.quantity).times(Fraction.of(unitPrice)).rounded();
        assert.ok(model.refundedOf(0) <= price);
        if (left() === 0) assert.equal(model.refundedOf(0), price);
      }),
      { seed, numRuns: cases },
    );
  });

  // Guarantee: a refund returns at most as much commission as it takes from the seller. Otherwise a refund would pay the
  // seller, who might have spent that when the bank declines the refund.
  test('cents, of which any were returned', () => {
    const cents = fc.array(fc.record({ minor: fc.integer({ min: 1, max: 3 }), back: fc.boolean() }), { maxLength: 30 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.nat(1_000), cents, (amount, commissionShare, steps) => {
        const model = modelOf([{ seller: 0, amount, commissionShare, products: [] }]);
        const refund = (items: readonly ModelItem[]) => {
          const decision = compare(model, items);
          if ('refused' in decision) return;
          for (const part of decision.parts) assert.ok(part.commission <= part.amount);
          model.refunds.push({ parts: decision.parts, state: 'counts' });
          checkLimits(model);
        };
        for (const { minor } of steps) refund([{ id: 'child 0', amount: minor }]);
        for (const [index, one] of model.refunds.entries()) if (steps[index]?.back) one.state = 'returned';
        checkLimits(model);
        for (const { minor } of steps) refund([{ id: 'child 0', amount: minor }]);
        refund([]);
        assert.equal(model.commissionReturnedOf(0), model.children[0]?.commission);
      }),
      { seed, numRuns: cases },
    );
  });
});
