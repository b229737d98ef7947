// Which state of the page a payer sees. Pure: the same facts show the same page in every tab.

import { type DeclineReason, declineReasons } from '../../acquirer/index.ts';
import { isOpen } from '../../banking/index.ts';
import { allowsAmount, type Method, methodOf, methods } from '../../methods/index.ts';
import { attemptsAtMost, type PayerView, payableFor } from '../../transactions/index.ts';

/** The payer's choice in the URL: one method, by its channel, or all of them. */
export type Chosen = number | 'all' | undefined;

/** Shown with a choice or a form: why the last attempt failed, and whether one is still open. */
export interface Before {
  readonly declined: DeclineReason | undefined;
  readonly open: boolean;
}

export type State =
  | { readonly kind: 'choose'; readonly methods: readonly Method[]; readonly before: Before }
  | { readonly kind: 'method'; readonly method: Method; readonly others: boolean; readonly before: Before }
  /** `inApp`: the payer confirms in the bank's app, within `secondsLeft`. */
  | { readonly kind: 'waiting'; readonly inApp: boolean; readonly secondsLeft?: number }
  | { readonly kind: 'confirm'; readonly link: string }
  | { readonly kind: 'paid'; readonly earlier: boolean }
  | { readonly kind: 'refunded' }
  | { readonly kind: 'canceled'; readonly givenBack: boolean }
  | { readonly kind: 'expired' }
  | { readonly kind: 'exhausted' };

export function readChosen(method: unknown): Chosen {
  return method === 'all' ? 'all' : methods.find(({ id }) => String(id) === method)?.id;
}

export function methodsOf(view: PayerView): readonly Method[] {
  const { merchant, transaction } = view;
  return methods.filter((one) => merchant.channels.includes(one.id) && allowsAmount(one, transaction.amount));
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
  const offered = methodsOf(view);
  if (open && (chosen === undefined || view.attemptsStarted >= attemptsAtMost)) {
    if (lastAttempt.state === 'waiting' && lastAttempt.link !== null)
      return { kind: 'confirm', link: lastAttempt.link };
    const inApp = methodOf(lastAttempt.channelId)?.confirmedInApp === true && lastAttempt.state === 'waiting';
    const seconds = view.shown?.blikSeconds;
    if (!inApp || seconds === undefined) return { kind: 'waiting', inApp };
    return { kind: 'waiting', inApp, secondsLeft: secondsLeft(seconds, lastAttempt.createdAt, now) };
  }
  if (view.attemptsStarted >= attemptsAtMost) return { kind: 'exhausted' };
  const failed = lastAttempt?.state === 'failed';
  const before = { declined: failed ? reasonOf(lastAttempt.reason) : undefined, open };
  // After an attempt the transaction has its channel, whether or not the merchant chose one before.
  const preselected = lastAttempt === null ? transaction.channelId : null;
  const likely = chosen ?? (failed ? lastAttempt.channelId : preselected) ?? offered[0]?.id;
  const single = offered.length === 1 || chosen !== undefined || failed || preselected !== null;
  const method = single && chosen !== 'all' ? offered.find(({ id }) => id === likely) : undefined;
  return method === undefined
    ? { kind: 'choose', methods: offered, before }
    : { kind: 'method', method, others: offered.length > 1, before };
}

/** In the words of the page: one that went on with another acquirer and was cut off there has none of its own. */
function reasonOf(reason: string | null): DeclineReason {
  return declineReasons.find((one) => one === reason) ?? 'internal error';
}

function secondsLeft(seconds: number, since: Temporal.Instant, now: Temporal.Instant): number {
  const past = Math.floor((now.epochMilliseconds - since.epochMilliseconds) / 1_000);
  return Math.max(0, seconds - Math.max(0, past));
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
