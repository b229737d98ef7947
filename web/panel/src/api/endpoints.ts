// What the panel may call, by `METHOD /path`: types of the contract only, so that no schema is in the bundle. A new
// file of the contract is one line in the union.

import type { Static, TSchema } from 'typebox';
import type { sellerEndpoints } from '../../../../contract/accounts.ts';
import type { Endpoint } from '../../../../contract/endpoint.ts';
import type { eventEndpoints } from '../../../../contract/events.ts';
import type { sessionEndpoints } from '../../../../contract/identity/session.ts';
import type { userEndpoints } from '../../../../contract/identity/users.ts';
import type { marketplaceEndpoints } from '../../../../contract/marketplace.ts';
import type * as panelAccounts from '../../../../contract/panel/accounts.ts';
import type * as panelAudit from '../../../../contract/panel/audit.ts';
import type * as panelBank from '../../../../contract/panel/bank.ts';
import type { bankAccountEndpoints } from '../../../../contract/panel/bank-account.ts';
import type * as panelBatches from '../../../../contract/panel/batches.ts';
import type * as panelDevelopers from '../../../../contract/panel/developers.ts';
import type * as panelMoney from '../../../../contract/panel/money.ts';
import type * as panelOverview from '../../../../contract/panel/overview.ts';
import type * as panelParked from '../../../../contract/panel/parked.ts';
import type * as panelPayPage from '../../../../contract/panel/pay-page.ts';
import type * as panelReconciliations from '../../../../contract/panel/reconciliations.ts';
import type * as panelRecurring from '../../../../contract/panel/recurring.ts';
import type * as panelRouting from '../../../../contract/panel/routing.ts';
import type { safeguardingEndpoints } from '../../../../contract/panel/safeguarding.ts';
import type * as panelSettings from '../../../../contract/panel/settings.ts';
import type * as panelTransactions from '../../../../contract/panel/transactions.ts';
import type * as panelVerify from '../../../../contract/panel/verify.ts';
import type { viewEndpoints } from '../../../../contract/panel/views.ts';
import type { panelWalletEndpoints } from '../../../../contract/panel/wallet.ts';
import type * as panelWorks from '../../../../contract/panel/works.ts';
import type { payoutEndpoints } from '../../../../contract/payouts.ts';
import type { recurringEndpoints } from '../../../../contract/recurring.ts';
import type { refundEndpoints } from '../../../../contract/refunds.ts';
import type { sandboxEndpoints } from '../../../../contract/sandbox.ts';
import type { settlementEndpoints } from '../../../../contract/settlements.ts';
import type * as transactions from '../../../../contract/transactions.ts';
import type { walletEndpoints } from '../../../../contract/wallet.ts';

type OfModule<M> = Extract<M[keyof M], Endpoint>;

type Callable =
  | (typeof sessionEndpoints)[number]
  | (typeof userEndpoints)[number]
  | (typeof viewEndpoints)[number]
  | OfModule<typeof panelOverview>
  | OfModule<typeof panelMoney>
  | OfModule<typeof panelTransactions>
  | OfModule<typeof panelRecurring>
  | OfModule<typeof panelDevelopers>
  | OfModule<typeof panelSettings>
  | OfModule<typeof panelPayPage>
  | OfModule<typeof panelAudit>
  | OfModule<typeof panelAccounts>
  | OfModule<typeof panelParked>
  | OfModule<typeof panelWorks>
  | OfModule<typeof panelVerify>
  | OfModule<typeof panelReconciliations>
  | OfModule<typeof panelRouting>
  | OfModule<typeof panelBank>
  | OfModule<typeof panelBatches>
  | (typeof bankAccountEndpoints)[number]
  | (typeof safeguardingEndpoints)[number]
  | (typeof panelWalletEndpoints)[number]
  | OfModule<typeof transactions>
  | (typeof refundEndpoints)[number]
  | (typeof recurringEndpoints)[number]
  | (typeof sellerEndpoints)[number]
  | (typeof marketplaceEndpoints)[number]
  | (typeof eventEndpoints)[number]
  | (typeof walletEndpoints)[number]
  | (typeof sandboxEndpoints)[number]
  | (typeof payoutEndpoints)[number]
  | (typeof settlementEndpoints)[number];

type Table = { [E in Callable as `${E['method']} ${E['path']}`]: E };

/** For example `GET /panel/api/session`. Paths of the merchant API are as in its reference: `GET /transactions`. */
export type Name = keyof Table & string;
export type ReadName = Extract<Name, `GET ${string}`>;

type StaticOf<T> = T extends TSchema ? Static<T> : never;
type Part<E, Key extends string> = E extends { readonly [K in Key]: infer S } ? StaticOf<S> : never;
/** A part of the request is required when the endpoint has it, optional when all of it is. */
type Given<Key extends string, T> = [T] extends [never]
  ? { readonly [K in Key]?: undefined }
  : Partial<T> extends T
    ? { readonly [K in Key]?: T }
    : { readonly [K in Key]: T };

export type BodyOf<N extends Name> = Part<Table[N], 'body'>;
export type QueryOf<N extends Name> = Part<Table[N], 'query'>;
export type Request<N extends Name> = Given<'params', Part<Table[N], 'params'>> &
  Given<'query', QueryOf<N>> &
  Given<'body', BodyOf<N>>;

type Responses<E> = E extends { readonly responses: infer R } ? R[keyof R] : never;
/** The body of a success response. */
export type Answer<N extends Name> = StaticOf<Responses<Table[N]>>;
