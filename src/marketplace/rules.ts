// Pure decisions about marketplace refunds (docs/decisions/0026).

import { notValid } from '../../contract/codes/english/values.ts';
import { type FailureKind, type Fault, Refusal, type RefusalCode } from '../kernel/index.ts';
import { type ChosenLine, type ChosenPart, type RefundablePart, refundExceedsPaid } from '../refunds/index.ts';
import type { Product, RefundedProduct, RefundItem, RequestedRefund } from './model.ts';

/** Quantities are whole numbers of millionths. */
export const quantityScale = 1_000_000n;

/** A part of the transaction with its products. */
export interface OpenPart extends RefundablePart {
  readonly products: readonly Product[];
}

/** A line of a product, of which something is left. */
interface OpenLine {
  readonly line: number;
  readonly sold: bigint;
  readonly unitPriceMinor: bigint;
  left: bigint;
}

/** The lines with one product in one part. */
interface Stock {
  readonly highestPriceMinor: bigint;
  /** The cheapest first, then in order. */
  readonly open: readonly OpenLine[];
  /** For each of them the place of the next that may not be used up: a request may name one product thousands of times. */
  readonly next: number[];
}

/** What the items of a request take from a part so far. */
class Allocation {
  readonly open: OpenPart;
  amountMinor = 0n;
  /** Of products: quantity times price, in millionths of a cent. */
  #value = 0n;
  readonly lines: ChosenLine[] = [];
  readonly #stocks = new Map<string, Stock>();
  #products: Map<string, { sold: Product; line: number }[]> | undefined;

  constructor(open: OpenPart) {
    this.open = open;
  }

  /** What earlier items of the request leave of the part. Products may have taken more: that is refused at the end. */
  get leftMinor(): bigint {
    const left = this.open.part.amountMinor - this.open.goneMinor - this.totalMinor;
    return left > 0n ? left : 0n;
  }

  get totalMinor(): bigint {
    return this.amountMinor + this.productsMinor;
  }

  /**
   * The products, rounded once over all refunds of the part, less what was refunded by products. So fractions never add
   * up to more than the products are worth, and the refund of the last fraction gives the exact rest.
   */
  get productsMinor(): bigint {
    if (this.lines.length === 0) return 0n;
    const missing = halfUp(this.open.productsValue + this.#value, quantityScale) - this.open.productsMinor;
    return missing > 0n ? missing : 0n;
  }

  /** Groups the products, of which there may be a thousand; once. */
  prepare(): void {
    this.#products ??= Map.groupBy(
      this.open.products.map((sold, index) => ({ sold, line: index + 1 })),
      ({ sold }) => sold.externalId,
    );
  }

  /** Undefined if the part has no such product. After `prepare`. */
  stockOf(externalId: string): Stock | undefined {
    const known = this.#stocks.get(externalId);
    if (known) return known;
    const products = this.#products?.get(externalId);
    if (!products) return undefined;
    const open = products
      .map(({ sold: { quantity: sold, unitPriceMinor }, line }): OpenLine => {
        return { line, sold, unitPriceMinor, left: sold - (this.open.refundedLines.get(line) ?? 0n) };
      })
      .filter(({ left }) => left > 0n)
      .sort((one, other) => Number(one.unitPriceMinor - other.unitPriceMinor));
    const highestPriceMinor = products.reduce(
      (highest, { sold: { unitPriceMinor } }) => (unitPriceMinor > highest ? unitPriceMinor : highest),
      0n,
    );
    const stock = { highestPriceMinor, open, next: [...open.keys(), open.length] };
    this.#stocks.set(externalId, stock);
    return stock;
  }

  /** As much of the quantity as there is at this price or a higher one; returns the rest. */
  allocate({ open, next }: Stock, quantity: bigint, unitPriceMinor: bigint): bigint {
    let rest = quantity;
    let at = usable(next, firstAtPrice(open, unitPriceMinor));
    while (rest > 0n) {
      const from = open[at];
      if (!from) return rest;
      const some = from.left < rest ? from.left : rest;
      from.left -= some;
      rest -= some;
      const { line, sold, unitPriceMinor: soldPriceMinor } = from;
      this.lines.push({ line, quantity: some, unitPriceMinor, sold, soldPriceMinor });
      this.#value += some * unitPriceMinor;
      if (from.left === 0n) next[at] = at + 1;
      at = usable(next, at);
    }
    return rest;
  }
}

/** The first place from here on that is not used up. Shortens the way for the next search. */
function usable(next: number[], from: number): number {
  let at = from;
  for (let after = next[at] ?? at; after !== at; after = next[at] ?? at) {
    next[at] = next[after] ?? after;
    at = after;
  }
  return at;
}

