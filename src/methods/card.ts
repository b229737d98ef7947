// Payment cards: encrypted by the payer's browser or the merchant's page, or saved under a token.

import { howToEncrypt } from '../../contract/cards.ts';
import { methods } from '../../contract/methods.ts';
import type { CardShown, Instrument, Turn } from '../acquirer/index.ts';
import { cardReference, openCard, type PlainCard, type TokenCard } from '../cards/index.ts';
import { type AccountId, type Money, refuse, Secret } from '../kernel/index.ts';
import { byPayer, describe } from './describe.ts';
import type { MethodTools, Reading, ReadyInstrument } from './model.ts';
import { refuseUnlessChargeable, refuseUnlessNumbersTaken } from './offered.ts';

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
  const { amount } = await find();
  if (data.token !== undefined) {
    return readSaved(tools, merchantId, { token: data.token, amount }, `${prefix}cardPaymentData.token`);
  }
  await refuseUnlessNumbersTaken(tools, merchantId, amount, `${prefix}cardPaymentData.card`);
  const plain = tools.cards.decrypt(data.card ?? '', `${prefix}cardPaymentData.card`);
  return readyCard(plain, data.save === true);
}

/** A card that its payer let be saved: in our vault, or at the acquirer that alone can charge it. */
async function readSaved(
  tools: MethodTools,
  merchantId: AccountId,
  { token, amount }: { readonly token: string; readonly amount: Money },
  field: string,
): Promise<ReadyInstrument> {
  const saved =
    (await openCard(tools, merchantId, token)) ??
    refuse('not_valid', field, 'The token does not exist or cannot be used.');
  const acquirer = 'kept' in saved ? saved.kept.acquirer : null;
  await refuseUnlessChargeable(tools, { merchantId, amount, acquirer }, field);
  const charged = { initiator: 'merchant', cardToken: cardReference(token) } as const;
  if ('card' in saved) return { ...readyCard(saved.card, false), ...charged };
  const { kept, shown } = saved;
  const instrument = { kind: 'saved', chargeKey: kept.chargeKey } as const;
  return { ...byPayer(methods.card.id, instrument), ...charged, acquirer: kept.acquirer, cardShown: shown };
}

/** A card that was just entered; `save` stores it under a token, usable when this payment succeeds. */
export function readyCard(plain: PlainCard, save: boolean): ReadyInstrument {
  return { ...byPayer(methods.card.id, cardInstrument(plain)), save: save ? plain : null };
}

/** What the fields of an acquirer made of a card, and which card that is. */
export interface TypedElsewhere {
  readonly acquirer: string;
  readonly token: Secret;
  readonly shown: CardShown;
  readonly save: boolean;
}

/** A card that was typed into the fields of an acquirer, which alone can charge it. */
export function readyFields({ acquirer, token, shown, save }: TypedElsewhere): ReadyInstrument {
  const ready = { ...byPayer(methods.card.id, { kind: 'fields', token, save }), acquirer, cardShown: shown };
  return save ? { ...ready, save: { acquirer, shown } } : ready;
}

/** A saved card as the acquirer gets it, for a charge of a recurring payment. */
export function savedInstrument(saved: TokenCard, recurring: Turn): Instrument {
  if ('card' in saved) return cardInstrument(saved.card, recurring);
  return { kind: 'saved', chargeKey: saved.kept.chargeKey, recurring };
}

/** The card as the acquirer gets it; `recurring` for a charge of a recurring payment. */
function cardInstrument({ number, expiry, code }: PlainCard, recurring?: Turn): Instrument {
  const secret = { number: new Secret(number), expiry: new Secret(expiry), code: new Secret(code) };
  return recurring ? { kind: 'card', card: secret, recurring } : { kind: 'card', card: secret };
}
