// What the payer does on the pay page. Knowing the page's URL, an id and an unguessable key, is the authorization.

import { hash, timingSafeEqual } from 'node:crypto';
import { methods } from '../../contract/methods.ts';
import { cancelAtBank, isOpen, listCharges } from '../banking/index.ts';
import type { PlainCard } from '../cards/index.ts';
import { refuse, type TransactionId, ulid } from '../kernel/index.ts';
import {
  channelsThatAskEmail,
  enabledMethod,
  type PaymentData,
  type ReadyInstrument,
  readInstrument,
  readyCard,
  readyFields,
  refuseToken,
  shownOf,
  type TypedElsewhere,
  takersOf,
  vendorFieldsOf,
} from '../methods/index.ts';
import type { Tools } from '../tools.ts';
import type { Settled } from './model.ts';
import { isStarted, pay, refuseUnlessPending } from './pay.ts';
import { findPayerView, type PayerView } from './store/attempts.ts';
import type { TransactionTools } from './tools.ts';

export type { PayerView } from './store/attempts.ts';

/** What the payer entered: what a request would send, or the card itself. A method that redirects needs nothing. */
export type PayerInstrument =
  | { readonly kind: 'data'; readonly channelId: number; readonly data: PaymentData }
  | { readonly kind: 'card'; readonly channelId: number; readonly card: PlainCard; readonly save: boolean }
  | ({ readonly kind: 'fields'; readonly channelId: number } & TypedElsewhere)
  | { readonly kind: 'none'; readonly channelId: number; readonly bank?: string; readonly email?: string };

/** The transaction of a page's URL. An unknown id and a wrong key are indistinguishable, by result and by timing. */
export async function findForPayer(
  tools: Pick<Tools, 'acquirers' | 'db'>,
  id: TransactionId,
  payKey: string,
): Promise<PayerView | undefined> {
  const view = await tools.db.batch(findPayerView, id);
  // Compared with itself if there is none, so that it takes the same time.
  const [given, kept] = [Buffer.from(payKey), Buffer.from(view?.transaction.payKey ?? payKey)];
  const isTheirs = given.length === kept.length && timingSafeEqual(given, kept);
  return isTheirs && view ? withTakenChannels(tools, view) : undefined;
}

/** A channel that nobody takes for this amount is not shown, and cannot be paid. */
async function withTakenChannels(tools: Pick<Tools, 'acquirers'>, view: PayerView): Promise<PayerView> {
  const { merchant, transaction } = view;
  const takers = await takersOf(tools, merchant.channels, merchant.id, transaction.amount);
  const vendorFields = vendorFieldsOf(takers.get(methods.card.id), merchant.id, transaction.amount);
  const channels = merchant.channels.filter((id) => takers.has(id));
  const last = view.lastAttempt ? tools.acquirers.named(view.lastAttempt.acquirer) : undefined;
  const shown = shownOf(takers, last);
  const isKnown = transaction.payer.email !== '';
  const emailChannels = isKnown ? [] : await channelsThatAskEmail(tools, channels, merchant.id, transaction.amount);
  return { ...view, merchant: { ...merchant, channels }, shown, emailChannels, ...(vendorFields && { vendorFields }) };
}

/**
 * The one-time key of a form: the number of the attempt that it would start. All forms shown in the same state, in any
 * number of tabs, have the same key, and at most one of them starts a payment.
 */
export function nextAttempt(view: PayerView): number {
  return view.attemptsStarted + 1;
}

/** The same form has the same attempt: if it is sent twice, the second finds the id taken. */
function attemptIdOf({ id, payKey, createdAt }: PayerView['transaction'], number: number): string {
  return ulid(createdAt.epochMilliseconds, hash('sha256', `pay page\n${id}\n${payKey}\n${number}`, 'buffer'));
}

/**
 * Pays with what the payer entered in the form of attempt `number`. Returns undefined if nothing was started: the form
 * was sent before, or belongs to an earlier state. An open attempt is first ended at the bank; until the bank confirms
 * that, no other starts. `lang` is the language of the page that they paid on: it becomes that of the transaction.
 */
export async function payAsPayer(
  tools: TransactionTools,
  view: PayerView,
  instrument: PayerInstrument,
  number: number,
  lang: string,
): Promise<Settled> {
  const { transaction, merchant } = view;
  refuseUnlessPending(transaction);
  if (number !== nextAttempt(view)) return undefined;
  const attemptId = attemptIdOf(transaction, number);
  const ready = await readyOf(tools, view, instrument, attemptId);
  if (!ready) return undefined;
  if (view.attemptsStarted > 0 && !(await endOpenAttempts(tools, transaction.id))) return undefined;
  try {
    return await pay(tools, merchant, { ...transaction, lang }, { ready, attemptId });
  } catch (error) {
    if (isStarted(error)) return undefined;
    throw error;
  }
}

/** Undefined if the form was sent before. */
async function readyOf(
  tools: TransactionTools,
  { merchant, transaction }: PayerView,
  instrument: PayerInstrument,
  attemptId: string,
): Promise<ReadyInstrument | undefined> {
  const { channelId } = instrument;
  if (!enabledMethod(merchant.channels, { id: channelId })) refuse('not_valid', 'channelId');
  if (instrument.kind === 'card') return readyCard(instrument.card, instrument.save);
  if (instrument.kind === 'fields') return readyFields(instrument);
  const data = instrument.kind === 'data' ? instrument.data : {};
  const reading = { merchantId: merchant.id, data, prefix: '', find: () => transaction };
  const ready = await readInstrument(tools, merchant.channels, channelId, reading);
  // The same form, sent again while its first request is at work; the same token in another one is a replay.
  if ('repeats' in ready) return ready.repeats === attemptId ? undefined : refuseToken('walletPayPaymentData');
  if (instrument.kind !== 'none') return ready;
  const { bank, email: payerEmail } = instrument;
  const withEmail = { ...ready, ...(payerEmail !== undefined && { payerEmail }) };
  return bank === undefined ? withEmail : { ...withEmail, instrument: { kind: 'transfer', bank } };
}

/**
 * Whether no attempt is open any more. One that turns out to have succeeded is settled; then nothing can be started.
 */
async function endOpenAttempts(tools: TransactionTools, id: TransactionId): Promise<boolean> {
  const open = (await listCharges(tools.db.sql, id)).filter(({ state }) => isOpen(state));
  const ended = await Promise.all(
    open.map(async ({ id: chargeId, acquirer }) => {
      const result = await cancelAtBank(tools.acquirers.named(acquirer), chargeId, { kind: 'canceled' });
      return tools.settle({ chargeId, result });
    }),
  );
  return ended.every((settled) => settled === undefined || !isOpen(settled.attempt.state));
}
