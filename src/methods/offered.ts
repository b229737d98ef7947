// Channels that an acquirer offers: which of them can be paid, and from which to which amount.

import { notValid } from '../../contract/codes/english/values.ts';
import { type MethodName, methodNames, methods } from '../../contract/methods.ts';
import { type Acquirer, type CardFields, isOffered, limitsOf, type TestValue } from '../acquirer/index.ts';
import { cardNumbersNotTaken } from '../cards/index.ts';
import { type AccountId, type Currency, decimalText, type Money, refuse, refuseFault } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import { cardNotChargeable } from './failures.ts';

/** That of transactions whose amount is not known yet. */
const usualCurrency: Currency = 'PLN';

/** Of a channel that nobody offers: no amount can be paid. */
const nothing = { leastMinor: 0n, mostMinor: 0n };

type OfferTools = Pick<Tools, 'acquirers'>;

/** Those of these channels that an acquirer offers for this amount; without one, for any. */
export async function offeredChannels(
  { acquirers }: OfferTools,
  channelIds: readonly number[],
  merchantId: AccountId,
  amount?: Money,
): Promise<number[]> {
  const choose = await acquirers.choice();
  const [currency, amountMinor] = [amount?.currency ?? usualCurrency, amount?.minor];
  const facts = { merchantId, currency, ...(amountMinor !== undefined && { amountMinor }) };
  return channelIds.filter((channelId) => choose({ ...facts, channelId }).length > 0);
}

/** From which to which amount these channels are offered; one that is missing has no limits but those of its method. */
export async function offeredLimits(
  { acquirers }: OfferTools,
  channelIds: readonly number[],
  merchantId: AccountId,
): Promise<ReadonlyMap<number, { readonly leastMinor: bigint; readonly mostMinor: bigint }>> {
  const choose = await acquirers.choice();
  return new Map(
    channelIds.flatMap((channelId) => {
      const facts = { merchantId, channelId, currency: usualCurrency };
      const offering = choose(facts);
      const limits = offering.length === 0 ? nothing : limitsOf(facts, offering);
      return limits ? [[channelId, limits] as const] : [];
    }),
  );
}

/** Which channel of whom is to be paid; the amount is read only if an acquirer has limits. */
interface ToPay {
  readonly channelId: number;
  readonly merchantId: AccountId;
  readonly amount: () => Money | Promise<Money>;
}

/** Refuses with the same code as for a channel that is off. */
export async function refuseUnlessOffered(
  { acquirers }: OfferTools,
  { channelId, merchantId, amount }: ToPay,
  prefix: string,
): Promise<void> {
  const choose = await acquirers.choice();
  const facts = { merchantId, channelId, currency: usualCurrency };
  const offering = choose(facts);
  if (offering.length > 0 && offering.every(({ offers }) => offers === undefined)) return;
  const { currency, minor: amountMinor } = await amount();
  if (choose({ ...facts, currency, amountMinor }).length > 0) return;
  const field = `${prefix}channelId`;
  const limits = limitsOf({ ...facts, currency }, choose({ ...facts, currency }));
  if (!limits || (amountMinor >= limits.leastMinor && amountMinor <= limits.mostMinor))
    refuseFault(notValid(field, 'taken_method'));
  const [least, most] = [decimalText(limits.leastMinor), decimalText(limits.mostMinor)];
  refuseFault(notValid(field, 'taken_amount', { least, most }));
}

/** Before a card number is decrypted: an acquirer may take only what was typed into its own fields. */
export async function refuseUnlessNumbersTaken(
  { acquirers }: OfferTools,
  merchantId: AccountId,
  { minor: amountMinor, currency }: Money,
  field: string,
): Promise<void> {
  const choose = await acquirers.choice();
  const facts = { merchantId, channelId: methods.card.id, currency, amountMinor, fields: 'own' } as const;
  if (choose(facts).length === 0) refuse(cardNumbersNotTaken, field);
}

