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
  test('why something is parked', () => {
    const files = [
      'banking/rules.ts',
      'transactions/surplus.ts',
      'recurring/charge.ts',
      'banking/outgoing/send.ts',
      'refunds/rules.ts',
      'reconciliation/rules.ts',
    ];
    const sentences = files.flatMap((file) =>
      [...textOf(`src/${file}`).matchAll(/'((?:The bank|The instrument) [^']+\.)'/g)].map(
        ([, sentence = '']) => sentence,
      ),
    );
    assert.ok(sentences.length >= 8, sentences.join('\n'));
    for (const sentence of sentences) checkPolish(sentence);
  });

  // Guarantee: both languages; a new fault is noticed here.
  test('why a notification was not accepted', () => {
    const unions = ['platform/outbound/outbound.ts', 'notifications/delivery/rules.ts'].map(
      (file) => /export type (?:OutboundFault|TryFault) =([^;]+);/.exec(textOf(`src/${file}`))?.[1] ?? '',
    );
    const refusals = /AddressRefusal =([^;]+);/.exec(textOf('src/platform/outbound/policy.ts'))?.[1] ?? '';
    const codesIn = (text: string) => [...text.matchAll(/'(\w+)'/g)].map(([, code = '']) => code);
    const codes = [...codesIn(unions.join()), ...codesIn(refusals).map((code) => `address_${code}`)];
    assert.deepEqual(Object.keys(deliveryWords).sort(), codes.sort());
  });

  /** The sentences of a CASE in SQL, with X for each value. */
  const casesIn = (file: string) =>
    [...textOf(file).matchAll(/(?:then|else) ('.*?)(?: end as what)?\n/g)].map(([, expression = '']) =>
      expression
        .replaceAll(/coalesce\([^)]*\)/g, 'x')
        .split(' || ')
        .map((part) => (part.startsWith("'") ? part.slice(1, -1) : 'X'))
        .join(''),
    );

  test('what a verification finds', () => {
    const cases = [
      ['Transaction', 'src/transactions/store/attempts.ts', 4],
      ['Recurring payment', 'src/recurring/store/verify.ts', 21],
      ['Refund', 'src/refunds/store/verify.ts', 13],
    ] as const;
    for (const [head, file, count] of cases) {
      const sentences = casesIn(file).map((what) => `${head} X: ${what}.`);
      assert.equal(sentences.length, count, sentences.join('\n'));
      for (const sentence of sentences) checkPolish(sentence);
    }
    const files = ['ledger/verify.ts', 'identity/audit/verify.ts', 'panel/counts/count.ts', 'transactions/verify.ts'];
    const templates = [...files, 'reconciliation/open.ts'].flatMap((file) =>
      [...textOf(`src/${file}`).matchAll(/`([A-Z][^`]+\.)`/g)].map(([, text = '']) => text),
    );
    const strays = [...textOf('src/ledger/store.ts').matchAll(/'(an? (?:journal|entry) [^']+)'/g)].map(
      ([, what = '']) => `There is ${what}: X line X.`,
    );
    assert.deepEqual([templates.length, strays.length], [14, 4], templates.join('\n'));
    const written = templates
      .filter((text) => !/\{what\}/.test(text))
      .map((text) => text.replaceAll(/\$\{[^}]+\}/g, 'X'));
    for (const sentence of [...written, ...strays]) checkPolish(sentence);
    for (const sentence of [
      'Marketplace transaction X of 1 has parts of 2.',
      'Refund X of 1 and 2 has parts of 3 and 4.',
      'Part X: the total says nothing, the refunds 3.',
      'Part X, product 2: the total says 1, the refunds nothing.',
      'refund returned X: merchant:Y:available is booked with 1 and should be 2.',
      'payment X: merchant:Y:available is booked with 1 and should be 2.',
    ]) {
      checkPolish(sentence);
    }
    assert.equal(
      serviceInPolish('Refund X: status refund, but booked as returned: never.'),
      'Zwrot X: status refund, a jako cofnięte zaksięgowano: nigdy.',
    );
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
