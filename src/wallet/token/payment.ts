// Step 15: compares what the device pays with the amount of the transaction.

import { readJson } from '../../http/index.ts';
import { type Currency, type Money, Secret } from '../../kernel/index.ts';
import { fail } from './faults.ts';

export type WalletNetwork = 'Visa' | 'Mastercard';

export interface WalletPayment {
  readonly network: WalletNetwork;
  /** The number that the device has instead of the card's. */
  readonly deviceNumber: Secret;
  /** `MM/YY`, as cards have it. */
  readonly expiry: string;
  readonly cryptogram: Secret;
  /** The electronic commerce indicator, if the network gave one. */
  readonly eci: string | null;
}

/** ISO 4217: tokens contain the numeric code of a currency. */
export const currencyNumbers: Readonly<Record<Currency, string>> = { PLN: '985' };

const networks: readonly (readonly [WalletNetwork, RegExp])[] = [
  ['Visa', /^4\d{12}(\d{3}){0,2}$/],
  ['Mastercard', /^(5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}$/],
];

/** The network of a device number; undefined for networks that the channel does not support. */
export function networkOf(number: string): WalletNetwork | undefined {
  return networks.find(([, shape]) => shape.test(number))?.[0];
}

type Fields = Readonly<Record<string, unknown>>;

/** Wipes the plaintext before it returns, even if it refuses. */
export function readPayment(plain: Buffer, expected: Money, receivedAt: Temporal.Instant): WalletPayment {
  const fields = objectOf(plain);
  if (fields.transactionAmount !== Number(expected.minor)) fail('amount');
  if (currencyOf(fields.currencyCode) !== currencyNumbers[expected.currency]) fail('currency');
  const expires = expiryOf(fields.applicationExpirationDate, receivedAt);
  const number = fields.applicationPrimaryAccountNumber;
  if (typeof number !== 'string') return fail('payload_unreadable');
  const network = networkOf(number) ?? fail('network');
  const { cryptogram, eci } = authentication(fields);
  return {
    network,
    deviceNumber: new Secret(number),
    expiry: `${expires.slice(2, 4)}/${expires.slice(0, 2)}`,
    cryptogram: new Secret(cryptogram),
    eci,
  };
}

function objectOf(plain: Buffer): Fields {
  let value: unknown;
  try {
    value = readJson(plain.toString());
  } catch {
    // Not even the names in it may be told.
    value = undefined;
  }
  plain.fill(0);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return fail('payload_unreadable');
  return value as Fields;
}

/** Devices send three digits as text; a number is accepted too. */
function currencyOf(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value).padStart(3, '0');
  return typeof value === 'string' ? value : undefined;
}

/** `YYMMDD`; the card is valid until the end of that day. */
function expiryOf(value: unknown, receivedAt: Temporal.Instant): string {
  if (typeof value !== 'string' || !/^\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/.test(value))
    return fail('payload_unreadable');
  const today = receivedAt.toZonedDateTimeISO('UTC').toPlainDate().toString().replaceAll('-', '');
  return `20${value}` < today ? fail('card_expired') : value;
}

/** The cryptogram that the device made for this payment. Chip data instead of it is for terminals. */
function authentication(fields: Fields): { cryptogram: string; eci: string | null } {
  const { paymentData } = fields;
  if (fields.paymentDataType !== '3DSecure' || typeof paymentData !== 'object' || paymentData === null)
    return fail('cryptogram_missing');
  const { onlinePaymentCryptogram: cryptogram, eciIndicator: eci } = paymentData as Fields;
  if (typeof cryptogram !== 'string' || !/^[A-Za-z0-9+/]{4,128}={0,2}$/.test(cryptogram))
    return fail('cryptogram_missing');
  return { cryptogram, eci: typeof eci === 'string' && /^\d{1,2}$/.test(eci) ? eci : null };
}
