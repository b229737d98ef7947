// What a command says when it ends with an error.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseAway } from '../database/index.ts';
import { StartFault } from '../runtime/index.ts';
import { faultText } from './line.ts';

// Guarantee: an operator reads a sentence, unless it is an error of the program: then where it happened.
test('what an error says', () => {
  assert.equal(faultText(new StartFault('There is no data folder.')), 'There is no data folder.');
  const away = faultText(new DatabaseAway(new Error('timeout exceeded when trying to connect')));
  assert.equal(away, 'The database is away: timeout exceeded when trying to connect. Try again.');
  assert.match(faultText(new TypeError('x is not a function')), /^TypeError: x is not a function\n {4}at /);
  assert.equal(faultText('text'), 'text');
});
