// R6: replacing the payment instrument; storage of instruments.

import { cardTokenLengthAtMost, isCardToken } from '../../contract/cards.ts';
import type { InstrumentGiven } from '../../contract/recurring.ts';
import type { Static } from '../../contract/schema.ts';
import type { Merchant } from '../accounts/index.ts';
import type { BlikModel } from '../acquirer/index.ts';
import { cardReference, isOwnToken, keeperOf, openSavedCards, type TokenCard, tokenReference } from '../cards/index.ts';
import type { Sql } from '../database/index.ts';
import type { Once } from '../http/index.ts';
import { type Fault, type Money, money, type RecurringId, Refusal, refuse, Secret } from '../kernel/index.ts';
import { cardNotChargeable, isChargeable } from '../methods/index.ts';
import type { Tools } from '../tools.ts';
import { blikModelNotTaken, recurringEnded } from './failures.ts';
import type { Instrument, Recurring } from './model.ts';
import { afterRestore, channelOf } from './rules.ts';
import {
  findRecurring,
  findTokenLanguage,
  lockRecurring,
  updateInstrument,
  updateRestored,
} from './store/recurring.ts';
import type { RecurringTools } from './tools.ts';

const purpose = (id: string) => `recurring ${id} instrument`;

/** What is charged: a card from our own vault, or a token or alias that only the acquirer understands. */
export type OpenInstrument = TokenCard | { readonly value: Secret };

/**
 * Decrypts the instruments of these recurring payments, cards of our vault in one query; in the same order, undefined
 * where decryption fails. One that fails does not affect the others.
 */
export async function openInstruments(
  tools: Tools,
  recurrings: readonly Pick<Recurring, 'id' | 'merchantId' | 'instrument'>[],
): Promise<(OpenInstrument | undefined)[]> {
  const opened = recurrings.map(({ id, merchantId, instrument }) => {
    const value = tryOpen(tools, id, instrument.sealed);
    return { value, merchantId, own: instrument.type === 'card_token' && value && isOwnToken(value.reveal()) };
  });
  const uses = opened.flatMap(({ value, merchantId, own }) => {
    return own && value ? [{ merchantId, token: value.reveal() }] : [];
  });
  const cards = (await openSavedCards(tools, uses)).values();
  return opened.map(({ value, own }) => {
    const card = own ? cards.next().value : undefined;
    return own ? card : value && { value };
  });
}

/** How refunds of its charges name the card token; null for an alias, and for one that cannot be decrypted. */
export function cardTokenOf(tools: Tools, { id, instrument }: Pick<Recurring, 'id' | 'instrument'>): string | null {
  if (instrument.type !== 'card_token') return null;
  const value = tryOpen(tools, id, instrument.sealed);
  return value ? tokenReference(tools, value.reveal()) : null;
}

/** Whether it is a card of our own vault, whose number any acquirer can charge. */
export function isOwnCard(tools: Tools, { id, instrument }: Pick<Recurring, 'id' | 'instrument'>): boolean {
  if (instrument.type !== 'card_token') return false;
  const value = tryOpen(tools, id, instrument.sealed);
  return value !== undefined && isOwnToken(value.reveal());
}

function tryOpen(tools: Tools, id: RecurringId, sealed: string): Secret | undefined {
  try {
    return tools.vault.open(sealed, purpose(id));
  } catch (error) {
    tools.log.error({ err: error, recurringId: id }, 'an instrument could not be decrypted');
    return undefined;
  }
}

/** The value is encrypted: a token or an alias charges money without its owner. */
export function sealInstrument(
  tools: Pick<Tools, 'vault'>,
  id: RecurringId,
  given: Static<typeof InstrumentGiven>,
  acquirer: string | null,
): Instrument {
  return {
    type: given.paymentType,
    sealed: tools.vault.seal(new Secret(given.value), purpose(id)),
    acquirer,
    blikModel: given.blik?.model ?? null,
    blikNoDelay: given.blik ? (given.blik.noDelay ?? false) : null,
  };
}

/**
 * `blik` is required with `blik_payid`, including its model, and refused with `card_token`; `noDelay: true` only with A
 * and O. A card token has at most 64 characters, an alias more (docs/decisions/0016).
 */
export function instrumentFaults(body: unknown): Fault[] {
  const given = (body as { paymentInstrument?: Partial<Static<typeof InstrumentGiven>> } | null)?.paymentInstrument;
  if (typeof given !== 'object' || given === null) return [];
  return given.paymentType === 'card_token' ? cardFaults(given) : blikFaults(given);
}

function cardFaults({ value, blik }: Partial<Static<typeof InstrumentGiven>>): Fault[] {
  const faults: Fault[] = [];
  if (typeof value === 'string' && !isCardToken(value)) {
    const message = `Must have at most ${cardTokenLengthAtMost} characters.`;
    faults.push({ code: 'too_long', field: 'paymentInstrument.value', message });
  }
  if (blik !== undefined) {
    const message = 'Not allowed with paymentType card_token.';
    faults.push({ code: 'unexpected_field', field: 'paymentInstrument.blik', message });
  }
  return faults;
}

