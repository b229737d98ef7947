// Lifetimes and limits of sessions, and the words that a password must do without.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import * as rules from './rules.ts';

const hours = (duration: Temporal.Duration) => duration.total('hours');
const minutes = (duration: Temporal.Duration) => duration.total('minutes');

suite('sessions', () => {
  // Guarantee: these are the times and limits of docs/security.md; another value is another promise.
  test('how long they last', () => {
    assert.deepEqual([hours(rules.idleTime), hours(rules.sessionLifetime)], [2, 12]);
    assert.deepEqual([minutes(rules.pendingLifetime), minutes(rules.seenEvery)], [10, 1]);
    assert.deepEqual([hours(rules.linkLifetimes.invitation), hours(rules.linkLifetimes.reset)], [168, 1]);
  });

  test('how many there may be', () => {
    assert.deepEqual([minutes(rules.guessWindow), rules.guessesPerUser, rules.guessesPerAddress], [15, 10, 50]);
    assert.deepEqual([rules.signInsPerUser, rules.halfSignInsPerPlace], [30, 30]);
    assert.deepEqual([hours(rules.dayOfGuesses), rules.codesPerDay], [24, 30]);
    assert.deepEqual([rules.deviceLifetimeDays, rules.deviceRenewedAfterDays], [180, 30]);
    assert.equal(rules.sessionsPerUser, 50);
  });
});

suite('words', () => {
  const { knownWords, withoutWords } = rules;

  // Guarantee: whoever knows the person's name or address, or the service, tries nothing that is accepted.
  test('of a person, the longest first', () => {
    const words = knownWords({ email: 'Jan.Nowak-Li@Shop.Example.com', name: 'Jan Żółw' });
    const own = [
      'jan.nowak-li@shop.example.com',
      'shop.example.com',
      'jan.nowak-li',
      'example',
      'nowak',
      'shop',
      'żółw',
      'zolw',
      'jan',
    ];
    const ofPlace = ['grosz', 'haslo', 'hasło', 'polska', 'panel', 'platnosci', 'płatności', 'payment', 'admin'];
    assert.deepEqual(words.toSorted(), [...own, ...ofPlace].toSorted());
    assert.deepEqual(
      words.map(({ length }) => length),
      words.map(({ length }) => length).toSorted((one, other) => other - one),
    );
  });

  test('of an address without a host', () => {
    assert.ok(knownWords({ email: 'anna', name: '' }).every((word) => word !== '' && word.length >= 3));
  });

  for (const [password, words, expected] of [
    ['Grosz-Grosz7', ['grosz'], '-7'],
    ['xGROSZx', ['grosz'], 'xx'],
    ['agroszb', ['grosz'], 'ab'],
    ['gr0$z', ['grosz'], ''],
    ['@4', ['aa'], ''],
    ['3', ['e'], ''],
    ['1!', ['ii'], ''],
    ['05$7', ['osst'], ''],
    ['8', ['b'], '8'],
    ['anna jan', ['anna', 'jan'], ' '],
    ['ab', ['c'], 'ab'],
    ['xabyab', ['ab'], 'xy'],
    ['xxabab', ['ab', 'xx'], ''],
  ] as const) {
    test(`${password} without ${words}: "${expected}"`, () => assert.equal(withoutWords(password, words), expected));
  }
});
