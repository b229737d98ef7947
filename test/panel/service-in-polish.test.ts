// What the service writes in English, on the panel in Polish.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { confirmAmount } from '../../src/banking/decision.ts';
import { whyOf } from '../../src/reconciliation/rules.ts';
import deliveryWords from '../../web/panel/src/ui/delivery-fault/words.en.ts';
import { serviceInPolish } from '../../web/panel/src/ui/service-text/service.ts';

const textOf = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const english = /\b(the|is|not|of|and|was)\b/i;

function checkPolish(text: string): void {
  const shown = serviceInPolish(text);
  assert.ok(shown, `No Polish for: ${text}`);
  assert.doesNotMatch(shown.replaceAll(/\/\S+/g, ''), english, text);
}

// Guarantee: a sentence that the service changes is noticed here, before people read two languages on one screen.
suite('the service in Polish', () => {
  // Guarantee: both languages; a new fault is noticed here.
  test('why a notification was not accepted', () => {
    const unions = ['outbound/outbound.ts', 'notifications/delivery/rules.ts'].map(
      (file) => /export type (?:OutboundFault|TryFault) =([^;]+);/.exec(textOf(`src/${file}`))?.[1] ?? '',
    );
    const refusals = /AddressRefusal =([^;]+);/.exec(textOf('src/outbound/policy.ts'))?.[1] ?? '';
    const codesIn = (text: string) => [...text.matchAll(/'(\w+)'/g)].map(([, code = '']) => code);
    const codes = [...codesIn(unions.join()), ...codesIn(refusals).map((code) => `address_${code}`)];
    assert.deepEqual(Object.keys(deliveryWords).sort(), codes.sort());
  });

  test('what a comparison with the bank finds', () => {
    const amounts = { bankMinor: 100n, ourMinor: 250n, key: 'X' };
    for (const kind of ['capture', 'refund', 'payout'] as const) {
      for (const difference of ['not_booked', 'not_at_bank', 'other_amount', 'other_charge', 'row_missing'] as const) {
        checkPolish(whyOf({ ...amounts, kind, difference }));
      }
    }
    const reasons = [
      ...textOf('src/reconciliation/compare.ts').matchAll(
        /(?:StatementFault\(|giveUp\(|[:=] )['`]([A-Z][^'`]+\.)['`]/g,
      ),
    ];
    assert.ok(reasons.length >= 8, `${reasons.length}`);
    for (const [, reason = ''] of reasons) checkPolish(reason.replaceAll(/\$\{[^}]+\}/g, '3'));
  });

  test('a decision for another amount', () => {
    assert.throws(
      () => confirmAmount({ capturedMinor: 100n }, 4_990n),
      (error: Error) => serviceInPolish(error.message)?.startsWith('Żądano 49.90, a nie 1.00.'),
    );
  });
});
