// What the pay page shows of a marketplace transaction: the sellers' parts with their products.

import type { TransactionId } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import type { Product } from './model.ts';
import { productsInTurns } from './products.ts';
import { listNamedParts } from './store/transactions.ts';

export interface CartPart {
  /** The name of the seller. */
  readonly seller: string;
  readonly amountMinor: bigint;
  readonly description: string;
  /** The first ones. */
  readonly products: readonly Product[];
  /** How many there are in all. */
  readonly productCount: number;
}

/** The parts in the order of the children, in one query; at most `productsAtMost` products of each. */
export async function listCart(
  { db }: Pick<Tools, 'db'>,
  id: TransactionId,
  productsAtMost: number,
): Promise<CartPart[]> {
  const parts = await listNamedParts(db.sql, id);
  const all = await productsInTurns(parts.map(({ products }) => products));
  return parts.map(({ products: _, ...part }, index) => {
    const products = all[index] ?? [];
    return { ...part, products: products.slice(0, productsAtMost), productCount: products.length };
  });
}