function blikFaults({ paymentType, blik }: Partial<Static<typeof InstrumentGiven>>): Fault[] {
  const field = 'paymentInstrument.blik';
  if (paymentType !== 'blik_payid') return [];
  if (blik === undefined) return [{ code: 'field_required', field }];
  const faults: Fault[] = [];
  if (blik?.model === undefined) faults.push({ code: 'field_required', field: `${field}.model` });
  if (blik?.model === 'M' && blik.noDelay === true) {
    faults.push({ code: 'not_valid', field: `${field}.noDelay`, message: 'true is allowed only with models A and O.' });
  }
  return faults;
}

/** Who keeps the card of the instrument; null: any acquirer may charge it. */
export async function findKeeper(
  tools: Pick<Tools, 'db'>,
  merchant: Pick<Merchant, 'id'>,
  { paymentType, value }: Static<typeof InstrumentGiven>,
): Promise<string | null> {
  if (paymentType !== 'card_token' || !isOwnToken(value)) return null;
  return (await keeperOf(tools, merchant.id, value)) ?? null;
}

const valueField = 'paymentInstrument.value';
const unknownToken: Fault = {
  code: 'not_valid',
  field: valueField,
  message: 'The token does not exist or cannot be used.',
};

/**
 * A card token of our vault must belong to the merchant; another merchant's token is treated as nonexistent. Somebody must
 * be able to charge what is given.
 */
export async function tokenFaults(
  tools: RecurringTools,
  merchant: Pick<Merchant, 'id'>,
  { paymentType, value, blik }: Static<typeof InstrumentGiven>,
  amount: Money,
): Promise<Fault[]> {
  if (paymentType === 'blik_payid') return blik?.model ? modelFaults(tools, merchant, blik.model, amount) : [];
  const isOwn = isOwnToken(value);
  const acquirer = isOwn ? await keeperOf(tools, merchant.id, value) : null;
  if (acquirer === undefined) return [unknownToken];
  const card = { merchantId: merchant.id, amount, acquirer, recurring: 'card' } as const;
  if (await isChargeable(tools, card)) return [];
  // A token that is not ours is unknown to every acquirer that could charge it.
  return isOwn ? [{ ...cardNotChargeable, field: valueField }] : [unknownToken];
}

async function modelFaults(
  { acquirers }: RecurringTools,
  { id: merchantId }: Pick<Merchant, 'id'>,
  model: BlikModel['model'],
  { minor: amountMinor, currency }: Money,
): Promise<Fault[]> {
  const choose = await acquirers.choice();
  const channelId = channelOf('blik_payid');
  if (choose({ merchantId, channelId, currency, amountMinor, recurring: model }).length > 0) return [];
  return [{ ...blikModelNotTaken, field: 'paymentInstrument.blik.model' }];
}

/** The language of the payment that saved the card; null for tokens and aliases of the acquirer. */
export async function findPayerLanguage(
  tools: RecurringTools,
  merchant: Pick<Merchant, 'id'>,
  { paymentType, value }: Static<typeof InstrumentGiven>,
): Promise<string | null> {
  if (paymentType !== 'card_token' || !isOwnToken(value)) return null;
  return (await findTokenLanguage(tools.db.sql, merchant.id, cardReference(value))) ?? null;
}

/** The same as a refusal. */
export async function refuseForeignToken(
  tools: RecurringTools,
  merchant: Pick<Merchant, 'id'>,
  id: RecurringId,
  given: Static<typeof InstrumentGiven>,
): Promise<void> {
  const recurring = await findRecurring(tools.db.sql, id);
  if (recurring?.merchantId !== merchant.id) return;
  const { amountMinor, currency } = recurring;
  const faults = await tokenFaults(tools, merchant, given, money(amountMinor, currency));
  if (faults.length > 0) throw new Refusal(faults);
}

/**
 * For all later charges and retries; a charge that is already claimed keeps its instrument. A failed recurring payment
 * is restored.
 */
export async function changeInstrument(
  tools: RecurringTools,
  merchant: Merchant,
  id: RecurringId,
  given: Static<typeof InstrumentGiven>,
  { once, check }: { readonly once: Once; readonly check: () => Promise<unknown> },
): Promise<Recurring> {
  const [language, keeper] = await Promise.all([
    findPayerLanguage(tools, merchant, given),
    findKeeper(tools, merchant, given),
  ]);
  const change = async (sql: Sql) => {
    const recurring = (await lockRecurring(sql, merchant.id, id)) ?? refuse('not_found');
    const { plan, progress } = recurring;
    if (progress.status === 'finished' || progress.status === 'canceled') refuse(recurringEnded);
    await updateInstrument(sql, id, sealInstrument(tools, id, given, keeper), language);
    if (progress.status === 'failed') await updateRestored(sql, id, afterRestore(plan, progress, tools.clock.now()));
    return null;
  };
  await once(change, check);
  return (await findRecurring(tools.db.sql, id)) ?? refuse('not_found');
}
