import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Offer } from './port.ts';
import { shownOffers } from './shown-offers.ts';

const blik: Offer = {
  method: 'blik',
  currency: 'PLN',
  leastMinor: 200n,
  mostMinor: 99_999n,
  fields: 'own',
  recurring: [],
};

function shown(...offers: readonly Offer[]): string[] {
  return shownOffers(offers).map(
    ({ method, currency, leastMinor, mostMinor, fields, recurring, recurringMostMinor }) =>
      `${method} ${currency} ${leastMinor} ${mostMinor} ${fields} ${recurring.join('+')} ${recurringMostMinor}`,
  );
}

// Guarantee: operators read a method once, and every amount and kind that the acquirer takes.
test('a method and its recurring charges are one', () => {
  const kept: Offer = { ...blik, mostMinor: 2_000n, recurring: ['O'] };
  assert.deepEqual(shown(blik, kept), ['blik PLN 200 99999 own O 2000']);
  assert.deepEqual(shown(blik, { ...kept, mostMinor: 99_999n }), ['blik PLN 200 99999 own O null']);
  for (const other of [
    { ...kept, method: 'card' },
    { ...kept, fields: 'vendor' },
    { ...kept, leastMinor: 100n },
    { ...kept, mostMinor: 100_000n },
  ] as const)
    assert.equal(shown(blik, other).length, 2);
  assert.equal(shown(blik, kept, { ...kept, recurring: ['A'] }).length, 2);
});
