// Which acquirers a new charge may go through: a row for each rule.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Offer } from './port.ts';
import { type Choice, limitsOf, type RouteFacts, type RouteRule, routeStatusOf, routesFor } from './rules.ts';

const facts: RouteFacts = { merchantId: 'M1', channelId: 64, currency: 'PLN', amountMinor: 1_000n };

let ids = 0;
function route(acquirer: string, of: Partial<RouteRule> = {}): RouteRule {
  ids += 1;
  const id = `R${String(ids).padStart(3, '0')}`;
  return { id, acquirer, merchantId: null, channelId: null, currency: null, position: 1, ...of };
}

const offer = (of: Partial<Offer> = {}): Offer => ({
  method: 'blik',
  currency: 'PLN',
  leastMinor: 200n,
  mostMinor: 5_000n,
  fields: 'own',
  recurring: [],
  ...of,
});

const open = (...names: readonly string[]): Choice[] => names.map((name) => ({ name, takesNew: true }));
const both = open('one', 'two');

const table: [string, Partial<RouteFacts>, readonly RouteRule[], readonly Choice[], string][] = [
  ['without routes: the order of ACQUIRERS', {}, [], both, 'one two'],
  [
    'what is typed into our fields goes to those that take it',
    { fields: 'own' },
    [],
    [
      { name: 'one', takesNew: true, offers: [offer({ fields: 'vendor' })] },
      { name: 'two', takesNew: true, offers: [offer()] },
    ],
    'two',
  ],
  [
    'what is typed into those of an acquirer never goes to one that has none',
    { fields: 'vendor' },
    [],
    [{ name: 'one', takesNew: true, offers: [offer({ fields: 'vendor' })] }, ...open('two')],
    'one',
  ],
  ['one that is switched off takes nothing new', {}, [], [{ name: 'one', takesNew: false }, ...open('two')], 'two'],
  ['a route for everything', {}, [route('two')], both, 'two'],
  ['by position', {}, [route('one', { position: 2 }), route('two', { position: 1 })], both, 'two one'],
  ['of the same position, the older one first', {}, [route('two'), route('one')], both, 'two one'],
  [
    'of the same position, the older one first, in whichever order they are read',
    {},
    [route('one', { id: 'R9' }), route('three', { id: 'R8' }), route('two', { id: 'R7' })],
    open('one', 'two', 'three'),
    'two three one',
  ],
  [
    'of this merchant and channel, and another currency',
    {},
    [route('two', { merchantId: 'M1', channelId: 64, currency: 'EUR' as 'PLN' })],
    both,
    'one two',
  ],
  ['of another merchant', {}, [route('two', { merchantId: 'M2' })], both, 'one two'],
  ['of another channel', {}, [route('two', { channelId: 53 })], both, 'one two'],
  ['of this channel', {}, [route('two', { channelId: 64 })], both, 'two'],
  ['a currency is more than nothing', {}, [route('one'), route('two', { currency: 'PLN' })], both, 'two'],
  [
    'a channel is more than a currency',
    {},
    [route('one', { currency: 'PLN' }), route('two', { channelId: 64, position: 9 })],
    both,
    'two',
  ],
  [
    'a merchant is more than a channel and a currency together',
    {},
    [route('one', { channelId: 64, currency: 'PLN' }), route('two', { merchantId: 'M1', position: 9 })],
    both,
    'two',
  ],
  [
    'a merchant and a channel are more than a merchant',
    {},
    [route('one', { merchantId: 'M1' }), route('two', { merchantId: 'M1', channelId: 64 })],
    both,
    'two',
  ],
  ['the most specific ones alone', {}, [route('one'), route('two', { merchantId: 'M1' })], both, 'two'],
  [
    'a route to one that is switched off: nobody, not somebody else',
    {},
    [route('two', { merchantId: 'M1' })],
    [...open('one'), { name: 'two', takesNew: false }],
    '',
  ],
  ['a route to one that is not there', {}, [route('three')], both, ''],
  ['the same one twice', {}, [route('one', { position: 1 }), route('one', { position: 2 })], both, 'one'],
  ['what is offered', {}, [], [{ name: 'one', takesNew: true, offers: [offer()] }], 'one'],
  ['another method', { channelId: 53 }, [], [{ name: 'one', takesNew: true, offers: [offer()] }], ''],
  ['another currency', {}, [], [{ name: 'one', takesNew: true, offers: [offer({ currency: 'EUR' as 'PLN' })] }], ''],
  ['the least', { amountMinor: 200n }, [], [{ name: 'one', takesNew: true, offers: [offer()] }], 'one'],
  ['below the least', { amountMinor: 199n }, [], [{ name: 'one', takesNew: true, offers: [offer()] }], ''],
  ['the most', { amountMinor: 5_000n }, [], [{ name: 'one', takesNew: true, offers: [offer()] }], 'one'],
  ['above the most', { amountMinor: 5_001n }, [], [{ name: 'one', takesNew: true, offers: [offer()] }], ''],
  ['nothing is offered', {}, [], [{ name: 'one', takesNew: true, offers: [] }, ...open('two')], 'two'],
  ['recurring, not offered', { recurring: 'O' }, [], [{ name: 'one', takesNew: true, offers: [offer()] }], ''],
  [
    'recurring, of another model',
    { recurring: 'A' },
    [],
    [{ name: 'one', takesNew: true, offers: [offer({ recurring: ['O'] })] }],
    '',
  ],
  [
    'recurring',
    { recurring: 'O' },
    [],
    [{ name: 'one', takesNew: true, offers: [offer({ recurring: ['O'] })] }],
    'one',
  ],
  [
    'without an email address, which one of them asks for',
    { withoutEmail: true },
    [],
    [{ name: 'one', takesNew: true, offers: [offer({ asksEmail: true })] }, ...open('two')],
    'two',
  ],
  [
    'an alias that one of them does not keep',
    { aliases: ['PAYID', 'UID'] },
    [],
    [{ name: 'one', takesNew: true, offers: [offer({ aliases: ['PAYID'] })] }, ...open('two')],
    'two',
  ],
  [
    'an alias that it keeps',
    { aliases: ['PAYID'] },
    [],
    [{ name: 'one', takesNew: true, offers: [offer({ aliases: ['PAYID'] })] }],
    'one',
  ],
  ['with one', {}, [], [{ name: 'one', takesNew: true, offers: [offer({ asksEmail: true })] }], 'one'],
  [
    'a route to one that does not offer it: nobody, not somebody else',
    { channelId: 53 },
    [route('one', { channelId: 53 })],
    [{ name: 'one', takesNew: true, offers: [offer()] }, ...open('two')],
    '',
  ],
];

