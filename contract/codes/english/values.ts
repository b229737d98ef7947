// What a value must be, in English: also the message of the API.

import type { ParametersOf, Sentences } from '../message.ts';
import { sentenceOf } from '../message.ts';
import type { ValueRule, valueRules } from '../values.ts';

const counted = (count: number, one: string) => `${count} ${count === 1 ? one : `${one}s`}`;

export const valueSentences: Sentences<typeof valueRules> = {
  one_of: ({ values }) => `Must be one of: ${values}.`,
  exactly: ({ value }) => `Must be ${value}.`,
  at_least_characters: ({ limit }) => `Must have at least ${counted(limit, 'character')}.`,
  at_most_characters: ({ limit }) => `Must have at most ${limit} characters.`,
  at_least: ({ limit }) => `Must be at least ${limit}.`,
  more_than: ({ limit }) => `Must be greater than ${limit}.`,
  at_most: ({ limit }) => `Must be at most ${limit}.`,
  less_than: ({ limit }) => `Must be less than ${limit}.`,
  decimal_places_at_most: ({ limit }) => `Must have at most ${limit} decimal places.`,
  at_least_items: ({ limit }) => `Must have at least ${counted(limit, 'item')}.`,
  at_most_items: ({ limit }) => `Must have at most ${limit} items.`,
  storable: () => 'Must not contain NUL characters or lone surrogates.',
  one_line: () => 'Must be one line, without control characters.',
  without_control_characters: () => 'Must not contain control characters.',
  six_digits: () => 'Must be six digits, such as 777123.',
  id: () => 'Must be an id of 26 digits and capital letters, such as 01K9Z4M7Q2V5X8B1C3D6F9G0HJ.',
  email: () => 'Must be a valid email address.',
  ip_address: () => 'Must be an IPv4 or IPv6 address.',
  country: () => 'Must be two capital letters, such as PL.',
  time_zone: () => 'Must be a time zone such as Europe/Warsaw.',
  color: () => 'Must be a color as #rrggbb, such as #0b6650.',
  screen: () => 'Must be the name of a screen, such as transactions.',
  merchant_identifier: () =>
    'Must be words of letters, digits and hyphens with dots between, such as merchant.com.example.shop.',
  amount: () => 'Must be an amount, such as 12.34.',
  amount_with_cents: () => 'Must be an amount with two decimal places, such as 49.90.',
  months_at_most: ({ limit }) => `Must be at most ${limit} months.`,
  duration: () => 'Must be an ISO 8601 duration of at most 100 years, such as P1M.',
  instant: () => 'Must be an ISO 8601 date-time with a UTC offset.',
  instant_before: ({ year }) => `Must be an ISO 8601 date-time with a UTC offset, before the year ${year}.`,
  local_time: () => 'Must be a time as yyyy-mm-dd hh:mm:ss, such as 2026-11-15 12:30:00.',
  existing_time: () => 'Must be an existing date and time.',
  before_year: ({ year }) => `Must be before the year ${year}.`,
  day: () => 'Must be a day as yyyy-mm-dd, such as 2026-11-15.',
  bank_account: () => 'Must be a valid IBAN, or a Polish account number.',
  existing_day: () => 'Must be an existing day.',
  not_before_from: () => 'The end must not be before the beginning.',
  within_days: ({ days }) => `Must be within ${days} days.`,
  of_a_page: () => 'Must be that of a page.',
  web_url: () => 'Must be an absolute http or https URL.',
  web_address: () => 'Must be an address that begins with https:// or http://.',
  absolute_url: () => 'Must be an absolute URL.',
  https_url: () => 'Must begin with https://.',
  url_without_credentials: () => 'Must not contain a user name or password.',
  usual_port: () => 'Must use port 443 or 8443.',
  public_address: () => 'Must be a public address; notifications are not sent to private networks.',
  host_name: () => 'Must be a host name, without scheme and path.',
  without_port: () => 'Must not have a port: the wallet vendor knows port 443 only.',
  port: () => 'The port must be a number from 1 to 65535.',
  origins: ({ local, given }) =>
    `Must be origins with https${local === 'yes' ? ' (http only for this machine)' : ''}, such as https://shop.example, without path or wildcard, not "${given}".`,
  base64: () => 'Must be base64.',
  kibibytes_at_most: ({ limit }) => `Must have at most ${limit} KiB.`,
  image: () => 'Must be a whole PNG, JPEG or WebP image.',
  pixels_at_most: ({ limit }) => `Must be at most ${limit.toLocaleString('en')} pixels wide and high.`,
  certificate_unreadable: () => 'This is not a certificate in PEM, nor base64 of one in DER.',
  certificate_with_private_key: () =>
    'This file contains a private key. Upload the certificate alone, and replace that key.',
  certificates_several: () =>
    'This file contains several certificates. Upload the payment-processing certificate alone.',
  certificate_of_other_key: () => 'The certificate is for another key than that of the signing request.',
  certificate_without_identifier: () =>
    'The certificate names no merchant identifier: it is not a payment-processing certificate.',
  certificate_of_other_identifier: () => 'The certificate was issued for another merchant identifier.',
  certificate_not_yet_valid: () => 'The certificate is not valid yet.',
  certificate_expired: () => 'The certificate has expired.',
  certificate_revoked: () => 'This certificate is revoked.',
  role_of_operators: () => 'The role must be operator.',
  role_of_account: () => 'The role must be owner, staff or read_only.',
  main_pos_active: () => 'The main point of sale stays active.',
  marketplace_of_partner: () => 'The marketplace needs the partner program.',
  seller_stays_seller: () => 'A seller stays a seller, and no other account becomes one.',
  partner_keeps_sellers: () => 'A partner with sellers cannot leave the partner program.',
  enabled_method: () => 'Is not enabled for the account.',
  taken_method: () => 'No acquirer takes this method for this amount at the moment.',
  taken_amount: ({ least, most }) => `This method takes amounts from ${least} to ${most}.`,
  child_of_transaction: () => 'Is not a child of this transaction.',
  seller_of_transaction: () => 'Is not a seller of this transaction.',
  product_of_child: () => 'Is not among the products of the child.',
  price_at_most: ({ cents }) => `Must be at most ${cents}, the price of the product.`,
};

/** What is wrong with a field: the sentence of the API, and the rule. */
export interface RuledFault {
  readonly field: string;
  readonly message: string;
  readonly rule: ValueRule;
}

/** A fault of a field whose value is not what it must be. Its code says more of limits. */
export function ruled<Code extends keyof typeof valueRules>(
  field: string,
  code: Code,
  parameters: ParametersOf<(typeof valueRules)[Code]>,
): RuledFault {
  const rule = { code, parameters } as unknown as ValueRule;
  return { field, message: sentenceOf(valueSentences, rule), rule };
}

/** The same with the code of a value that is simply not valid. */
export function notValid<Code extends keyof typeof valueRules>(
  field: string,
  code: Code,
  ...[parameters]: keyof (typeof valueRules)[Code] extends never
    ? []
    : [parameters: ParametersOf<(typeof valueRules)[Code]>]
): RuledFault & { readonly code: 'not_valid' } {
  return { code: 'not_valid', ...ruled(field, code, (parameters ?? {}) as never) };
}