/** The place of the first line at this price or a higher one. */
function firstAtPrice(open: readonly OpenLine[], unitPriceMinor: bigint): number {
  let [low, high] = [0, open.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((open[middle]?.unitPriceMinor ?? 0n) < unitPriceMinor) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Half up, for amounts that are not negative. */
export function halfUp(amount: bigint, divisor: bigint): bigint {
  return (amount * 2n + divisor) / (divisor * 2n);
}

/**
 * The commission that a refund returns: in proportion to all that is refunded of the part, less what was returned. So
 * the refund of the last cent returns the exact rest. It is at most the amount: if returned refunds leave more to make
 * up for, later refunds do. Otherwise a refund could pay its seller, and could not be undone once that is spent.
 */
export function commissionReturned(
  { part, refundedMinor, commissionReturnedMinor }: RefundablePart,
  amountMinor: bigint,
): bigint {
  const target = halfUp(part.commissionMinor * (refundedMinor + amountMinor), part.amountMinor);
  const missing = target > commissionReturnedMinor ? target - commissionReturnedMinor : 0n;
  return missing < amountMinor ? missing : amountMinor;
}

/** What takes long is done in steps of about a millisecond: a refund may name thousands of products. */
export type Steps<T> = Generator<undefined, T>;

/** Chooses the parts of a refund, in order; refuses with every fault. `leftMinor` is what is left of the payment. */
export function* chooseParts(
  parts: readonly OpenPart[],
  requested: RequestedRefund,
  leftMinor: bigint,
): Steps<ChosenPart[]> {
  const allocations = parts.map((open) => new Allocation(open));
  if (requested.kind === 'full') allocateAll(allocations, leftMinor);
  else yield* allocateItems(allocations, requested.items);
  const chosen = allocations.filter(({ lines, amountMinor }) => amountMinor > 0n || lines.length > 0);
  const total = chosen.reduce((sum, { totalMinor }) => sum + totalMinor, 0n);
  if (total > leftMinor) throw new Refusal([{ ...refundExceedsPaid, field: '' }]);
  const made: ChosenPart[] = [];
  for (const { open, totalMinor, productsMinor, lines } of chosen) {
    yield;
    made.push({
      part: open.part,
      amountMinor: totalMinor,
      commissionMinor: commissionReturned(open, totalMinor),
      productsMinor,
      productsLimitMinor: productsLimit(open),
      lines,
    });
  }
  return made;
}

/** What all products of the part are worth, rounded once, and at most its amount. */
function productsLimit({ part, products }: OpenPart): bigint {
  const value = products.reduce((sum, { quantity, unitPriceMinor }) => sum + quantity * unitPriceMinor, 0n);
  const worth = halfUp(value, quantityScale);
  return worth < part.amountMinor ? worth : part.amountMinor;
}

/** What is left of every part, and never more than what is left of the payment. */
function allocateAll(allocations: readonly Allocation[], leftMinor: bigint): void {
  let rest = leftMinor;
  for (const part of allocations) {
    const amount = part.leftMinor < rest ? part.leftMinor : rest;
    part.amountMinor += amount;
    rest -= amount;
  }
}

function* allocateItems(allocations: readonly Allocation[], items: readonly RefundItem[]): Steps<void> {
  const targets = new Map<string, Target>();
  const targetOf = (of: RefundItem['of']) => {
    const key = 'id' in of ? of.id : `seller ${of.merchantId}`;
    const known = targets.get(key) ?? new Target(allocations, of);
    targets.set(key, known);
    return known;
  };
  const faults: Fault[] = [];
  for (const [index, item] of items.entries())
    faults.push(...(yield* allocateItem(targetOf(item.of), item, `childTransactions.${index}`)));
  refuseIfAny(faults);
  refuseIfAny(allocations.flatMap(partFaults));
}

/** Invalid input first: what the state forbids makes sense only for a valid request. */
function refuseIfAny(faults: readonly Fault[]): void {
  if (faults.length === 0) return;
  const invalid = faults.filter(({ code }) => code !== refundExceedsPaid.code);
  throw new Refusal((invalid.length > 0 ? invalid : faults).slice(0, faultsAtMost));
}

/** As many as a response shows. */
const faultsAtMost = 100;

/** The lines with one product in all children that an item names. */
interface Offer {
  readonly highestPriceMinor: bigint;
  readonly stocks: readonly { readonly part: Allocation; readonly stock: Stock }[];
  /** The place of the first of them that is not used up. */
  first: number;
}

/** The children that items name. What they offer is collected once: items may name thousands of products. */
class Target {
  readonly parts: readonly Allocation[];
  readonly #offers = new Map<string, Offer>();
  #partsWith: Map<string, Set<Allocation>> | undefined;

  constructor(allocations: readonly Allocation[], of: RefundItem['of']) {
    this.parts = allocations.filter(({ open: { part } }) =>
      'id' in of ? part.id === of.id : part.merchantId === of.merchantId,
    );
  }

  offerOf(externalId: string): Offer {
    const known = this.#offers.get(externalId);
    if (known) return known;
    const stocks = Array.from(this.#partsWith?.get(externalId) ?? []).flatMap((part) => {
      const stock = part.stockOf(externalId);
      return stock ? [{ part, stock }] : [];
    });
    const highest = stocks.reduce((most, { stock: { highestPriceMinor: price } }) => (price > most ? price : most), 0n);
    const offer = { highestPriceMinor: highest, stocks, first: 0 };
    this.#offers.set(externalId, offer);
    return offer;
  }

  /** Before offers are asked for. */
  *prepare(): Steps<void> {
    if (this.#partsWith) return;
    this.#partsWith = new Map();
    for (const part of this.parts) {
      yield;
      part.prepare();
      for (const { externalId } of part.open.products) {
        const parts = this.#partsWith.get(externalId);
        if (parts) parts.add(part);
        else this.#partsWith.set(externalId, new Set([part]));
      }
    }
  }
}

const productsOfStep = 50;

function* allocateItem(target: Target, { of, by }: RefundItem, field: string): Steps<Fault[]> {
  if (target.parts.length === 0) {
    return 'id' in of
      ? [notValid(`${field}.id`, 'child_of_transaction')]
      : [notValid(`${field}.merchantId`, 'seller_of_transaction')];
  }
  if ('amountMinor' in by) return allocateAmount(target.parts, by.amountMinor, `${field}.amount`);
  yield* target.prepare();
  const faults: Fault[] = [];
  for (const [index, product] of by.products.entries()) {
    if (index % productsOfStep === 0) yield;
    faults.push(...allocateProduct(target.offerOf(product.externalId), product, `${field}.products.${index}`));
  }
  return faults;
}

function fault(kind: RefusalCode | FailureKind, field: string, message: string): Fault {
  return typeof kind === 'string' ? { code: kind, field, message } : { ...kind, field, message };
}

/** From the children in order. */
function allocateAmount(named: readonly Allocation[], amountMinor: bigint, field: string): Fault[] {
  let rest = amountMinor;
  for (const part of named) {
    const amount = part.leftMinor < rest ? part.leftMinor : rest;
    part.amountMinor += amount;
    rest -= amount;
  }
  return rest > 0n ? [fault(refundExceedsPaid, field, `Only ${amountMinor - rest} cents are left to refund.`)] : [];
}

/**
 * From the children in order, and of each from the lines with the nearest price: a lower price than the product's
 * refunds a part of it.
 */
function allocateProduct(offer: Offer, { quantity, unitPriceMinor }: RefundedProduct, field: string): Fault[] {
  const { stocks, highestPriceMinor: highest } = offer;
  if (stocks.length === 0) return [notValid(`${field}.externalId`, 'product_of_child')];
  if (unitPriceMinor > highest) return [notValid(`${field}.unitPrice`, 'price_at_most', { cents: String(highest) })];
  let rest = quantity;
  for (let at = offer.first; rest > 0n; at += 1) {
    const from = stocks[at];
    if (!from) break;
    rest = from.part.allocate(from.stock, rest, unitPriceMinor);
    if (at === offer.first && isUsedUp(from.stock)) offer.first += 1;
  }
  if (rest === 0n) return [];
  const limit = stocks.slice(offer.first).some(({ stock }) => !isUsedUp(stock)) ? ' at this price' : '';
  const message = `Only ${quantityText(quantity - rest)} of the product is left to refund${limit}.`;
  return [fault(refundExceedsPaid, `${field}.quantity`, message)];
}

function isUsedUp({ open, next }: Stock): boolean {
  return usable(next, 0) >= open.length;
}

/** The rounded amount of products must be at least a cent, and fit into what is left of the child. */
function partFaults(allocation: Allocation): Fault[] {
  const { open, lines, totalMinor } = allocation;
  const leftMinor = open.part.amountMinor - open.goneMinor;
  if (lines.length > 0 && totalMinor === 0n) return [fault('too_low', 'childTransactions', tooLittle(allocation))];
  if (totalMinor <= leftMinor) return [];
  return [fault(refundExceedsPaid, 'childTransactions', `Only ${leftMinor} cents are left of child ${open.part.id}.`)];
}

function tooLittle({ open: { part, productsMinor, productsValue } }: Allocation): string {
  const why =
    productsMinor * quantityScale > productsValue ? ', because earlier refunds of its products were rounded up' : '';
  return `The products of child ${part.id} come to less than one cent${why}.`;
}

/** Millionths as a decimal, without trailing zeros. */
export function quantityText(quantity: bigint): string {
  const whole = quantity / quantityScale;
  const fraction = String(quantity % quantityScale)
    .padStart(6, '0')
    .replace(/0{1,6}$/, '');
  return fraction === '' ? String(whole) : `${whole}.${fraction}`;
}
