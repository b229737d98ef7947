// The table of all endpoints. OpenAPI, the reference page and the contract tests are derived from it.

import { getCardKey } from './cards.ts';
import type { Endpoint } from './endpoint.ts';
import { eventEndpoints } from './events.ts';
import { authorize, tokenInfo } from './oauth.ts';
import { getIdempotency, healthLive, healthReady } from './platform.ts';
import { recurringEndpoints } from './recurring.ts';
import { refundEndpoints } from './refunds.ts';
import { sandboxEndpoints } from './sandbox.ts';
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
  ...eventEndpoints,
  getIdempotency,
  ...sandboxEndpoints,
  healthLive,
  healthReady,
];
