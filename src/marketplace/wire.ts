// Wire to domain and back.

import { notValid } from '../../contract/codes/english/values.ts';
import {
  callbackTypes,
  centsAtMost,
  type MarketplaceGiven,
  type MarketplaceRefundGiven,
} from '../../contract/marketplace.ts';
import { isEmail, isWebUrl, type Static } from '../../contract/schema.ts';
import type { Merchant } from '../accounts/index.ts';
import { type AccountId, type Fault, knownId, localText, money, type PosId } from '../kernel/index.ts';
import { addressFaults, type OutboundPolicy } from '../outbound/index.ts';
import { decodeLines, type Refund, type RefundPart, type SplitRefund } from '../refunds/index.ts';
import { payPageUrl, type Transaction } from '../transactions/index.ts';
import type { MarketplaceCommand, NewChild, Product, RequestedRefund } from './model.ts';
import { type OpenPart, quantityScale } from './rules.ts';

type Given = Static<typeof MarketplaceGiven>;

/** Exact: the validator accepts at most six decimal places. */
function millionths(quantity: number): bigint {
  return BigInt(Math.round(quantity * Number(quantityScale)));
}

/** The JSON number of a quantity; exact for every quantity that the validator accepts. */
function decimalOf(quantity: bigint): number {
  return Number(quantity) / Number(quantityScale);
}

/** The body is already validated. All defaults are filled in here. */
export function readCommand(given: Given, partner: Pick<Merchant, 'country'>): MarketplaceCommand {
  const children = given.childTransactions.map(readChild);
  const { billingAddress: address } = given;
  const callback = (type: number) => given.transactionCallbacks?.find((one) => one.type === type)?.value ?? null;
  const channelId = given.preSelectedChannelId;
  return {
    posId: knownId<PosId>(given.pos.id),
    children,
    mail: given.transactionEmails?.transactionCreated !== false,
    transaction: {
      amount: money(
        children.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
        given.currency,
      ),
      description: given.description,
      hiddenDescription: given.hiddenDescription ?? '',
      // Empty: the payer's browser decides.
      lang: given.languageCode?.toLowerCase() ?? '',
      payer: {
        email: address.email,
        name: address.name,
        phone: address.phone ?? '',
        address: streetOf(address),
        city: address.city ?? '',
        postalCode: address.postalCode ?? '',
        country: address.country ?? partner.country,
        taxId: '',
        ip: null,
        userAgent: '',
      },
      pay: channelId === undefined ? undefined : { channelId },
      successUrl: callback(callbackTypes.success),
      errorUrl: callback(callbackTypes.error),
      notificationUrl: callback(callbackTypes.notification),
      notificationEmail: callback(callbackTypes.email),
    },
  };
}

/** `Long Street 12/3`. */
function streetOf({ street = '', houseNo = '', flatNo = '' }: Given['billingAddress']): string {
  const number = [houseNo, flatNo].filter((part) => part !== '').join('/');
  return [street, number].filter((part) => part !== '').join(' ');
}

function readChild(given: Given['childTransactions'][number]): NewChild {
  return {
    merchantId: knownId<AccountId>(given.merchant.id),
    amountMinor: BigInt(given.amount),
    commissionMinor: BigInt(given.commission ?? 0),
    description: given.description,
    hiddenDescription: given.hiddenDescription ?? '',
    products: given.products.map(({ externalId, name = '', quantity, unitPrice }) => {
      return { externalId, name, quantity: millionths(quantity), unitPriceMinor: BigInt(unitPrice) };
    }),
  };
}

/** Faults that no schema expresses: the sum of the children, and what the callbacks contain. */
export function creationFaults(body: unknown, policy: OutboundPolicy): Fault[] {
  const { childTransactions, transactionCallbacks } = (body ?? {}) as Partial<Given>;
  return [...sumFaults(childTransactions), ...callbackFaults(transactionCallbacks, policy)];
}

function sumFaults(children: unknown): Fault[] {
  if (!Array.isArray(children)) return [];
  const sum = children.reduce((total: number, child) => {
    const amount = (child as { amount?: unknown } | null)?.amount;
    return typeof amount === 'number' ? total + amount : total;
  }, 0);
  if (sum <= centsAtMost) return [];
  return [
    { code: 'too_high', field: 'childTransactions', message: `The amounts must sum up to at most ${centsAtMost}.` },
  ];
}

function callbackFaults(callbacks: unknown, policy: OutboundPolicy): Fault[] {
  if (!Array.isArray(callbacks)) return [];
  const seen = new Set<unknown>();
  return callbacks.flatMap((callback, index): Fault[] => {
    const { type, value } = (callback ?? {}) as { type?: unknown; value?: unknown };
    const field = `transactionCallbacks.${index}`;
    if (seen.has(type)) return [{ code: 'not_valid', field: `${field}.type`, message: 'Each type may be given once.' }];
    seen.add(type);
    if (typeof value !== 'string') return [];
    if (type === callbackTypes.email) return isEmail(value) ? [] : [notValid(`${field}.value`, 'email')];
    if (!isWebUrl(value)) return [notValid(`${field}.value`, 'web_url')];
    return type === callbackTypes.notification ? addressFaults(value, `${field}.value`, policy) : [];
  });
}

