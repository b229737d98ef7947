// The vault of cards: a token outside, the card sealed inside.

import { hash } from 'node:crypto';
import { type AccountId, Secret } from '../kernel/index.ts';
import type { Sql } from '../platform/index.ts';
import type { World } from '../world.ts';
import { brandOf, type PlainCard, tailOf } from './rules.ts';
import { type CardTokenRow, findActiveToken, insertToken, listTokens, updateTokensActive } from './store.ts';

/** Tells our tokens from those of an acquirer. */
const prefix = 'card_';
const shape = /^card_[0-9a-f]{64}$/;

const purpose = (reference: string) => `card ${reference}`;

/** What our tables hold in place of the token: whoever reads them, or a dump, cannot charge the card. */
export function cardReference(token: string): string {
  return hash('sha256', token);
}

/** What may be shown of a saved card. */
export interface SavedCard {
  readonly token: string;
  readonly tail: string;
  readonly brand: string;
  /** MMYY. */
  readonly expiry: string;
}

/**
 * Stores the card of an attempt under a token, which can be used only once `activateTokens` was told that a payment
 * succeeded; for the same attempt it is the same token. Answers its reference; the token itself is sealed with the card,
 * and told by `describeTokens`.
 */
export function saveCard(world: World, merchantId: AccountId, card: PlainCard, attemptId: string): Promise<string> {
  // Hex: the sandbox reads meaning into words (decisions 5), and hex spells none of them.
  const token = `${prefix}${Buffer.from(world.random.bytes(32)).toString('hex')}`;
  const reference = cardReference(token);
  const kept = JSON.stringify({ number: card.number, expiry: card.expiry, token });
  const row = {
    token: reference,
    merchantId,
    cardSealed: world.vault.seal(new Secret(kept), purpose(reference)),
    tail: tailOf(card.number),
    brand: brandOf(card.number),
    expiry: card.expiry.replace('/', ''),
  };
  return insertToken(world.db.sql, row, attemptId, world.clock.now());
}

/** Whether it is a token of our vault; any other is the acquirer's. */
export function isOwnToken(token: string): boolean {
  return shape.test(token);
}

/** Whether the merchant may charge this token. Ours must be usable and the merchant's own; any other is the acquirer's to judge. */
export async function mayCharge(world: Pick<World, 'db'>, merchantId: AccountId, token: string): Promise<boolean> {
  if (!isOwnToken(token)) return true;
  return (await findActiveToken(world.db.sql, merchantId, cardReference(token))) !== undefined;
}

/** The card of a usable token of this merchant; undefined for any other. */
export async function openCard(world: World, merchantId: AccountId, token: string): Promise<PlainCard | undefined> {
  const row = await findActiveToken(world.db.sql, merchantId, cardReference(token));
  return row && unseal(world, row);
}

/** A token and the merchant that wants to charge it. */
export interface TokenUse {
  readonly merchantId: AccountId;
  readonly token: string;
}

/** The cards of many, in one query: each in its place, undefined for one that its merchant may not charge, or that cannot be opened. */
export async function openCards(world: World, uses: readonly TokenUse[]): Promise<(PlainCard | undefined)[]> {
  if (uses.length === 0) return [];
  const references = uses.map(({ token }) => cardReference(token));
  const rows = new Map((await listTokens(world.db.sql, references)).map((row) => [row.token, row]));
  return uses.map(({ merchantId }, index) => {
    const row = rows.get(references[index] ?? '');
    return row?.activeAt && row.merchantId === merchantId ? tryUnseal(world, row) : undefined;
  });
}

/** One card whose vault key is missing harms no other. */
function tryUnseal(world: World, row: CardTokenRow): PlainCard | undefined {
  try {
    return unseal(world, row);
  } catch (error) {
    world.log.error({ err: error }, 'a card could not be opened');
    return undefined;
  }
}

function unseal(world: Pick<World, 'vault'>, { cardSealed, token }: CardTokenRow): PlainCard {
  const { number, expiry } = JSON.parse(world.vault.open(cardSealed, purpose(token)).reveal());
  return { number, expiry, code: '' };
}

/** Makes tokens usable, in the transaction that says that their payments succeeded. */
export async function activateTokens(sql: Sql, references: readonly string[], at: Temporal.Instant): Promise<void> {
  if (references.length > 0) await updateTokensActive(sql, references, at);
}

/** The tokens and what may be shown of their cards, by reference. */
export async function describeTokens(
  world: Pick<World, 'vault'>,
  sql: Sql,
  references: readonly string[],
): Promise<Map<string, SavedCard>> {
  if (references.length === 0) return new Map();
  const rows = await listTokens(sql, references);
  return new Map(
    rows.map(({ token: reference, cardSealed, tail, brand, expiry }) => {
      const { token } = JSON.parse(world.vault.open(cardSealed, purpose(reference)).reveal());
      return [reference, { token, tail, brand, expiry }];
    }),
  );
}
