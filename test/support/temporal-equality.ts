// Node's deepEqual takes all values of Temporal for equal, because they have no properties of their own: an assertion about
// a time would pass whatever the time is. Loaded before every test file.

import assert from 'node:assert/strict';

const kinds = [
  Temporal.Instant,
  Temporal.ZonedDateTime,
  Temporal.PlainDate,
  Temporal.PlainDateTime,
  Temporal.PlainTime,
  Temporal.PlainYearMonth,
  Temporal.PlainMonthDay,
  Temporal.Duration,
];

const isTemporal = (value: unknown) => kinds.some((kind) => value instanceof kind);

/** The values at the same places of two structures that are equal otherwise; those of Temporal only. */
function* pairs(one: unknown, other: unknown, seen: Set<unknown>): Generator<readonly [string, string]> {
  if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null || seen.has(one)) return;
  if (isTemporal(one)) {
    yield [String(one), String(other)];
    return;
  }
  seen.add(one);
  if (one instanceof Map && other instanceof Map) {
    for (const [key, value] of one) yield* pairs(value, other.get(key), seen);
  } else if (!ArrayBuffer.isView(one)) {
    for (const key of Object.keys(one)) {
      yield* pairs(one[key as keyof typeof one], other[key as keyof typeof other], seen);
    }
  }
}

const deepEqual: (...given: unknown[]) => void = assert.deepEqual as (...given: unknown[]) => void;

/** The message is passed on as it was given: an explicit undefined would be refused. */
function strictlyDeepEqual(actual: unknown, expected: unknown, ...message: unknown[]): void {
  deepEqual(actual, expected, ...message);
  const times = [...pairs(actual, expected, new Set())];
  deepEqual(
    times.map(([one]) => one),
    times.map(([, other]) => other),
    ...message,
  );
}

assert.deepEqual = strictlyDeepEqual as typeof assert.deepEqual;
assert.deepStrictEqual = strictlyDeepEqual as typeof assert.deepStrictEqual;
