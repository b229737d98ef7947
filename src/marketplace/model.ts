// The domain types of this room, independent of SQL and the wire.

import type { AccountId, PosId } from '../kernel/index.ts';
import type { TransactionCommand } from '../transactions/index.ts';

/** A line of the cart of a child. */
export interface Product {
  readonly externalId: string;
  readonly name: string;
  /** In millionths: exact, where a double is not. */
  readonly quantity: bigint;
  readonly unitPriceMinor: bigint;
}

/** A child as requested. */
export interface NewChild {
  readonly merchantId: AccountId;
  readonly amountMinor: bigint;
  readonly commissionMinor: bigint;
  readonly description: string;
  readonly hiddenDescription: string;
  readonly products: readonly Product[];
}

export interface MarketplaceCommand {
  readonly posId: PosId;
  /** Its amount is the sum of the children. */
  readonly transaction: TransactionCommand;
  readonly children: readonly NewChild[];
  /** Whether the payer gets a mail. */
  readonly mail: boolean;
}

/** What a refund by products takes. */
export interface RefundedProduct {
  readonly externalId: string;
  readonly quantity: bigint;
  readonly unitPriceMinor: bigint;
}

/** One item of a refund: a child, or all children of a seller, by amount or by products. */
export interface RefundItem {
  readonly of: { readonly id: string } | { readonly merchantId: string };
  readonly by: { readonly amountMinor: bigint } | { readonly products: readonly RefundedProduct[] };
}

export type RequestedRefund =
  | { readonly kind: 'full' }
  | { readonly kind: 'items'; readonly items: readonly RefundItem[] };
