// The schedule's rules, which the service writes in English, on the panel in Polish.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Plan } from '../../src/recurring/model.ts';
import { chargeRule, retryRule } from '../../src/recurring/schedule.ts';
import { ruleInPolish } from '../../web/panel/src/i18n/rules.ts';

const plan: Plan = {
  firstChargeAt: Temporal.Instant.from('2027-01-31T09:00:00Z'),
  interval: 1,
  intervalType: 'months',
  chargeCount: null,
  retryIntervals: null,
  zone: 'Europe/Warsaw',
};

suite('rules in Polish', () => {
  // Guarantee: a sentence that the service changes is noticed here, before people read two languages on one screen.
  test('every charge and retry', () => {
    const plans: readonly Plan[] = [
      plan,
      { ...plan, interval: 3, chargeCount: 40 },
      { ...plan, intervalType: 'days', interval: 2, firstChargeAt: Temporal.Instant.from('2027-03-27T01:30:00Z') },
      {
        ...plan,
        retryIntervals: [
          { value: 5, unit: 'minutes' },
          { value: 2, unit: 'months' },
        ],
      },
    ];
    for (const one of plans) {
      const charges = Array.from({ length: 40 }, (_, index) => chargeRule(one, index + 1));
      const retries = (one.retryIntervals ?? Array.from({ length: 14 })).map((_, index) => retryRule(one, index + 1));
      for (const rule of [...charges, ...retries]) {
        const shown = ruleInPolish(rule);
        assert.match(shown, /^(Obciążenie|Ponowienie) \d/, rule);
        assert.doesNotMatch(shown, /\b(of|the|from|after|every|clamped|moved)\b/, rule);
      }
    }
  });

  test('in words', () => {
    assert.equal(
      ruleInPolish(chargeRule(plan, 2)),
      'Obciążenie 2: co 1 miesiąc od 31 stycznia 2027; dzień 31 skrócony do 28 lutego.',
    );
    assert.equal(ruleInPolish(retryRule(plan, 1)), 'Ponowienie 1 z 14: 1 dzień po nieudanej próbie (domyślnie).');
    assert.equal(ruleInPolish('Something new.'), 'Something new.');
  });
});
