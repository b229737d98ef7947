// What is logged of an error.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { DatabaseError } from 'pg';
import { openLog } from './log.ts';

const secret = '4111111111111111';

function logged(error: unknown): string {
  const lines: string[] = [];
  openLog({ level: 'debug' }, { write: (line) => void lines.push(line) }).error({ err: error }, 'it failed');
  return lines.join('');
}

function thrownBy(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error('Nothing was thrown.');
}

function databaseError(): DatabaseError {
  const error = new DatabaseError(`invalid input syntax for type uuid: "${secret}"`, 1, 'error');
  return Object.assign(error, { code: '22P02', detail: `Failing row contains (${secret}).`, constraint: 'a_check' });
}

suite('errors in the log', () => {
  // Guarantee: no error, and no cause of one, puts request data into the log, whoever wrote its message.
  for (const [name, error] of [
    ['a parser of JSON', thrownBy(() => JSON.parse(`{"a": x${secret}`))],
    ['a parser of numbers', thrownBy(() => BigInt(`${secret}x`))],
    ['a parser of addresses', thrownBy(() => new URL(secret))],
    ['a parser of times', thrownBy(() => Temporal.Instant.from(secret))],
    ['a property of a text', thrownBy(() => Object.assign(secret, { length: 1 }))],
    ['PostgreSQL', databaseError()],
    ['a code that is none', Object.assign(new Error('x'), { code: `no ${secret}` })],
    ['a cause', new Error('It failed.', { cause: new Error('So did this.', { cause: databaseError() }) })],
    ['no error', secret],
    ['an object', { secret }],
  ] as const) {
    test(name, () => {
      const line = logged(error);
      assert.ok(line.includes('it failed'));
      assert.ok(!line.includes(secret), line);
    });
  }

  // Guarantee: operators still see the kind of error, its location, and our own message.
  test('kind, place, names and our own words stay', () => {
    const { err } = JSON.parse(logged(new Error('The batch is off by one.', { cause: databaseError() })));
    assert.deepEqual([err.type, err.message], ['Error', 'The batch is off by one.']);
    assert.match(err.stack, /^ {4}at .*log\.test\.ts:\d+/);
    assert.deepEqual([err.cause.code, err.cause.constraint, err.cause.message], ['22P02', 'a_check', undefined]);
  });
});
