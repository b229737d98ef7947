// The market: products of three sellers in one cart. One payment pays them all, with a child transaction for each seller.

import type { Line, Product } from './products.ts';

export interface MarketProduct extends Product {
  /** Which seller of the market: the first, second or third. */
  readonly seller: number;
  /** Sold by weight: `priceGrosz` is for a kilogram, and the cart counts quarters of it. */
  readonly weighed?: true;
}

export const marketProducts: readonly MarketProduct[] = [
  {
    id: 'linden-honey',
    name: 'Linden honey',
    about: 'By weight, from hives in Masuria.',
    priceGrosz: 4_800,
    color: '#d39a2d',
    seller: 0,
    weighed: true,
  },
  {
    id: 'honeycomb',
    name: 'Honeycomb',
    about: 'Whole, in its frame.',
    priceGrosz: 3_250,
    color: '#b8741a',
    seller: 0,
  },
  {
    id: 'tea-bowl',
    name: 'Tea bowl',
    about: 'Thrown and glazed by hand.',
    priceGrosz: 5_400,
    color: '#5d7486',
    seller: 1,
  },
  {
    id: 'sugar-bowl',
    name: 'Sugar bowl',
    about: 'Small, from the same clay.',
    priceGrosz: 4_690,
    color: '#7d8fa0',
    seller: 1,
  },
  {
    id: 'shortbread',
    name: 'Shortbread',
    about: 'Twelve pieces, with butter.',
    priceGrosz: 1_690,
    color: '#c08a57',
    seller: 2,
  },
  {
    id: 'poppy-roll',
    name: 'Poppy-seed roll',
    about: 'Baked this morning.',
    priceGrosz: 1_240,
    color: '#584d5e',
    seller: 2,
  },
];

/** What each seller sells, for the payer; and what the market keeps of it, in percent. */
const terms = [
  { sells: 'Honey', commissionPercent: 5 },
  { sells: 'Pottery', commissionPercent: 8 },
  { sells: 'Baked goods', commissionPercent: 0 },
];

export type MarketLine = Line<MarketProduct>;

/** The quantity as Grosz gets it. Quarters are exact. */
export function quantityOf({ product, quantity }: MarketLine): number {
  return product.weighed ? quantity / 4 : quantity;
}

export function quantityText(line: MarketLine): string {
  return line.product.weighed ? `${quantityOf(line)} kg` : String(line.quantity);
}

/** Whole grosz: the price of a kilogram is a multiple of four. */
export function lineGrosz(line: MarketLine): number {
  return quantityOf(line) * line.product.priceGrosz;
}

export interface Basket {
  readonly seller: number;
  readonly lines: readonly MarketLine[];
  readonly totalGrosz: number;
}

/** The cart by seller. */
export function basketsOf(cart: readonly MarketLine[]): Basket[] {
  const sellers = [...new Set(cart.map(({ product }) => product.seller))].sort();
  return sellers.map((seller) => {
    const lines = cart.filter(({ product }) => product.seller === seller);
    return { seller, lines, totalGrosz: sumOf(lines) };
  });
}

export function sumOf(cart: readonly MarketLine[]): number {
  return cart.reduce((sum, line) => sum + lineGrosz(line), 0);
}

export function itemsOf(cart: readonly MarketLine[]): string {
  return cart.map((line) => `${quantityText(line)} × ${line.product.name}`).join(', ');
}

/** The children of the transaction: for each seller its amount, its products, and what the market keeps of it. */
export function childrenOf(cart: readonly MarketLine[], sellerIds: readonly string[]): object[] {
  return basketsOf(cart).map(({ seller, lines, totalGrosz }) => ({
    merchant: { id: sellerIds[seller] },
    amount: totalGrosz,
    commission: Math.floor((totalGrosz * (terms[seller]?.commissionPercent ?? 0)) / 100),
    description: terms[seller]?.sells ?? '',
    products: lines.map((line) => ({
      externalId: line.product.id,
      name: line.product.name,
      quantity: quantityOf(line),
      unitPrice: line.product.priceGrosz,
    })),
  }));
}
