// Settings of an account on the wire.

import { notValid } from '../../../contract/codes/english/values.ts';
import { type AccountSettings, channelFaults, type PosRow, type StoredSettings } from '../../accounts/index.ts';
import { decimalFromMinor, type Fault, isZone, minorFromDecimal } from '../../kernel/index.ts';
import { methodsById } from '../../methods/index.ts';
import { addressFaults, type OutboundPolicy } from '../../outbound/index.ts';

export function serializeSettings(id: string, settings: StoredSettings, usualRequestsPerSecond: number) {
  const { paymentFeeBasisPoints, paymentFeeMinor, refundFeeMinor, marketplaceEnabled, ...others } = settings;
  return {
    ...others,
    id,
    channels: methodsById.map((channel) => ({
      id: channel.id,
      name: channel.name,
      enabled: settings.channels.includes(channel.id),
    })),
    fees: {
      paymentPercent: paymentFeeBasisPoints / 100,
      paymentFixed: decimalFromMinor(paymentFeeMinor),
      refundFixed: decimalFromMinor(refundFeeMinor),
    },
    requestsPerSecond: settings.requestsPerSecond ?? usualRequestsPerSecond,
    marketplace: marketplaceEnabled,
  };
}

interface SettingsGiven extends Partial<Omit<AccountSettings, 'channels'>> {
  readonly channels?: readonly number[];
  readonly paymentPercent?: number;
  readonly paymentFixed?: number;
  readonly refundFixed?: number;
  readonly marketplace?: boolean;
}

/** The settings that are given, by the names that accounts have. */
export function readSettings(given: SettingsGiven): Partial<AccountSettings> {
  const { paymentPercent, paymentFixed, refundFixed, marketplace, ...others } = given;
  return {
    ...others,
    ...(paymentPercent === undefined ? {} : { paymentFeeBasisPoints: Math.round(paymentPercent * 100) }),
    ...(paymentFixed === undefined ? {} : { paymentFeeMinor: minorFromDecimal(paymentFixed) ?? 0n }),
    ...(refundFixed === undefined ? {} : { refundFeeMinor: minorFromDecimal(refundFixed) ?? 0n }),
    ...(marketplace === undefined ? {} : { marketplaceEnabled: marketplace }),
  };
}

/** Channels that do not exist, unknown zones, and addresses to which nothing may be sent. */
export function settingsFaults(body: unknown, policy: OutboundPolicy): Fault[] {
  const { notificationUrl, moneyUrl, zone } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const isKnown = typeof zone !== 'string' || isZone(zone);
  return [
    ...channelFaults(body),
    ...(typeof notificationUrl === 'string' ? addressFaults(notificationUrl, 'notificationUrl', policy) : []),
    ...(typeof moneyUrl === 'string' ? addressFaults(moneyUrl, 'moneyUrl', policy) : []),
    ...(isKnown ? [] : [notValid('zone', 'time_zone')]),
  ];
}

export function serializePos(pos: PosRow) {
  const { id, name, url, notificationUrl, main, active, verified, createdAt } = pos;
  return { id, name, url, notificationUrl, main, active, verified, createdAt: createdAt.toString() };
}
