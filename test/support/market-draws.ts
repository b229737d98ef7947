// Random carts and refunds of them, for fast-check. What is drawn is relative to what is left, so that most requests are
// near a limit: just below it, at it, or just above.

import fc from 'fast-check';
import type { MarketModel, ModelItem, ModelProduct } from './market-model.ts';

export interface DrawnChild {
  /** One of the sellers, from 0. */
  readonly seller: number;
  readonly amount: number;
  /** Of what the seller would get, in thousandths. */
  readonly commissionShare: number;
  readonly products: readonly ModelProduct[];
}

/** Millionths as the number that a JSON body has. */
export const decimal = (millionths: number) =>
  Number(`${Math.floor(millionths / 1e6)}.${String(millionths % 1e6).padStart(6, '0')}`);

const quantity = fc.oneof(
  fc.integer({ min: 1, max: 20 }),
  fc.constantFrom(0.25, 0.5, 1.5, 0.1, 0.000001, 0.333333),
  fc.integer({ min: 1, max: 9_999_999 }).map(decimal),
);
const product = fc.record({
  externalId: fc.constantFrom('tea', 'cup', 'jug'),
  quantity,
  unitPrice: fc.oneof(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 20_000 })),
});

export const drawnChildren = (sellers: number, highest: number, most = 6): fc.Arbitrary<DrawnChild[]> =>
  fc.array(
    fc
      .record({
        seller: fc.nat(sellers - 1),
        amount: fc.oneof(
          { weight: 3, arbitrary: fc.constant('of its products' as const) },
          { weight: 1, arbitrary: fc.integer({ min: 1, max: 30 }) },
          { weight: 1, arbitrary: fc.integer({ min: 1, max: 20_000 }) },
          { weight: 1, arbitrary: fc.integer({ min: 1, max: highest }) },
        ),
        commissionShare: fc.oneof(fc.constantFrom(0, 500, 1_000), fc.nat(1_000)),
        products: fc.array(product, { maxLength: 5 }),
      })
      .map(({ amount, products, ...more }) => ({
        ...more,
        products,
        amount: amount === 'of its products' ? Math.max(1, worthOf(products)) : amount,
      })),
    { minLength: 1, maxLength: most },
  );

/** Near enough: the service does not compare it with the amount. */
function worthOf(products: readonly ModelProduct[]): number {
  return Math.round(products.reduce((sum, one) => sum + one.quantity * one.unitPrice, 0));
}

/** An item whose child, amount and quantities are chosen when the state is known. */
export interface DrawnItem {
  readonly child: number;
  /** By seller instead of by id; or one that does not exist. */
  readonly by: 'id' | 'merchantId' | 'unknown';
  readonly what: 'amount' | 'products';
  /** Of what is left, in thousandths. */
  readonly shares: readonly number[];
  /** Added to that, in cents or millionths. */
  readonly offset: number;
  /** Added to the price. */
  readonly dearer: number;
}

export const drawnItem: fc.Arbitrary<DrawnItem> = fc.record({
  child: fc.nat(20),
  by: fc.oneof(
    { weight: 15, arbitrary: fc.constant('id' as const) },
    { weight: 8, arbitrary: fc.constant('merchantId' as const) },
    { weight: 1, arbitrary: fc.constant('unknown' as const) },
  ),
  what: fc.constantFrom('amount', 'products', 'products'),
  shares: fc.array(fc.oneof(fc.constantFrom(1_000, 500, 333), fc.integer({ min: 1, max: 1_000 })), {
    minLength: 1,
    maxLength: 3,
  }),
  offset: fc.oneof({ weight: 12, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constantFrom(1, -1) }),
  dearer: fc.oneof(
    { weight: 12, arbitrary: fc.constant(0) },
    { weight: 4, arbitrary: fc.integer({ min: -50, max: -1 }) },
    { weight: 1, arbitrary: fc.constant(1) },
  ),
});

const unknownId = '01K9Z4M7Q2V5X8B1C3D6F9G0HJ';

/** The item as it is sent. */
export function itemOf(model: MarketModel, drawn: DrawnItem): ModelItem {
  const index = drawn.child % model.children.length;
  const child = model.children[index];
  if (!child) throw new Error('There is no child.');
  const of =
    drawn.by === 'unknown' ? { id: unknownId } : drawn.by === 'id' ? { id: child.id } : { merchantId: child.seller };
  const share = (all: number, part: number) => Math.max(1, Math.ceil((all * part) / 1_000) + drawn.offset);
  const [first = 1_000] = drawn.shares;
  if (drawn.what === 'amount' || child.products.length === 0)
    return { ...of, amount: share(Number(model.leftOf(index)), first) };
  return {
    ...of,
    products: drawn.shares.map((part, number): ModelProduct => {
      const line = (number + drawn.child) % child.products.length;
      const sold = child.products[line] as ModelProduct;
      const gone = model.refundedQuantityOf(index, line);
      const left = Math.round(sold.quantity * 1e6) - Number((gone.over * 1_000_000n) / gone.under);
      const unitPrice = Math.max(0, sold.unitPrice + drawn.dearer);
      return { externalId: sold.externalId, quantity: decimal(share(left, part)), unitPrice };
    }),
  };
}
