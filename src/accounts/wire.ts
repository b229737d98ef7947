// Wire to domain and back.

import { notValid } from '../../contract/codes/english/values.ts';
import { channelIds } from '../../contract/methods.ts';
import { decimalFromMinor, type Fault, minorFromDecimal } from '../kernel/index.ts';
import type { PriceInForce } from './prices/store.ts';
import type { Seller } from './sellers.ts';
import type { AccountSettings, PosRow } from './store.ts';

interface SellerGiven {
  readonly name?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly taxId?: string;
  readonly website?: string;
  readonly channels?: readonly number[];
  readonly status?: 'active' | 'blocked';
  readonly fees?: {
    readonly paymentPercent?: number;
    readonly paymentFixed?: number;
    readonly refundFixed?: number;
  };
}

/** The settings that are given, by the names that accounts have. */
export function readSeller({ website, fees = {}, ...given }: SellerGiven): Partial<AccountSettings> {
  const { paymentPercent, paymentFixed, refundFixed } = fees;
  return {
    ...given,
    ...(website === undefined ? {} : { url: website }),
    ...(paymentPercent === undefined ? {} : { paymentFeeBasisPoints: Math.round(paymentPercent * 100) }),
    ...(paymentFixed === undefined ? {} : { paymentFeeMinor: minorFromDecimal(paymentFixed) ?? 0n }),
    ...(refundFixed === undefined ? {} : { refundFeeMinor: minorFromDecimal(refundFixed) ?? 0n }),
  };
}

/** Channels that do not exist. */
export function channelFaults(body: unknown): Fault[] {
  const { channels } = (body ?? {}) as { channels?: unknown };
  if (!Array.isArray(channels)) return [];
  if (channels.length === 0)
    return [{ code: 'too_few', field: 'channels', devMessage: 'Send at least one channel, or leave the field out.' }];
  return channels.flatMap((id, index) =>
    channelIds.includes(id as number)
      ? []
      : [notValid(`channels.${index}`, 'one_of', { values: channelIds.join(', ') })],
  );
}

export function serializeSeller({ id, posId, settings, balanceMinor, createdAt, modifiedAt }: Seller) {
  const { name, email, phone, taxId, url, status, channels } = settings;
  return {
    id,
    merchantNumber: settings.merchantNumber,
    name,
    email,
    phone,
    taxId,
    website: url,
    status,
    balance: decimalFromMinor(balanceMinor),
    currency: 'PLN',
    posId,
    channels: channels.map(String),
    fees: {
      paymentPercent: settings.paymentFeeBasisPoints / 100,
      paymentFixed: decimalFromMinor(settings.paymentFeeMinor),
      refundFixed: decimalFromMinor(settings.refundFeeMinor),
    },
    date: serializeDates(createdAt, modifiedAt),
  };
}

export function serializePos(pos: PosRow) {
  return {
    posId: pos.id,
    accountId: pos.accountId,
    name: pos.name,
    url: pos.url,
    notificationUrl: pos.notificationUrl,
    date: serializeDates(pos.createdAt, pos.modifiedAt),
    settings: { isTestMode: pos.testMode, isActive: pos.active, isVerified: pos.verified, isMain: pos.main },
  };
}

function serializeDates(createdAt: Temporal.Instant, modifiedAt: Temporal.Instant) {
  return { create: createdAt.toString(), modification: modifiedAt.toString() };
}

export function serializePrice({
  priceId,
  validFrom,
  basisPoints,
  fixedMinor,
  minimumMinor,
  maximumMinor,
  ...price
}: PriceInForce) {
  return {
    priceId: String(priceId),
    ...price,
    validFrom: validFrom.toString(),
    percent: basisPoints / 100,
    fixed: decimalFromMinor(fixedMinor),
    minimum: decimalFromMinor(minimumMinor),
    maximum: maximumMinor === null ? null : decimalFromMinor(maximumMinor),
    currency: 'PLN',
  };
}
