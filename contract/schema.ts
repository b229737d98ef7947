// Building blocks of the wire. Everything that crosses it is a TypeBox schema: validation, types, OpenAPI and the
// reference page come from here.

import { type Static, type TSchema, Type } from 'typebox';
import { IsIPv4, IsIPv6 } from 'typebox/format';

export { type Static, type TSchema, Type };

const ceiling = 100_000_000_000;

/** A decimal amount above zero and below 10^11 with at most two places (docs/decisions.md 3). */
export const Amount = Type.Refine(
  Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: ceiling, description: 'Decimal, at most two places.' }),
  (value) => value <= 0 || (value < ceiling && Math.round(value * 100) / 100 === value),
  () => 'incorrect_precision',
);

/** An amount in an answer: a JSON number with at most two places. */
export const AmountShown = Type.Number({ minimum: 0 });

export const Ulid = Type.String({ pattern: '^[0-7][0-9A-HJKMNP-TV-Z]{25}$', description: 'ULID' });

/** `yyyy-mm-dd hh:mm:ss` in the account's zone. */
export const LocalDateTime = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$' });

const instantsBefore = Temporal.Instant.from('9999-01-01T00:00:00Z').epochMilliseconds;

/** Whether an ISO 8601 text with its offset is an instant that every column and every zone can show in four digits of a year. */
export function isInstant(value: string): boolean {
  try {
    const { epochMilliseconds } = Temporal.Instant.from(value);
    return epochMilliseconds >= 0 && epochMilliseconds < instantsBefore;
  } catch {
    return false;
  }
}

export const IpAddress = Type.Refine(
  Type.String({ maxLength: 45, description: 'IPv4 or IPv6' }),
  (value) => IsIPv4(value) || IsIPv6(value),
  () => 'Must be an IPv4 or IPv6 address.',
);

/** Ends of lines and other characters that control something: they could add lines to the head of a mail. */
const control = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** The format alone allows any character within quotes. */
export const Email = Type.Refine(
  Type.String({ format: 'email', maxLength: 254 }),
  (value) => value.length > 254 || !control.test(value),
  () => 'Must not contain control characters.',
);

export const WebUrl = Type.Refine(
  Type.String({ maxLength: 2_048, description: 'An absolute http or https address.' }),
  (value) => /^https?:\/\/[^\s/?#@]+([/?#]\S*)?$/i.test(value) && URL.canParse(value),
  () => 'Must be an absolute http or https URL.',
);

export const Country = Type.String({ pattern: '^[A-Z]{2}$', description: 'Two capital letters.' });

export function text(maxLength: number, minLength = 0) {
  return Type.String(minLength > 0 ? { minLength, maxLength } : { maxLength });
}

export function nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}

export const optional = Type.Optional;

/**
 * In the schema of an answer: this field lets its reader act, so read-only credentials never get it. `whole`: they see ''
 * where it is a text, else null. A list: in a form-encoded text, the values of these fields are left empty.
 */
export const secretKeyword = 'x-secret';

export const secret = { [secretKeyword]: 'whole' } as const;

export function secretFields(...names: readonly string[]) {
  return { [secretKeyword]: names };
}

/** The address of a pay page: whoever has it can pay and cancel. */
export const PayPageUrl = Type.String({ ...secret, description: 'The pay page; empty for read-only credentials.' });

/** Page and limit of a list: from 1, at most 100 a page, 35 when not given (docs/decisions.md 3). */
export const pageQuery = {
  page: optional(Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 })),
  limit: optional(Type.Integer({ minimum: 1, maximum: 100, default: 35 })),
};

/** How each page of a list says where it stands. */
export const pageAnswer = { page: Type.Integer(), limit: Type.Integer(), total: Type.Integer() };

export const success = {
  result: Type.Literal('success'),
  requestId: Type.String({ pattern: '^[0-9a-f]{20}$' }),
};
