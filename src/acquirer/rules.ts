// Which acquirers a new charge may go through. Pure.

import { methods } from '../../contract/methods.ts';
import type { Currency } from '../kernel/index.ts';
import type { AliasWish, Offer, RecurringKind } from './port.ts';

/** What is known about a charge before it is made. */
export interface RouteFacts {
  readonly merchantId: string;
  readonly channelId: number;
  readonly currency: Currency;
  /** Undefined: whether any amount can be paid. */
  readonly amountMinor?: bigint;
  /** Of a recurring charge. */
  readonly recurring?: RecurringKind;
  /** Where the payer's data are typed: an acquirer that takes its own fields only is sent no numbers. */
  readonly fields?: Offer['fields'];
  /** Of BLIK: what is asked for besides charging a code. */
  readonly aliases?: readonly AliasWish[];
  /** The payer's email address is not known. */
  readonly withoutEmail?: boolean;
}

/** What an operator said: such charges go through this acquirer. Null: any. */
export interface RouteRule {
  readonly id: string;
  /** As in ACQUIRERS. */
  readonly acquirer: string;
  readonly merchantId: string | null;
  readonly channelId: number | null;
  readonly currency: Currency | null;
  readonly position: number;
}

/** An open acquirer, as far as choosing needs to know it. */
export interface Choice {
  /** As in ACQUIRERS. */
  readonly name: string;
  /** Whether it takes new charges: one that is switched off does not. */
  readonly takesNew: boolean;
  /** Undefined: everything. */
  readonly offers?: readonly Offer[] | undefined;
}

/**
 * The names of the acquirers for a new charge, in the order in which they are tried. Of the routes that fit, those count
 * that are the most specific: a merchant is more specific than a channel and a currency together, a channel more than a
 * currency. They say exactly who may take it: if none of those does, nobody does. Without a route it is everyone, in the
 * order of ACQUIRERS.
 */
export function routesFor(facts: RouteFacts, routes: readonly RouteRule[], open: readonly Choice[]): string[] {
  const able = open.filter((one) => one.takesNew && isOffered(one.offers, facts)).map(({ name }) => name);
  const fitting = routes.filter((route) => fits(route, facts));
  if (fitting.length === 0) return able;
  const most = Math.max(...fitting.map(specificity));
  const named = fitting.filter((route) => specificity(route) === most).toSorted(inOrder);
  return [...new Set(named.map(({ acquirer }) => acquirer))].filter((name) => able.includes(name));
}

function fits({ merchantId, channelId, currency }: RouteRule, facts: RouteFacts): boolean {
  return (
    (merchantId === null || merchantId === facts.merchantId) &&
    (channelId === null || channelId === facts.channelId) &&
    (currency === null || currency === facts.currency)
  );
}

export function specificity({ merchantId, channelId, currency }: RouteRule): number {
  return (merchantId === null ? 0 : 4) + (channelId === null ? 0 : 2) + (currency === null ? 0 : 1);
}

function inOrder(one: RouteRule, other: RouteRule): number {
  if (one.position !== other.position) return one.position - other.position;
  return one.id < other.id ? -1 : 1;
}

/** What becomes of charges that a route sends to its acquirer; all but the first one: nobody takes them. */
export const routeStatuses = ['followed', 'not_offered', 'switched_off', 'not_open'] as const;
export type RouteStatus = (typeof routeStatuses)[number];

/** Of a route to one channel or currency, whether its acquirer offers it at all. */
export function routeStatusOf(route: Omit<RouteRule, 'id' | 'position'>, open: readonly Choice[]): RouteStatus {
  const found = open.find(({ name }) => name === route.acquirer);
  if (!found) return 'not_open';
  if (!found.takesNew) return 'switched_off';
  const { channelId, currency } = route;
  const offered = found.offers?.some(
    (offer) =>
      (channelId === null || methods[offer.method].id === channelId) &&
      (currency === null || offer.currency === currency),
  );
  return (offered ?? true) ? 'followed' : 'not_offered';
}

/** Whether an acquirer with these offers takes it. */
export function isOffered(offers: readonly Offer[] | undefined, facts: RouteFacts): boolean {
  return offers?.some((offer) => covers(offer, facts)) ?? facts.fields !== 'vendor';
}

function covers(offer: Offer, facts: RouteFacts): boolean {
  const { channelId, currency, amountMinor, recurring, fields, withoutEmail = false } = facts;
  if (methods[offer.method].id !== channelId || offer.currency !== currency) return false;
  if (fields !== undefined && offer.fields !== fields) return false;
  if (withoutEmail && offer.asksEmail) return false;
  if (facts.aliases?.some((alias) => offer.aliases?.includes(alias) === false)) return false;
  if (recurring !== undefined && !offer.recurring.includes(recurring)) return false;
  return amountMinor === undefined || (amountMinor >= offer.leastMinor && amountMinor <= offer.mostMinor);
}

/** From the least to the most that any of these takes; undefined: nobody takes it, or one of them takes every amount. */
export function limitsOf(
  facts: RouteFacts,
  taking: readonly Pick<Choice, 'offers'>[],
): { readonly leastMinor: bigint; readonly mostMinor: bigint } | undefined {
  if (taking.some(({ offers }) => offers === undefined)) return undefined;
  const fitting = taking.flatMap(({ offers = [] }) => offers.filter((offer) => covers(offer, facts)));
  const [first, ...others] = fitting;
  if (!first) return undefined;
  return {
    leastMinor: others.reduce((least, one) => (one.leastMinor < least ? one.leastMinor : least), first.leastMinor),
    mostMinor: others.reduce((most, one) => (one.mostMinor > most ? one.mostMinor : most), first.mostMinor),
  };
}
