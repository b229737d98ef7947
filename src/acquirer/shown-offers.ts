// What an acquirer offers, as operators read it. Pure.

import type { Offer } from './port.ts';

export interface ShownOffer
  extends Pick<Offer, 'method' | 'currency' | 'leastMinor' | 'mostMinor' | 'fields' | 'recurring'> {
  /** The largest recurring charge, where it is less than that of others; null: the same. */
  readonly recurringMostMinor: bigint | null;
}

/** A method once, also where its recurring charges have a smaller limit of their own. */
export function shownOffers(offers: readonly Offer[]): ShownOffer[] {
  const shown: ShownOffer[] = [];
  for (const { method, currency, leastMinor, mostMinor, fields, recurring } of offers) {
    const one = { method, currency, leastMinor, mostMinor, fields, recurring, recurringMostMinor: null };
    const at = shown.findIndex((other) => isPart(one, other));
    const other = shown[at];
    if (other) shown[at] = { ...other, recurring, recurringMostMinor: mostMinor < other.mostMinor ? mostMinor : null };
    else shown.push(one);
  }
  return shown;
}

/** Whether it adds nothing but recurring charges, of amounts that the other one takes anyway. */
function isPart(one: ShownOffer, other: ShownOffer): boolean {
  return (
    one.method === other.method &&
    one.currency === other.currency &&
    one.fields === other.fields &&
    other.recurring.length === 0 &&
    one.leastMinor === other.leastMinor &&
    one.mostMinor <= other.mostMinor
  );
}
