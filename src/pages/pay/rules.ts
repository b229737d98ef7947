// Which state of the page a payer sees. Pure: the same facts show the same page in every tab.

import type { DeclineReason } from '../../acquirer/index.ts';
import { attemptsAtMost, isOpen, type PayerView, payableFor } from '../../transactions/index.ts';
import type { MethodId } from './words/index.ts';

/** In the order shown to payers: the most used first. */
const methodIds: readonly MethodId[] = [64, 53, 75, 21, 106];

/** The payer's choice in the URL: one method, or all of them. */
export type Chosen = MethodId | 'all' | undefined;

/** Shown with a choice or a form: why the last attempt failed, and whether one is still open. */
export interface Before {
  readonly declined: DeclineReason | undefined;
  readonly open: boolean;
}

export type State =
  | { readonly kind: 'choose'; readonly methods: readonly MethodId[]; readonly before: Before }
  | { readonly kind: 'method'; readonly method: MethodId; readonly others: boolean; readonly before: Before }
  /** `secondsLeft`: to confirm in the bank's app. */
  | { readonly kind: 'waiting'; readonly blik: boolean; readonly secondsLeft?: number }
  | { readonly kind: 'confirm'; readonly link: string }
  | { readonly kind: 'paid'; readonly earlier: boolean }
  | { readonly kind: 'refunded' }
  | { readonly kind: 'canceled'; readonly givenBack: boolean }
  | { readonly kind: 'expired' }
  | { readonly kind: 'exhausted' };

export function readChosen(method: unknown): Chosen {
  return method === 'all' ? 'all' : methodIds.find((id) => String(id) === method);
}

export function methodsOf(view: PayerView): readonly MethodId[] {
  return methodIds.filter((id) => view.merchant.channels.includes(id));
}

/** How long after a payment its page says that it succeeded; later, that it was already made. */
const freshFor = Temporal.Duration.from({ minutes: 15 });

export function stateOf(view: PayerView, chosen: Chosen, now: Temporal.Instant): State {
  const { transaction, lastAttempt } = view;
  switch (transaction.status) {
    case 'paid': {
      const { paidAt } = transaction;
      return { kind: 'paid', earlier: !paidAt || Temporal.Instant.compare(paidAt.add(freshFor), now) < 0 };
    }
    case 'refund':
      return { kind: 'refunded' };
    case 'canceled':
      if (isExpired(view, now)) return { kind: 'expired' };
      return { kind: 'canceled', givenBack: lastAttempt?.givenBack === true };
    case 'pending':
      return pendingState(view, chosen, now);
  }
}

function pendingState(view: PayerView, chosen: Chosen, now: Temporal.Instant): State {
  const { transaction, lastAttempt } = view;
  if (isExpired(view, now)) return { kind: 'expired' };
  const open = lastAttempt !== null && isOpen(lastAttempt.state);
  const methods = methodsOf(view);
  if (open && (chosen === undefined || view.attemptsStarted >= attemptsAtMost)) {
    if (lastAttempt.state === 'waiting' && lastAttempt.link !== null)
      return { kind: 'confirm', link: lastAttempt.link };
    if (lastAttempt.channelId !== 64 || lastAttempt.state !== 'waiting') return { kind: 'waiting', blik: false };
    return { kind: 'waiting', blik: true, secondsLeft: secondsLeft(lastAttempt.createdAt, now) };
  }
  if (view.attemptsStarted >= attemptsAtMost) return { kind: 'exhausted' };
  const failed = lastAttempt?.state === 'failed';
  const before = { declined: failed ? ((lastAttempt.reason ?? 'internal error') as DeclineReason) : undefined, open };
  // After an attempt the transaction has its channel, whether or not the merchant chose one before.
  const preselected = lastAttempt === null ? transaction.channelId : null;
  const likely = chosen ?? (failed ? lastAttempt.channelId : preselected) ?? methods[0];
  const single = methods.length === 1 || chosen !== undefined || failed || preselected !== null;
  const method = single && chosen !== 'all' ? methods.find((id) => id === likely) : undefined;
  return method === undefined
    ? { kind: 'choose', methods, before }
    : { kind: 'method', method, others: methods.length > 1, before };
}

/** BLIK asks for so long; then the bank declines. */
const blikSeconds = 120;

function secondsLeft(since: Temporal.Instant, now: Temporal.Instant): number {
  const past = Math.floor((now.epochMilliseconds - since.epochMilliseconds) / 1_000);
  return Math.max(0, blikSeconds - Math.max(0, past));
}

/** No month is shorter: before that nothing has expired, and no calendar arithmetic is needed. */
const shortestMonthMilliseconds = 28 * 24 * 3_600_000;

function isExpired({ transaction }: PayerView, now: Temporal.Instant): boolean {
  if (now.epochMilliseconds - transaction.createdAt.epochMilliseconds < shortestMonthMilliseconds) return false;
  const limit = now.toZonedDateTimeISO('UTC').subtract(payableFor).toInstant();
  return Temporal.Instant.compare(transaction.createdAt, limit) <= 0;
}

/** Changes whenever the page would show something else; the page's script polls it while it waits. */
export function markOf({ transaction, attemptsStarted, lastAttempt }: PayerView): string {
  return `${transaction.status}.${attemptsStarted}.${lastAttempt?.state ?? 'none'}`;
}

/** How often the page's script asks: while a payment is open, while another tab could pay, or not at all. */
export function followOf({ transaction, lastAttempt }: PayerView): 'soon' | 'rarely' | undefined {
  if (transaction.status !== 'pending') return undefined;
  return lastAttempt !== null && isOpen(lastAttempt.state) ? 'soon' : 'rarely';
}
