// Turns the payment data of a request into what the acquirer charges. Reports all faults together; secrets stay
// secrets.

import { howToEncrypt } from '../../contract/cards.ts';
import { enabledChannel, type Merchant } from '../accounts/index.ts';
import type { Instrument, Turn } from '../acquirer/index.ts';
import { cardReference, openCard, type PlainCard } from '../cards/index.ts';
import { type Fault, type Money, Refusal, refuse, Secret } from '../kernel/index.ts';
import type { UsedToken, WalletPayment } from '../wallet/index.ts';
import { paymentFailed } from './failures.ts';
import type { GivenAlias, PayRequest } from './model.ts';
import type { TransactionTools } from './tools.ts';

export interface ReadyInstrument {
  readonly channelId: number;
  readonly instrument: Instrument;
  /** `merchant`: a saved card, charged without its payer. */
  readonly initiator: 'payer' | 'merchant';
  /** The reference of the card token that it is paid with. */
  readonly cardToken: string | null;
  /** The card to save under a token, if the payer asked for it. Nothing is saved before there is an attempt. */
  readonly save: PlainCard | null;
  /** The wallet token that the attempt uses up. */
  readonly walletToken: UsedToken | null;
}

/** What the request pays for: wallet data must be made for this amount. */
export interface ToPay {
  readonly amount: Money;
  /** Undefined for a transaction that is not created yet. */
  readonly id?: string;
  /** The attempt of this request, if an earlier run of it may have used the token. */
  readonly attemptId?: string;
}

/** A wallet token that was already sent for the same transaction: the response is repeated. */
export interface RepeatedToken {
  readonly repeats: string;
  /** Null if the token is too old to be decrypted again. */
  readonly ready: ReadyInstrument | null;
}

const channel = { transfer: 21, card: 53, blik: 64, wallet: 75, onlineWallet: 106 } as const;

/** Whether the request contains data that pays immediately, as opposed to a method that the payer continues with. */
export function hasPaymentData(pay: PayRequest | undefined): boolean {
  return Boolean(pay?.blikPaymentData ?? pay?.cardPaymentData ?? pay?.walletPayPaymentData);
}

/**
 * Read-only. `prefix` is the path of the data in the body: `pay.` in E1, empty in E2. `find` is called only for data
 * that is made for one amount.
 */
export async function readInstrument(
  tools: TransactionTools,
  merchant: Pick<Merchant, 'id' | 'channels'>,
  channelId: number,
  pay: PayRequest,
  prefix: string,
  find: () => ToPay | Promise<ToPay>,
): Promise<ReadyInstrument | RepeatedToken> {
  if (!enabledChannel(merchant.channels, { id: channelId }))
    refuse('not_valid', `${prefix}channelId`, 'Is not enabled for the account.');
  refuseStrayData(channelId, pay, prefix);
  switch (channelId) {
    case channel.blik:
      return byPayer(channelId, blikInstrument(pay, prefix));
    case channel.card:
      return readCardInstrument(tools, merchant, pay, prefix);
    case channel.transfer:
      return byPayer(channelId, { kind: 'transfer' });
    case channel.onlineWallet:
      return byPayer(channelId, { kind: 'onlineWallet' });
    default:
      return readWallet(tools, merchant, pay, prefix, find);
  }
}

/** With a code, or for a payer who is known by an alias. */
function blikInstrument({ blikPaymentData: { blikToken, aliases = [] } = {} }: PayRequest, prefix: string): Instrument {
  const given: readonly GivenAlias[] = [aliases].flat();
  if (blikToken === undefined && given.length === 0) {
    const message = 'Send the BLIK code, or an alias that the payer registered.';
    return refuse('field_required', `${prefix}blikPaymentData.blikToken`, message);
  }
  return {
    kind: 'blik',
    code: blikToken === undefined ? null : new Secret(blikToken),
    aliases: given.map(({ value, type, label = '' }) => ({ value: new Secret(value), type, label })),
  };
}

