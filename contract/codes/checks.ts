// What `grosz acquirer test` says about an acquirer, each with what to do about it in its sentence.

import type { Codes, Message } from './message.ts';

const method = { method: 'text' } as const;

/** Nothing needs to be done about these. */
export const checksPassed = {
  simulated: {},
  answers: {},
  offers_read: { count: 'number' },
  offers_not_said: {},
  account: { account: 'text' },
  clock_agrees: { seconds: 'number' },
  permission_there: { resource: 'text', level: 'text' },
  intent_made: { amount: 'text' },
  publishable_key_fits: {},
  intent_not_tried: {},
  event_accepted: { url: 'text' },
  event_came: { seconds: 'number' },
} as const satisfies Codes;

export const checksFailed = {
  not_reached: { what: 'text' },
  offers_refused: { why: 'text' },
  key_unknown: {},
  key_of_another_account: { account: 'text', pinned: 'text' },
  key_does_everything: {},
  currency_other: { currency: 'text' },
  method_inactive: method,
  clock_off: { seconds: 'number' },
  permission_missing: { resource: 'text', level: 'text' },
  intent_refused: { why: 'text' },
  publishable_key_other: { why: 'text' },
  service_not_reached: { url: 'text' },
  event_refused: { url: 'text', status: 'number' },
  event_not_seen: { seconds: 'number' },
} as const satisfies Codes;

export const checks = { ...checksPassed, ...checksFailed } as const satisfies Codes;

export type Check = Message<typeof checks>;

export function isPassed({ code }: Check): boolean {
  return Object.hasOwn(checksPassed, code);
}
