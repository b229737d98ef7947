// Why a recurring payment is charged when it is, what must happen first, and why nothing more comes. Days are
// yyyy-mm-dd and times hh:mm, both of the account's time zone.

import type { Codes, Message } from './message.ts';

export const scheduleRules = {
  first_charge: { total: 'number?' },
  charge: {
    number: 'number',
    total: 'number?',
    interval: 'number',
    unit: ['days', 'months'],
    from: 'text',
    /** The day, where the month has none of that number. */
    clampedTo: 'text?',
    /** A time that the day does not have, and the one instead. */
    skippedTime: 'text?',
    movedTo: 'text?',
  },
  retry: {
    number: 'number',
    total: 'number',
    delay: 'number',
    unit: ['minutes', 'days', 'months'],
    policy: ['default', 'own'],
  },
  retry_by_hand: {},
  retry_with_new_instrument: {},
} as const satisfies Codes;
export type ScheduleRule = Message<typeof scheduleRules>;

export const scheduleConditions = {
  if_attempt_fails: {},
  /** The operator says that the attempt before it failed: its bank cannot tell. */
  if_decided_failed: {},
  once_charge_made: { number: 'number' },
} as const satisfies Codes;
export type ScheduleCondition = Message<typeof scheduleConditions>;

export const scheduleEnds = {
  last_charge: { number: 'number' },
  canceled: {},
  finished: {},
  failed: {},
} as const satisfies Codes;
export type ScheduleEnd = Message<typeof scheduleEnds>;

/** All of them, for a dictionary. */
export const scheduleCodes = { ...scheduleRules, ...scheduleConditions, ...scheduleEnds } as const;
