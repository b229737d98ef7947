// Texts and instants that an acquirer may send: what can be stored, and shown in every zone. Anything else would end in an
// error each time that the message is sent again.

import { type Static, Type } from '../../contract/schema.ts';
import { isStorable } from '../http/index.ts';

export function textOf(options: { readonly minLength?: number; readonly maxLength: number }) {
  return Type.Refine(
    Type.String(options),
    (text) => isStorable(text),
    () => 'must be text without the character NUL and without half characters',
  );
}

/** ISO 8601 in UTC. */
export const WireInstant = Type.String({
  maxLength: 40,
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?Z$',
});

const [first, end] = [Temporal.Instant.from('1970-01-01T00:00:00Z'), Temporal.Instant.from('9999-01-01T00:00:00Z')];

/** When something happened, or is to happen. */
export const WireMoment = Type.Refine(
  WireInstant,
  (text) => isMoment(text),
  () => 'must be an existing time in UTC, from the year 1970 to 9998',
);

function isMoment(text: Static<typeof WireInstant>): boolean {
  const at = instantFromWire(text);
  const { compare } = Temporal.Instant;
  return at !== undefined && compare(at, first) >= 0 && compare(at, end) < 0;
}

/** Undefined for a day or hour that does not exist. */
export function instantFromWire(value: string): Temporal.Instant | undefined {
  try {
    return Temporal.Instant.from(value);
  } catch {
    return undefined;
  }
}
