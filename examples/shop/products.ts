// What the shop sells. Prices are whole grosz: money is never a fraction in binary.

export interface Product {
  readonly id: string;
  readonly name: string;
  readonly about: string;
  readonly priceGrosz: number;
  readonly color: string;
}

export const products: readonly Product[] = [
  {
    id: 'sencha',
    name: 'Sencha',
    about: 'Green, from Uji. Fresh, a little sweet.',
    priceGrosz: 2_490,
    color: '#7d9a5b',
  },
  {
    id: 'earl-grey',
    name: 'Earl Grey',
    about: 'Black, with bergamot from Calabria.',
    priceGrosz: 1_801,
    color: '#7a4a2b',
  },
  {
    id: 'rooibos',
    name: 'Rooibos',
    about: 'Red, without caffeine. For the evening.',
    priceGrosz: 1_505,
    color: '#b4532a',
  },
  {
    id: 'oolong',
    name: 'Oolong',
    about: 'Half-way between green and black, from Anxi.',
    priceGrosz: 3_206,
    color: '#b08d3c',
  },
];

export interface Line<P extends { readonly id: string } = Product> {
  readonly product: P;
  readonly quantity: number;
}

const quantityAtMost = 20;

/**
 * The cart travels in a cookie, `sencha:2,oolong:1`: ids and numbers only. Names and prices are always those of the
 * catalog.
 */
export function readCart<P extends { readonly id: string }>(text: string, catalog: readonly P[]): Line<P>[] {
  return text.split(',').flatMap((part) => {
    const [id, count = ''] = part.split(':');
    const product = catalog.find((candidate) => candidate.id === id);
    const quantity = /^\d{1,2}$/.test(count) ? Math.min(Number(count), quantityAtMost) : 0;
    return product && quantity > 0 ? [{ product, quantity }] : [];
  });
}

export function formatCart(lines: readonly Line<{ readonly id: string }>[]): string {
  return lines.map(({ product, quantity }) => `${product.id}:${quantity}`).join(',');
}

/** The cart with `change` more or less of a product. */
export function changeCart<P extends { readonly id: string }>(
  lines: readonly Line<P>[],
  product: P | undefined,
  change: number,
): Line<P>[] {
  if (!product) return [...lines];
  const known = lines.some((line) => line.product.id === product.id);
  const all = known ? lines : [...lines, { product, quantity: 0 }];
  return all
    .map((line) =>
      line.product.id === product.id ? { ...line, quantity: Math.min(line.quantity + change, quantityAtMost) } : line,
    )
    .filter(({ quantity }) => quantity > 0);
}

export function countOf(lines: readonly Line<{ readonly id: string }>[]): number {
  return lines.reduce((sum, { quantity }) => sum + quantity, 0);
}

export function totalOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { product, quantity }) => sum + product.priceGrosz * quantity, 0);
}
