// The vault of cards: a token outside, the card sealed inside.

import { type AccountId, Secret } from '../kernel/index.ts';
import type { Sql } from '../platform/index.ts';
import type { World } from '../world.ts';
import { brandOf, type PlainCard, tailOf } from './rules.ts';
import { findActiveToken, insertToken, listTokens, updateTokensActive } from './store.ts';

const purpose = (token: string) => `card ${token}`;

/** What may be shown of a saved card. */
export interface SavedCard {
  readonly token: string;
  readonly tail: string;
  readonly brand: string;
  /** MMYY. */
  readonly expiry: string;
}

/** Stores the card under a new token, which can be used only once `activateTokens` was told that a payment succeeded. */
export async function saveCard(world: World, merchantId: AccountId, card: PlainCard): Promise<string> {
  // Hex: the sandbox reads meaning into words (decisions 5), and hex spells none of them.
  const token = Buffer.from(world.random.bytes(32)).toString('hex');
  const kept = JSON.stringify({ number: card.number, expiry: card.expiry });
  const row = {
    token,
    merchantId,
    cardSealed: world.vault.seal(new Secret(kept), purpose(token)),
    tail: tailOf(card.number),
    brand: brandOf(card.number),
    expiry: card.expiry.replace('/', ''),
  };
  await insertToken(world.db.sql, row, world.clock.now());
  return token;
}

/** The card of a usable token of this merchant; undefined for any other. */
export async function openCard(world: World, merchantId: AccountId, token: string): Promise<PlainCard | undefined> {
  const row = await findActiveToken(world.db.sql, merchantId, token);
  if (!row) return undefined;
  const kept = JSON.parse(world.vault.open(row.cardSealed, purpose(token)).reveal());
  return { number: kept.number, expiry: kept.expiry, code: '' };
}

/** Makes tokens usable, in the transaction that says that their payments succeeded. */
export async function activateTokens(sql: Sql, tokens: readonly string[], at: Temporal.Instant): Promise<void> {
  if (tokens.length > 0) await updateTokensActive(sql, tokens, at);
}

/** What may be shown of these tokens' cards, by token. */
export async function describeTokens(sql: Sql, tokens: readonly string[]): Promise<Map<string, SavedCard>> {
  if (tokens.length === 0) return new Map();
  const rows = await listTokens(sql, tokens);
  return new Map(rows.map(({ token, tail, brand, expiry }) => [token, { token, tail, brand, expiry }]));
}
