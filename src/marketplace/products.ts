// Reads the stored products of a transaction's parts.

import { laterTurn } from '../runtime/index.ts';
import type { Product } from './model.ts';
import { readProducts } from './wire.ts';

/** Some 400 products: reading them takes a millisecond. */
const charactersAtOnce = 32_768;

/**
 * The products of each part, in order. A cart may have as many as fit into a body of 1 MiB: it is read in several turns
 * of the loop, and what follows has a turn of its own.
 */
export async function productsInTurns(parts: readonly string[]): Promise<Product[][]> {
  const all: Product[][] = [];
  let characters = 0;
  for (const stored of parts) {
    all.push(readProducts(stored));
    characters += stored.length;
    if (characters < charactersAtOnce) continue;
    await laterTurn('heavy');
    characters = 0;
  }
  return all;
}
