// The settings of an account, as options of `grosz merchant` and as it prints them.

import { channelIds as knownChannels } from '../../contract/methods.ts';
import { isOneLine } from '../../contract/schema.ts';
import type { AccountSettings, StoredSettings } from '../accounts/index.ts';
import { decimalFromMinor, isZone, minorFromDecimal } from '../kernel/index.ts';
import { addressFaults } from '../outbound/index.ts';
import { StartFault } from '../runtime/index.ts';
import { Wrong } from '../setting.ts';
import type { Tools } from '../tools.ts';
import { type Invocation, optionText } from './command.ts';

/** Parses an option: a value, or what is wrong with it. */
type Reader<T> = (text: string, tools: Tools) => T | Wrong;

/** In hundredths; undefined if it is not a decimal with two places. */
export const hundredthsOf = (text: string) => (text.trim() === '' ? undefined : minorFromDecimal(Number(text)));

const amount: Reader<bigint> = (text) => hundredthsOf(text) ?? new Wrong('must be an amount such as 0.25.');

/** Stored in hundredths of a percent. */
const percent: Reader<number> = (text) => {
  const hundredths = hundredthsOf(text);
  return hundredths === undefined || hundredths > 10_000n
    ? new Wrong('must be from 0 to 100, such as 1.5.')
    : Number(hundredths);
};

const fitting =
  (pattern: RegExp, why: string): Reader<string> =>
  (text) =>
    pattern.test(text) ? text : new Wrong(why);

const address: Reader<string> = (text) =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? text : new Wrong('must be an http or https URL.');

/** By the same rules as in requests; empty means none. */
const notificationAddress: Reader<string | null> = (text, tools) => {
  if (text === '') return null;
  const [fault] = addressFaults(text, '', tools.config.callbackPolicy);
  return fault ? new Wrong(`cannot be used: ${fault.message ?? 'not valid.'}`) : address(text, tools);
};

const channelIds: Reader<number[]> = (text) => {
  const ids = text.split(',').map(Number);
  const known = ids.every((id) => knownChannels.includes(id)) && new Set(ids).size === ids.length;
  return known ? ids : new Wrong(`must be distinct ids from ${knownChannels.join(', ')}.`);
};

export const onOrOff: Reader<boolean> = (text) =>
  text === 'on' || text === 'off' ? text === 'on' : new Wrong('must be on or off.');

const limit: Reader<number | null> = (text) => {
  if (text === '') return null;
  return /^[1-9]\d{0,8}$/.test(text)
    ? Number(text)
    : new Wrong('must be a positive integer, or empty for the default.');
};

const accountName: Reader<string> = (text) =>
  /^.{1,100}$/su.test(text) && isOneLine(text) ? text : new Wrong('must have 1 to 100 characters, in one line.');

/** Each setting with its option and parser. */
const readers: { readonly [Key in keyof AccountSettings]: readonly [string, Reader<AccountSettings[Key]>] } = {
  name: ['name', accountName],
  email: ['email', fitting(/^[^@\s]+@[^@\s]+$/, 'must be an email address.')],
  phone: ['phone', fitting(/^.{0,32}$/su, 'must have at most 32 characters.')],
  taxId: ['tax-id', fitting(/^.{0,32}$/su, 'must have at most 32 characters.')],
  status: [
    'status',
    (text) => (text === 'active' || text === 'blocked' ? text : new Wrong('must be active or blocked.')),
  ],
  zone: ['zone', (text) => (isZone(text) ? text : new Wrong('must be a time zone such as Europe/Warsaw.'))],
  country: ['country', fitting(/^[A-Z]{2}$/, 'must be two capital letters.')],
  paymentFeeBasisPoints: ['fee-percent', percent],
  paymentFeeMinor: ['fee-fixed', amount],
  refundFeeMinor: ['refund-fee', amount],
  channels: ['channels', channelIds],
  kind: [
    'kind',
    (text) => (text === 'merchant' || text === 'partner' ? text : new Wrong('must be merchant or partner.')),
  ],
  marketplaceEnabled: ['marketplace', onOrOff],
  declineNotifications: ['decline-notifications', onOrOff],
  moneyUrl: ['money-url', notificationAddress],
  settlementMails: ['settlement-mails', onOrOff],
  requestsPerSecond: ['requests-per-second', limit],
  url: ['url', address],
  notificationUrl: ['notification-url', notificationAddress],
};

export const settingOptions = Object.fromEntries(
  Object.values(readers).map(([option]) => [option, { type: 'string' as const }]),
);

/** The given settings. Reports all faults together; those in `needed` are required. */
export function readSettings<Key extends keyof AccountSettings = never>(
  tools: Tools,
  invocation: Invocation,
  ...needed: readonly Key[]
): Partial<AccountSettings> & Pick<AccountSettings, Key> {
  const faults: string[] = [];
  const settings: Record<string, unknown> = {};
  for (const [key, [option, read]] of Object.entries(readers)) {
    const text = optionText(invocation, option);
    const value = text === undefined ? undefined : read(text, tools);
    if (value instanceof Wrong) faults.push(`--${option} ${value.why}`);
    else if (value !== undefined) settings[key] = value;
    else if (needed.some((name) => name === key)) faults.push(`--${option} is required.`);
  }
  if (faults.length > 0) throw new StartFault(faults.join('\n'));
  return settings as Partial<AccountSettings> & Pick<AccountSettings, Key>;
}

/** As printed: amounts as decimals, the way they are given. */
export function serializeSettings(settings: StoredSettings): object {
  const { paymentFeeBasisPoints, paymentFeeMinor, refundFeeMinor, ...others } = settings;
  return {
    ...others,
    feePercent: paymentFeeBasisPoints / 100,
    feeFixed: decimalFromMinor(paymentFeeMinor),
    refundFee: decimalFromMinor(refundFeeMinor),
  };
}
