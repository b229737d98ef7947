// Payment cards: encrypted by the payer's browser or the merchant's page, or saved under a token.

import { howToEncrypt } from '../../contract/cards.ts';
import { methods } from '../../contract/methods.ts';
import type { CardShown, Instrument, Turn } from '../acquirer/index.ts';
import { cardReference, openCard, type PlainCard } from '../cards/index.ts';
import { refuse, Secret } from '../kernel/index.ts';
import { byPayer, describe } from './describe.ts';
import type { MethodTools, Reading, ReadyInstrument } from './model.ts';
import { refuseUnlessNumbersTaken } from './offered.ts';

export const card = describe('card', {
  dataField: 'cardPaymentData',
  read,
  form: 'card',
  framed: true,
  refund: { context: 'card', statuses: 'usual' },
  recurring: 'card_token',
});

async function read(tools: MethodTools, { merchantId, data: given, prefix, find }: Reading): Promise<ReadyInstrument> {
  const data = given.cardPaymentData ?? refuse('field_required', `${prefix}cardPaymentData`);
  if ((data.card === undefined) === (data.token === undefined)) {
    const message = 'Send either the encrypted card or a token.';
    const field = `${prefix}cardPaymentData.card`;
    if (data.card === undefined) refuse('field_required', field, message, howToEncrypt);
    return refuse('not_valid', field, message);
  }
  if (data.token !== undefined) {
    const field = `${prefix}cardPaymentData.token`;
    const saved =
      (await openCard(tools, merchantId, data.token)) ??
      refuse('not_valid', field, 'The token does not exist or cannot be used.');
    const cardToken = cardReference(data.token);
    return { ...readyCard(saved, false), initiator: 'merchant', cardToken };
  }
  const { amount } = await find();
  await refuseUnlessNumbersTaken(tools, merchantId, amount, `${prefix}cardPaymentData.card`);
  const plain = tools.cards.decrypt(data.card ?? '', `${prefix}cardPaymentData.card`);
  return readyCard(plain, data.save === true);
}

/** A card that was just entered; `save` stores it under a token, usable when this payment succeeds. */
export function readyCard(plain: PlainCard, save: boolean): ReadyInstrument {
  return { ...byPayer(methods.card.id, cardInstrument(plain)), save: save ? plain : null };
}

/** A card that was typed into the fields of an acquirer, which alone can charge it. */
export function readyFields(acquirer: string, token: Secret, cardShown: CardShown): ReadyInstrument {
  return { ...byPayer(methods.card.id, { kind: 'fields', token, save: false }), acquirer, cardShown };
}

/** The card as the acquirer gets it; `recurring` for a charge of a recurring payment. */
export function cardInstrument({ number, expiry, code }: PlainCard, recurring?: Turn): Instrument {
  const secret = { number: new Secret(number), expiry: new Secret(expiry), code: new Secret(code) };
  return recurring ? { kind: 'card', card: secret, recurring } : { kind: 'card', card: secret };
}