async function readWallet(
  tools: TransactionTools,
  merchant: Pick<Merchant, 'id'>,
  pay: PayRequest,
  prefix: string,
  find: () => ToPay | Promise<ToPay>,
): Promise<ReadyInstrument | RepeatedToken> {
  const field = `${prefix}walletPayPaymentData`;
  const token = pay.walletPayPaymentData ?? refuse('field_required', field);
  await refuseUnavailableWallet(tools, merchant, prefix);
  const { amount, id, attemptId } = await find();
  const opened = await tools.wallet.open(merchant.id, token, amount);
  const ready = 'payment' in opened ? readyWallet(opened.payment, opened.used) : null;
  const { earlier } = opened;
  if (earlier) {
    const isSame = earlier.transactionId === id || earlier.attemptId === attemptId;
    if (isSame) return { repeats: earlier.attemptId, ready };
    tools.wallet.reportReplay(merchant.id, earlier);
    return refuseToken(field);
  }
  if (ready) return ready;
  if ('malformed' in opened && !opened.malformed) return refuseToken(field);
  const message = 'Must be a payment token: its paymentData object as JSON, encoded in base64.';
  return refuse(
    'not_valid',
    field,
    message,
    'Encode the paymentData object of the token exactly as the device gave it.',
  );
}

/** Which check failed is only logged, so that forgers learn nothing. */
export function refuseToken(field: string): never {
  const message = 'The wallet token was refused.';
  const devMessage =
    'Start a new wallet session: a token is valid for 5 minutes, for one transaction and for exactly its amount.';
  return refuse(paymentFailed, field, message, devMessage);
}

/** If the wallet is not set up, nobody can pay with it. */
export async function refuseUnavailableWallet(
  tools: Pick<TransactionTools, 'wallet'>,
  merchant: Pick<Merchant, 'id'>,
  prefix: string,
): Promise<void> {
  if (await tools.wallet.isAvailable(merchant.id)) return;
  refuse('not_valid', `${prefix}channelId`, 'Wallet payments are not set up for this account.');
}

export function isWallet(channelId: number): boolean {
  return channelId === channel.wallet;
}

function readyWallet({ network, deviceNumber, expiry, cryptogram, eci }: WalletPayment, used: UsedToken) {
  const card = { network, number: deviceNumber, expiry: new Secret(expiry), cryptogram, eci };
  return { ...byPayer(channel.wallet, { kind: 'wallet', card }), walletToken: used };
}

function byPayer(channelId: number, instrument: Instrument): ReadyInstrument {
  return { channelId, instrument, initiator: 'payer', cardToken: null, save: null, walletToken: null };
}

/** Data of a method other than the chosen one is a fault: it must not be silently ignored. */
function refuseStrayData(channelId: number, pay: PayRequest, prefix: string): void {
  const faults: Fault[] = [];
  const stray = (field: string) =>
    faults.push({
      code: 'not_valid',
      field: `${prefix}${field}`,
      message: 'This data does not belong to the chosen channel.',
      devMessage: 'Remove the field, or choose the channel that it belongs to.',
    });
  if (pay.blikPaymentData && channelId !== channel.blik) stray('blikPaymentData');
  if (pay.cardPaymentData && channelId !== channel.card) stray('cardPaymentData');
  if (pay.walletPayPaymentData !== undefined && channelId !== channel.wallet) stray('walletPayPaymentData');
  if (faults.length > 0) throw new Refusal(faults);
}

async function readCardInstrument(
  tools: TransactionTools,
  merchant: Pick<Merchant, 'id'>,
  pay: PayRequest,
  prefix: string,
): Promise<ReadyInstrument> {
  const data = pay.cardPaymentData ?? refuse('field_required', `${prefix}cardPaymentData`);
  if ((data.card === undefined) === (data.token === undefined)) {
    const message = 'Send either the encrypted card or a token.';
    const field = `${prefix}cardPaymentData.card`;
    if (data.card === undefined) refuse('field_required', field, message, howToEncrypt);
    return refuse('not_valid', field, message);
  }
  if (data.token !== undefined) {
    const field = `${prefix}cardPaymentData.token`;
    const card =
      (await openCard(tools, merchant.id, data.token)) ??
      refuse('not_valid', field, 'The token does not exist or cannot be used.');
    const cardToken = cardReference(data.token);
    return { ...readyCard(card, false), initiator: 'merchant', cardToken };
  }
  const card = tools.cards.decrypt(data.card ?? '', `${prefix}cardPaymentData.card`);
  return readyCard(card, data.save === true);
}

/** A card that was just entered; `save` stores it under a token, usable when this payment succeeds. */
export function readyCard(card: PlainCard, save: boolean): ReadyInstrument {
  return { ...byPayer(channel.card, cardInstrument(card)), save: save ? card : null };
}

/** The card as the acquirer gets it; `recurring` for a charge of a recurring payment. */
export function cardInstrument({ number, expiry, code }: PlainCard, recurring?: Turn): Instrument {
  const card = { number: new Secret(number), expiry: new Secret(expiry), code: new Secret(code) };
  return recurring ? { kind: 'card', card, recurring } : { kind: 'card', card };
}
