// Building blocks of the wire format. Every message is a TypeBox schema: validation, types, OpenAPI and the reference
// page are derived from it.

import { type Static, type TSchema, Type } from 'typebox';
import { IsEmail, IsIPv4, IsIPv6 } from 'typebox/format';

import type { ParametersOf } from './codes/message.ts';
import type { ValueRule, valueRules } from './codes/values.ts';

export { type Static, type TSchema, Type };

const ceiling = 100_000_000_000;

/** What `Amount` accepts, from the least to the most. */
export const amountBounds = { least: 0.01, most: ceiling - 0.01 } as const;

type PlainRule = {
  [Code in keyof typeof valueRules]: keyof (typeof valueRules)[Code] extends never ? Code : never;
}[keyof typeof valueRules];

const meanings = new Map<string, ValueRule>();

/** A string of a fixed form. `meaning` says what any other value must be. */
export function shaped(pattern: string, meaning: PlainRule, options: { readonly description?: string } = {}) {
  meanings.set(pattern, { code: meaning, parameters: {} } as ValueRule);
  return Type.String({ pattern, ...options });
}

/** What the pattern of a `shaped` string expects. */
export function meaningOf(pattern: string): ValueRule | undefined {
  return meanings.get(pattern);
}

/** The error of a refined schema: errors are texts, so it is written as one. */
export function mustBe<Code extends keyof typeof valueRules>(
  code: Code,
  parameters: ParametersOf<(typeof valueRules)[Code]>,
): () => string {
  const text = JSON.stringify({ code, parameters });
  return () => text;
}

/** The rule in the error of a refined schema; undefined if it is another error. */
export function ruleIn(error: string): ValueRule | undefined {
  return error.startsWith('{') ? JSON.parse(error) : undefined;
}

/** The error of an amount with too many decimal places, and the code of every number that has. */
export const tooPrecise = 'incorrect_precision';

/** A decimal amount above zero and below 10^11 with at most two places (docs/decisions/0003). */
export const Amount = Type.Refine(
  Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: ceiling, description: 'Decimal, at most two places.' }),
  (value) => value <= 0 || (value < ceiling && Math.round(value * 100) / 100 === value),
  () => tooPrecise,
);

/** The same, or nothing. */
export const AmountOrZero = Type.Refine(
  Type.Number({ minimum: 0, exclusiveMaximum: ceiling, description: 'Decimal, at most two places; 0: none.' }),
  (value) => value < 0 || (value < ceiling && Math.round(value * 100) / 100 === value),
  () => tooPrecise,
);

/** An amount in a response: a JSON number with at most two places. */
export const AmountShown = Type.Number({ minimum: 0 });

export const Ulid = shaped('^[0-7][0-9A-HJKMNP-TV-Z]{25}$', 'id', { description: 'ULID' });

export const localTimePattern = '^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}$';

/** `yyyy-mm-dd hh:mm:ss` in the account's time zone. */
export const LocalDateTime = shaped(localTimePattern, 'local_time');

const instantsBefore = Temporal.Instant.from('9999-01-01T00:00:00Z').epochMilliseconds;

/**
 * Whether an ISO 8601 text with offset is an instant that every column and every zone can show with a four-digit year.
 */
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
  mustBe('ip_address', {}),
);

/** Line breaks and other control characters, which could inject mail headers. */
const control = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** Those, and what reverses the direction of a text: with them a name in a mail could look like something else. */
const notOfOneLine = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

export function isOneLine(value: string): boolean {
  return !notOfOneLine.test(value);
}

/** The format alone allows any character in a quoted local part. */
export function isEmail(value: string): boolean {
  return value.length <= 254 && IsEmail(value) && !control.test(value);
}

export const Email = Type.Refine(
  Type.String({ format: 'email', maxLength: 254 }),
  (value) => value.length > 254 || !control.test(value),
  mustBe('without_control_characters', {}),
);

export function isWebUrl(value: string): boolean {
  return /^https?:\/\/[^\s/?#@]+([/?#]\S*)?$/i.test(value) && URL.canParse(value);
}

export const WebUrl = Type.Refine(
  Type.String({ maxLength: 2_048, description: 'An absolute http or https URL.' }),
  isWebUrl,
  mustBe('web_url', {}),
);

export const Country = shaped('^[A-Z]{2}$', 'country', {
  description: 'Two capital letters.',
});

export function text(maxLength: number, minLength = 0) {
  return Type.String(minLength > 0 ? { minLength, maxLength } : { maxLength });
}

/** The name of an account, as payers read it in mails. */
export const AccountName = Type.Refine(
  text(100, 1),
  (value) => value.length > 100 || isOneLine(value),
  mustBe('one_line', {}),
);

/** The number of an account: `id` of its notifications about transactions. */
export const MerchantNumber = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'The number of the account, as in `id` of notifications about transactions.',
});

export function nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}

export const optional = Type.Optional;

/**
 * Marks a response field that gives its reader the power to act, so read-only credentials never get it. `whole`: they
 * see '' for a string, otherwise null. A list: in a form-encoded text, the values of these fields are left empty.
 */
export const secretKeyword = 'x-secret';
/** What to do about a value of another type, where the usual advice misleads. */
export const fixKeyword = 'x-fix';

export const secret = { [secretKeyword]: 'whole' } as const;

export function secretFields(...names: readonly string[]) {
  return { [secretKeyword]: names };
}

/** The URL of a pay page: anyone who has it can pay and cancel. */
export const PayPageUrl = Type.String({ ...secret, description: 'The pay page; empty for read-only credentials.' });

/** Page and limit of a list: from 1, at most 100 per page, default 35 (docs/api.md#conventions). */
export const pageQuery = {
  page: optional(Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 })),
  limit: optional(Type.Integer({ minimum: 1, maximum: 100, default: 35 })),
};

/** The position of a page in its list. */
export const pageAnswer = { page: Type.Integer(), limit: Type.Integer(), total: Type.Integer() };

export const success = {
  result: Type.Literal('success'),
  requestId: Type.String({ pattern: '^[0-9a-f]{20}$' }),
};
