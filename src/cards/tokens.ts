// The card vault: merchants hold a token; the card is stored encrypted.

import { hash } from 'node:crypto';
import type { Sql } from '../database/index.ts';
import { type AccountId, Secret } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import { type DatedCard, type PlainCard, shownOf } from './rules.ts';
import { type CardTokenRow, findActiveToken, insertToken, listTokens, updateTokensActive } from './store.ts';

/** Distinguishes our tokens from an acquirer's. */
const prefix = 'card_';
/** 61 characters; of 64 hex digits were those that were issued before tokens had at most 64 characters. */
const shape = /^card_(?:[0-9a-f]{56}|[0-9a-f]{64})$/;

const purpose = (reference: string) => `card ${reference}`;

/** Stored instead of the token, so that reading the tables or a dump is not enough to charge the card. */
export function cardReference(token: string): string {
  return hash('sha256', token);
}

/** What may be shown about a saved card. */
export interface SavedCard {
  readonly token: string;
  readonly tail: string;
  readonly brand: string;
  /** MMYY. */
  readonly expiry: string;
}

/** A card that an acquirer keeps, and what may be shown of it. */
export interface KeptCard {
  readonly acquirer: string;
  readonly shown: DatedCard;
}

/** What a token of ours stands for: a card, or the charge whose card an acquirer has kept. */
export type TokenCard =
  | { readonly card: PlainCard }
  | { readonly kept: { readonly acquirer: string; readonly chargeKey: string } };

/**
 * Stores the card of an attempt under a token, which becomes usable when `activateTokens` reports a successful payment;
 * the same attempt always gets the same token. Returns its reference; the token itself is encrypted with the card, and
 * `describeTokens` returns it.
 */
export function saveCard(
  tools: Tools,
  merchantId: AccountId,
  card: PlainCard | KeptCard,
  attemptId: string,
): Promise<string> {
  // Hex, because the sandbox gives meaning to certain words (docs/decisions/0016), and hex spells none of them.
  const token = `${prefix}${Buffer.from(tools.random.bytes(28)).toString('hex')}`;
  const reference = cardReference(token);
  const isKept = 'acquirer' in card;
  const stored = isKept ? { token } : { number: card.number, expiry: card.expiry, token };
  const { brand, tail } = isKept ? card.shown : shownOf(card.number);
  return insertToken(tools.db.sql, {
    token: reference,
    attemptId,
    merchantId,
    cardSealed: tools.vault.seal(new Secret(JSON.stringify(stored)), purpose(reference)),
    acquirer: isKept ? card.acquirer : null,
    brand,
    tail,
    expiry: (isKept ? card.shown : card).expiry.replace('/', ''),
    createdAt: tools.clock.now(),
  });
}

const tokenPurpose = 'card token';

/**
 * How payments and refunds name a token: ours by its digest, an acquirer's by a keyed one, because that might be short
 * enough to be guessed from a plain one.
 */
export function tokenReference({ vault }: Pick<Tools, 'vault'>, token: string): string {
  return isOwnToken(token) ? cardReference(token) : vault.mac(token, tokenPurpose);
}

/** Every name that a token may have: an acquirer's has one for each key of the vault. */
export function tokenReferences({ vault }: Pick<Tools, 'vault'>, token: string): string[] {
  return isOwnToken(token) ? [cardReference(token)] : vault.macs(token, tokenPurpose);
}

/** Whether it is a token of our vault; any other belongs to the acquirer. */
export function isOwnToken(token: string): boolean {
  return shape.test(token);
}

/** Of a token of our vault that the merchant may charge: who keeps its card; null: we do. Undefined for any other. */
export async function keeperOf(
  tools: Pick<Tools, 'db'>,
  merchantId: AccountId,
  token: string,
): Promise<string | null | undefined> {
  return (await findActiveToken(tools.db.sql, merchantId, cardReference(token)))?.acquirer;
}

/** The card of an active token of this merchant; undefined for any other. */
export async function openCard(tools: Tools, merchantId: AccountId, token: string): Promise<SavedToken | undefined> {
  const row = await findActiveToken(tools.db.sql, merchantId, cardReference(token));
  if (!row) return undefined;
  const { brand, tail, expiry } = row;
  const shown = { brand, tail, expiry: `${expiry.slice(0, 2)}/${expiry.slice(2)}` };
  return { ...openToken(tools, row), shown };
}

export type SavedToken = TokenCard & { readonly shown: DatedCard };

/** A token and the merchant that wants to charge it. */
export interface TokenUse {
  readonly merchantId: AccountId;
  readonly token: string;
}

/**
 * The cards of several tokens in one query, in the same order; undefined for a token that its merchant may not charge
 * or that cannot be decrypted.
 */
export async function openSavedCards(tools: Tools, uses: readonly TokenUse[]): Promise<(TokenCard | undefined)[]> {
  if (uses.length === 0) return [];
  const references = uses.map(({ token }) => cardReference(token));
  const rows = new Map((await listTokens(tools.db.sql, references)).map((row) => [row.token, row]));
  return uses.map(({ merchantId }, index) => {
    const row = rows.get(references[index] ?? '');
    return row?.activeAt && row.merchantId === merchantId ? tryOpen(tools, row) : undefined;
  });
}

/** A card whose vault key is missing does not affect the others. */
function tryOpen(tools: Tools, row: CardTokenRow): TokenCard | undefined {
  try {
    return openToken(tools, row);
  } catch (error) {
    tools.log.error({ err: error }, 'a card could not be decrypted');
    return undefined;
  }
}

function openToken(tools: Pick<Tools, 'vault'>, { cardSealed, token, acquirer, attemptId }: CardTokenRow): TokenCard {
  if (acquirer !== null) return { kept: { acquirer, chargeKey: attemptId } };
  const { number, expiry } = JSON.parse(tools.vault.open(cardSealed, purpose(token)).reveal());
  return { card: { number, expiry, code: '' } };
}

/** Activates tokens, in the transaction that records the success of their payments. */
export async function activateTokens(sql: Sql, references: readonly string[], at: Temporal.Instant): Promise<void> {
  if (references.length > 0) await updateTokensActive(sql, references, at);
}

/** The tokens and what may be shown about their cards, by reference. */
export async function describeTokens(
  tools: Pick<Tools, 'vault'>,
  sql: Sql,
  references: readonly string[],
): Promise<Map<string, SavedCard>> {
  if (references.length === 0) return new Map();
  const rows = await listTokens(sql, references);
  return new Map(
    rows.map(({ token: reference, cardSealed, tail, brand, expiry }) => {
      const { token } = JSON.parse(tools.vault.open(cardSealed, purpose(reference)).reveal());
      return [reference, { token, tail, brand, expiry }];
    }),
  );
}
