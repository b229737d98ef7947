// What the back office can refund: a product, an amount of a seller, or everything.

import type { Child, Split } from './grosz.ts';
import type { Fields } from './http.ts';

/**
 * The body of the refund that a form asks for; undefined if it cannot be read. A full refund must be asked for: the
 * empty body is never what is left over.
 */
export function readRefund(given: Fields, { childTransactions: children }: Split): object | undefined {
  if (given('by') === 'all') return {};
  if (given('by') === 'seller') {
    const amount = readGrosz(given('amount'));
    return amount > 0 ? { childTransactions: [{ merchantId: given('seller'), amount }] } : undefined;
  }
  const child = children.find(({ id }) => id === given('child'));
  const product = child?.products.find(({ externalId }) => externalId === given('product'));
  const quantity = Number(given('quantity').replace(',', '.'));
  if (given('by') !== 'product' || !child || !product || !(quantity > 0)) return undefined;
  const { externalId, unitPrice } = product;
  return { childTransactions: [{ id: child.id, products: [{ externalId, quantity, unitPrice }] }] };
}

/** `12.5` is 1250; 0 for anything that is not an amount. Never through a fraction in binary. */
function readGrosz(text: string): number {
  const [, whole = '', part = ''] = /^(\d{1,9})(?:[.,](\d{1,2}))?$/.exec(text.trim()) ?? [];
  return Number(whole + part.padEnd(2, '0'));
}

/** What is left of a line, without the noise of subtracting fractions. */
export function leftOf({ quantity, refundedQuantity }: Child['products'][number]): number {
  return Math.round((quantity - refundedQuantity) * 1_000_000) / 1_000_000;
}

/** What became of a seller's part of a paid order. */
export function partStatus({ amount, refunded }: Child): 'paid' | 'partly refunded' | 'refunded' {
  if (refunded === 0) return 'paid';
  return refunded < amount ? 'partly refunded' : 'refunded';
}
