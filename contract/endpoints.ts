// The table of all endpoints. OpenAPI, the reference page and the contract tests are derived from it.

import { sellerEndpoints } from './accounts.ts';
import { getCardKey } from './cards.ts';
import type { Endpoint } from './endpoint.ts';
import { eventEndpoints } from './events.ts';
import { marketplaceEndpoints } from './marketplace.ts';
import { authorize, tokenInfo } from './oauth.ts';
import { payoutEndpoints } from './payouts.ts';
import { getIdempotency, healthLive, healthReady } from './platform.ts';
import { getPrices } from './prices.ts';
import { recurringEndpoints } from './recurring.ts';
import { refundEndpoints } from './refunds.ts';
import { sandboxEndpoints } from './sandbox.ts';
import { settlementEndpoints } from './settlements.ts';
import {
  cancelTransaction,
  createTransaction,
  getTransaction,
  listBankGroups,
  listChannels,
  listTransactions,
  payTransaction,
} from './transactions.ts';
import { walletEndpoints } from './wallet.ts';

export const endpoints: readonly Endpoint[] = [
  authorize,
  tokenInfo,
  createTransaction,
  getTransaction,
  listTransactions,
  payTransaction,
  cancelTransaction,
  listChannels,
  listBankGroups,
  getCardKey,
  ...walletEndpoints,
  ...refundEndpoints,
  ...recurringEndpoints,
  ...sellerEndpoints,
  ...marketplaceEndpoints,
  ...payoutEndpoints,
  ...settlementEndpoints,
  getPrices,
  ...eventEndpoints,
  getIdempotency,
  ...sandboxEndpoints,
  healthLive,
  healthReady,
];