// Guarantee: an operator's most specific routes say exactly who takes a new charge, in which order; without one it is
// everyone who offers it.
describe('who takes a new charge', () => {
  for (const [name, changes, routes, choices, expected] of table) {
    test(name, () => assert.equal(routesFor({ ...facts, ...changes }, routes, choices).join(' '), expected));
  }
});

// Guarantee: limits are those of what is offered for the channel, the widest of all who may take it.
describe('from which to which amount', () => {
  const of = (taking: readonly Choice[]) => limitsOf({ merchantId: 'M1', channelId: 64, currency: 'PLN' }, taking);
  const one = { name: 'one', takesNew: true, offers: [offer(), offer({ method: 'card', mostMinor: 9_000n })] };
  const two = { name: 'two', takesNew: true, offers: [offer({ leastMinor: 100n, mostMinor: 300n })] };
  test('of one', () => assert.deepEqual(of([one]), { leastMinor: 200n, mostMinor: 5_000n }));
  test('of several, the widest', () => assert.deepEqual(of([one, two]), { leastMinor: 100n, mostMinor: 5_000n }));
  test('in whichever order they are read', () => {
    assert.deepEqual(of([two, one]), { leastMinor: 100n, mostMinor: 5_000n });
  });
  test('without limits', () => assert.equal(of([one, ...open('three')]), undefined));
  test('nobody', () => assert.equal(of([]), undefined));
});

describe('what becomes of a route', () => {
  const choices: Choice[] = [
    { name: 'blik', takesNew: true, offers: [offer()] },
    { name: 'both', takesNew: true, offers: [offer(), offer({ method: 'card' })] },
    { name: 'all', takesNew: true },
    { name: 'off', takesNew: false },
  ];
  // Guarantee: an operator sees that nobody takes what a route sends somewhere.
  for (const [acquirer, of, expected] of [
    ['all', { channelId: 53 }, 'followed'],
    ['blik', {}, 'followed'],
    ['both', { channelId: 53 }, 'followed'],
    ['blik', { channelId: 64 }, 'followed'],
    ['blik', { channelId: 64, currency: 'PLN' }, 'followed'],
    ['blik', { channelId: 53 }, 'not_offered'],
    ['blik', { channelId: 53, currency: 'PLN' }, 'not_offered'],
    ['off', {}, 'switched_off'],
    ['gone', {}, 'not_open'],
  ] as const)
    test(`${acquirer} ${JSON.stringify(of)}: ${expected}`, () =>
      assert.equal(routeStatusOf(route(acquirer, of), choices), expected));

  test('a currency that it does not take', () => {
    const euros = { name: 'euros', takesNew: true, offers: [{ ...offer(), currency: 'EUR' as never }] };
    assert.equal(routeStatusOf(route('euros', { currency: 'PLN' }), [euros]), 'not_offered');
  });
});
