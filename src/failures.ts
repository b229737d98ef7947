// Every error code of the service, for its documentation.

import { batchesFailures } from './batches/index.ts';
import { cardsFailures } from './cards/index.ts';
import { httpFailures } from './http/index.ts';
import { identityFailures } from './identity/index.ts';
import type { FailureKind } from './kernel/index.ts';
import { ledgerFailures } from './ledger/index.ts';
import { methodsFailures } from './methods/index.ts';
import { payoutsFailures } from './payouts/index.ts';
import { recurringFailures } from './recurring/index.ts';
import { refundsFailures } from './refunds/index.ts';
import { sandboxFailures } from './sandbox/index.ts';
import { transactionsFailures } from './transactions/index.ts';
import { treasuryFailures } from './treasury/index.ts';
import { walletFailures } from './wallet/index.ts';

/** Several statuses may share a code. */
export const allFailures: readonly FailureKind[] = [
  ...httpFailures,
  ...ledgerFailures,
  ...walletFailures,
  ...cardsFailures,
  ...methodsFailures,
  ...transactionsFailures,
  ...refundsFailures,
  ...recurringFailures,
  ...payoutsFailures,
  ...treasuryFailures,
  ...batchesFailures,
  ...identityFailures,
  ...sandboxFailures,
];