/** A saved card, and who keeps it; null: our vault, so that everybody who takes numbers can charge it. */
export interface CardToCharge {
  readonly merchantId: AccountId;
  readonly amount: Money;
  readonly acquirer: string | null;
  readonly recurring?: 'card';
}

/** Whether somebody can charge it now. */
export async function isChargeable({ acquirers }: OfferTools, card: CardToCharge): Promise<boolean> {
  const { acquirer, merchantId, amount, recurring } = card;
  const { minor: amountMinor, currency } = amount;
  const facts = { merchantId, channelId: methods.card.id, currency, amountMinor, ...(recurring && { recurring }) };
  if (acquirer !== null) return acquirers.pinned(acquirer, facts) !== undefined;
  const choose = await acquirers.choice();
  return choose({ ...facts, fields: 'own' }).length > 0;
}

export async function refuseUnlessChargeable(tools: OfferTools, card: CardToCharge, field: string): Promise<void> {
  if (!(await isChargeable(tools, card))) refuse(cardNotChargeable, field);
}

/** The card fields of an acquirer, and whose they are: what they make of a card is known to that one only. */
export interface VendorFields extends CardFields {
  readonly acquirer: string;
}

/** Undefined: a card for this amount is typed into our own fields. */
export function vendorFieldsOf(
  acquirer: Acquirer | undefined,
  merchantId: AccountId,
  { minor: amountMinor, currency }: Money,
): VendorFields | undefined {
  const facts = { merchantId, channelId: methods.card.id, currency, amountMinor, fields: 'vendor' } as const;
  if (!acquirer?.cardFields || !isOffered(acquirer.offers, facts)) return undefined;
  return { ...acquirer.cardFields, acquirer: acquirer.name };
}

/** What payers are shown of who takes each method, and of who is at work. */
export interface ShownOfTakers {
  readonly banks: readonly string[];
  /** Whose page asks for the bank of a transfer; undefined: nobody said. */
  readonly transferPage: string | undefined;
  readonly testValues: Readonly<Partial<Record<MethodName, readonly TestValue[]>>>;
  /** How long BLIK of the last attempt can be confirmed; undefined: nobody knows. */
  readonly blikSeconds: number | undefined;
}

/** Of each method that which its own taker shows: the values of one mean nothing to another. */
export function shownOf(takers: ReadonlyMap<number, Acquirer>, last: Acquirer | undefined): ShownOfTakers {
  const valuesOf = (method: MethodName) => takers.get(methods[method].id)?.shown?.testValues?.[method];
  const transfer = takers.get(methods.transfer.id)?.shown;
  return {
    banks: transfer?.banks ?? [],
    transferPage: transfer?.transferPage,
    testValues: Object.fromEntries(methodNames.map((method) => [method, valuesOf(method) ?? []])),
    blikSeconds: last?.shown?.blikSeconds,
  };
}

/** Those of these channels that nobody takes for this amount unless the payer's email address is known. */
export async function channelsThatAskEmail(
  { acquirers }: OfferTools,
  channelIds: readonly number[],
  merchantId: AccountId,
  { minor: amountMinor, currency }: Money,
): Promise<number[]> {
  const choose = await acquirers.choice();
  const facts = { merchantId, currency, amountMinor, withoutEmail: true };
  return channelIds.filter((channelId) => choose({ ...facts, channelId }).length === 0);
}

/** Who takes each of these channels first, for this amount; those that nobody takes are missing. */
export async function takersOf(
  { acquirers }: OfferTools,
  channelIds: readonly number[],
  merchantId: AccountId,
  { minor: amountMinor, currency }: Money,
): Promise<ReadonlyMap<number, Acquirer>> {
  const choose = await acquirers.choice();
  return new Map(
    channelIds.flatMap((channelId) => {
      const [first] = choose({ merchantId, channelId, currency, amountMinor });
      return first ? [[channelId, first] as const] : [];
    }),
  );
}
