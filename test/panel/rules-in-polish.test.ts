// The schedule's rules, which the service writes in English, on the panel in Polish.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Plan, Progress, Recurring } from '../../src/recurring/model.ts';
import { atFirst } from '../../src/recurring/rules.ts';
import { chargeRule, retryRule } from '../../src/recurring/schedule.ts';
import { upcoming } from '../../src/recurring/upcoming.ts';
import { ruleInPolish } from '../../web/panel/src/screens/recurring/rules.ts';

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

  // Guarantee: the same for what is said about a manual retry, a restored payment, conditions and ends.
  test('every other sentence', () => {
    const progress: Progress = {
      status: 'active',
      iteration: 1,
      ...atFirst,
      passed: 0,
      scheduledAt: plan.firstChargeAt,
      lastState: 'failed',
      lastReason: 'payer rejected',
    };
    const now = plan.firstChargeAt;
    const outlookOf = (changes: Partial<Progress>, manual = false, chargeCount: number | null = null) =>
      upcoming(
        { plan: { ...plan, chargeCount }, progress: { ...progress, ...changes }, manual } as Recurring,
        undefined,
        now,
        40,
      );
    const outlooks = [
      outlookOf({}),
      outlookOf({}, false, 3),
      outlookOf({ attempts: 1 }, true),
      outlookOf({ attempts: 5, restoredAfter: 5 }),
      ...(['finished', 'failed', 'canceled'] as const).map((status) => outlookOf({ status, scheduledAt: null })),
    ];
    const sentences = outlooks.flatMap(({ items, end }) => [
      ...items.flatMap(({ rule, condition }) => [rule, condition ?? '']),
      end ?? '',
    ]);
    for (const sentence of new Set(sentences)) {
      if (sentence !== '') assert.notEqual(ruleInPolish(sentence), sentence);
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
