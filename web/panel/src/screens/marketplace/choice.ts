// From what somebody typed to the body of a refund. Every input is named by its place, so that faults find it.

import type { BodyOf } from '../../api/endpoints.ts';
import { ApiError } from '../../api/failure.ts';
import { centsOfText } from '../../language/cents.ts';
import type { Values } from '../../ui/form.tsx';
import type { MarketTransaction } from './status.tsx';

export type How = 'all' | 'products' | 'sellers';
export type RefundBody = BodyOf<'POST /marketplace/v1/transaction/{transactionId}/refund'>;
type Item = NonNullable<RefundBody['childTransactions']>[number];

export const productField = (child: number, product: number) => `product-${child}-${product}`;
export const sellerField = (merchantId: string) => `seller-${merchantId}`;

export interface Choice {
  readonly body: RefundBody;
  /** The input of each fault of the service, by the beginning of its field. */
  readonly inputs: ReadonlyMap<string, string>;
}

export interface Complaints {
  readonly nothingChosen: string;
  readonly notAmount: string;
  readonly notQuantity: string;
}

function complain(field: string, message: string): never {
  throw new ApiError(400, [{ code: '', message, field }], '');
}

export function sellersOf({ childTransactions }: MarketTransaction): readonly string[] {
  return [...new Set(childTransactions.map(({ merchant }) => merchant.id))];
}

export function choiceOf(how: How, transaction: MarketTransaction, values: Values, complaints: Complaints): Choice {
  if (how === 'all') return { body: {}, inputs: new Map() };
  const chosen =
    how === 'products' ? byProducts(transaction, values, complaints) : bySellers(transaction, values, complaints);
  if (chosen.items.length === 0) complain('', complaints.nothingChosen);
  return { body: { childTransactions: chosen.items }, inputs: chosen.inputs };
}

interface Chosen {
  readonly items: Item[];
  readonly inputs: Map<string, string>;
}

function byProducts({ childTransactions }: MarketTransaction, values: Values, { notQuantity }: Complaints): Chosen {
  const [items, inputs]: [Item[], Map<string, string>] = [[], new Map()];
  for (const [place, { id, products }] of childTransactions.entries()) {
    const given = products.flatMap(({ externalId, unitPrice }, number) => {
      const input = productField(place, number);
      const text = values(input).trim().replace(',', '.');
      if (text === '') return [];
      if (!/^\d+(\.\d+)?$/.test(text)) complain(input, notQuantity);
      return [{ input, product: { externalId, unitPrice, quantity: Number(text) } }];
    });
    for (const [number, { input }] of given.entries())
      inputs.set(`childTransactions.${items.length}.products.${number}`, input);
    if (given[0]) inputs.set(`childTransactions.${items.length}`, given[0].input);
    if (given.length > 0) items.push({ id, products: given.map(({ product }) => product) });
  }
  return { items, inputs };
}

function bySellers(transaction: MarketTransaction, values: Values, { notAmount }: Complaints): Chosen {
  const [items, inputs]: [Item[], Map<string, string>] = [[], new Map()];
  for (const merchantId of sellersOf(transaction)) {
    const input = sellerField(merchantId);
    const text = values(input).trim();
    if (text === '') continue;
    const amount = centsOfText(text);
    if (Number.isNaN(amount)) complain(input, notAmount);
    inputs.set(`childTransactions.${items.length}`, input);
    items.push({ merchantId, amount });
  }
  return { items, inputs };
}

/** The service's faults at the inputs that they are about. */
export function atInputs(error: unknown, { inputs }: Choice): unknown {
  if (!(error instanceof ApiError)) return error;
  const beginnings = [...inputs.keys()].toSorted((one, other) => other.length - one.length);
  const faults = error.faults.map((fault) => {
    const beginning = beginnings.find((start) => fault.field === start || fault.field.startsWith(`${start}.`));
    return { ...fault, field: (beginning && inputs.get(beginning)) ?? fault.field };
  });
  return new ApiError(error.status, faults, error.requestId, { retryAfterSeconds: error.retryAfterSeconds });
}
