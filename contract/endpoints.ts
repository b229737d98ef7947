// The table of all endpoints. OpenAPI, the reference page and the tests of the contract come from it.

import type { Endpoint } from './endpoint.ts';
import { authorize, tokenInfo } from './oauth.ts';
import { getIdempotency, healthLive, healthReady } from './platform.ts';
import { createTransaction, getTransaction, listTransactions } from './transactions.ts';

export const endpoints: readonly Endpoint[] = [
  authorize,
  tokenInfo,
  createTransaction,
  getTransaction,
  listTransactions,
  getIdempotency,
  healthLive,
  healthReady,
];
