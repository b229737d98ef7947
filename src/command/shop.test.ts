import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cardUrlOf } from './shop.ts';

const shop = 'http://127.0.0.1:3001';
const earlier = 'http://127.0.0.1:3101';

// Guarantee: the demo names its shop's page for changing cards once, and follows its port; what somebody set or cleared
// stays.
for (const [name, cardUrl, embedOrigins, expected] of [
  ['the first start', null, [], `${shop}/subscriptions#{id}`],
  ['the same port', `${shop}/subscriptions#{id}`, [shop], `${shop}/subscriptions#{id}`],
  ['another port', `${earlier}/subscriptions#{id}`, [earlier], `${shop}/subscriptions#{id}`],
  ['back on a port from before', `${earlier}/subscriptions#{id}`, [shop, earlier], `${shop}/subscriptions#{id}`],
  ['cleared', null, [shop], null],
  ['another page', 'https://mine.example/c?{id}', [shop], 'https://mine.example/c?{id}'],
  [
    'the same page of another host',
    'https://mine.example/subscriptions#{id}',
    [shop],
    'https://mine.example/subscriptions#{id}',
  ],
] as const) {
  test(name, () => assert.equal(cardUrlOf({ cardUrl, embedOrigins }, shop), expected));
}