/** What a refund body can be wrong with beyond its schema: which child, and how much of it. */
export function refundFaults(body: unknown): Fault[] {
  const { childTransactions } = (body ?? {}) as { childTransactions?: unknown };
  if (!Array.isArray(childTransactions)) return [];
  return childTransactions.flatMap((item, index) => {
    if (typeof item !== 'object' || item === null) return [];
    const field = `childTransactions.${index}`;
    return [...oneOf(item, ['merchantId', 'id'], field), ...oneOf(item, ['amount', 'products'], field)];
  });
}

function oneOf(item: object, [first, second]: readonly [string, string], field: string): Fault[] {
  const [hasFirst, hasSecond] = [Object.hasOwn(item, first), Object.hasOwn(item, second)];
  const message = `Send either ${first} or ${second}.`;
  if (hasFirst && hasSecond) return [{ code: 'not_valid', field: `${field}.${second}`, message }];
  return hasFirst || hasSecond ? [] : [{ code: 'field_required', field: `${field}.${first}`, message }];
}

/** The body is validated and has no unknown keys: only an empty list is a full refund. */
export function readRequested({ childTransactions = [] }: Static<typeof MarketplaceRefundGiven>): RequestedRefund {
  if (childTransactions.length === 0) return { kind: 'full' };
  const items = childTransactions.map(({ id, merchantId, amount, products = [] }) => ({
    of: id === undefined ? { merchantId: merchantId ?? '' } : { id },
    by:
      amount === undefined
        ? {
            products: products.map(({ externalId, quantity, unitPrice }) => {
              return { externalId, quantity: millionths(quantity), unitPriceMinor: BigInt(unitPrice) };
            }),
          }
        : { amountMinor: BigInt(amount) },
  }));
  return { kind: 'items', items };
}

/** The products of a part as stored. Their limits are below those of a double. */
export function serializeProducts(products: readonly Product[]): string {
  return JSON.stringify(
    products.map(({ externalId, name, quantity, unitPriceMinor }) => {
      return { externalId, name, quantity: Number(quantity), unitPriceMinor: Number(unitPriceMinor) };
    }),
  );
}

interface StoredProduct {
  readonly externalId: string;
  readonly name: string;
  readonly quantity: number;
  readonly unitPriceMinor: number;
}

export function readProducts(stored: string): Product[] {
  const products = JSON.parse(stored) as StoredProduct[];
  return products.map(({ externalId, name, quantity, unitPriceMinor }) => {
    return { externalId, name, quantity: BigInt(quantity), unitPriceMinor: BigInt(unitPriceMinor) };
  });
}

/** A marketplace transaction as lists show it. */
export function serializeHead(transaction: Transaction, zone: string, baseUrl: string) {
  const { id: transactionId, title, posId, status, amount, description, hiddenDescription, payer } = transaction;
  return {
    transactionId,
    title,
    posId,
    status,
    date: {
      creation: localText(transaction.createdAt, zone),
      realization: transaction.realizedAt && localText(transaction.realizedAt, zone),
    },
    amount: Number(amount.minor),
    currency: amount.currency,
    description,
    hiddenDescription,
    billingAddress: { email: payer.email, name: payer.name },
    paymentUrl: payPageUrl(baseUrl, transaction),
  };
}

export function serializeChild({ part, products, refundedMinor, commissionReturnedMinor, refundedLines }: OpenPart) {
  return {
    id: part.id,
    merchant: { id: part.merchantId },
    amount: Number(part.amountMinor),
    description: part.description,
    hiddenDescription: part.hiddenDescription,
    fee: Number(part.feeMinor),
    commission: Number(part.commissionMinor),
    refunded: Number(refundedMinor),
    commissionReturned: Number(commissionReturnedMinor),
    products: products.map(({ externalId, name, quantity, unitPriceMinor }, index) => ({
      externalId,
      name,
      quantity: decimalOf(quantity),
      unitPrice: Number(unitPriceMinor),
      refundedQuantity: decimalOf(refundedLines.get(index + 1) ?? 0n),
    })),
  };
}

function serializePart({ partId, merchantId, amountMinor, feeMinor, commissionMinor }: RefundPart) {
  return {
    id: partId,
    merchantId,
    amount: Number(amountMinor),
    fee: Number(feeMinor),
    commissionReturned: Number(commissionMinor),
  };
}

/** A refund with its parts; `productsOf` are the products of each part. */
export function serializeRefund(
  refund: Refund,
  parts: readonly RefundPart[],
  productsOf: ReadonlyMap<string, readonly Product[]>,
  zone: string,
) {
  return {
    refundId: refund.id,
    status: refund.status,
    amount: Number(refund.amount.minor),
    fee: Number(refund.feeMinor),
    date: {
      schedule: localText(refund.createdAt, zone),
      processed: refund.processedAt && localText(refund.processedAt, zone),
    },
    childTransactions: parts.map((part) => ({
      ...serializePart(part),
      products: decodeLines(part.lines).map(({ line, quantity, unitPriceMinor }) => ({
        externalId: productsOf.get(part.partId)?.[line - 1]?.externalId ?? '',
        quantity: decimalOf(quantity),
        unitPrice: Number(unitPriceMinor),
      })),
    })),
  };
}

export function serializePreview({ parts, balances }: SplitRefund) {
  return {
    childTransactions: parts.map(serializePart),
    balances: balances.map(({ merchantId, before, after }) => ({
      merchantId,
      before: Number(before),
      after: Number(after),
    })),
  };
}
