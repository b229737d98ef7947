// The table of the panel's own endpoints. What merchants do through the API, the panel does through the same endpoints,
// under /panel/api/merchant and with the session cookie.

import type { Endpoint } from '../endpoint.ts';
import { sessionEndpoints } from '../identity/session.ts';
import { userEndpoints } from '../identity/users.ts';
import { accountEndpoints } from './accounts.ts';
import { auditEndpoints } from './audit.ts';
import { bankEndpoints } from './bank.ts';
import { bankAccountEndpoints } from './bank-account.ts';
import { batchEndpoints } from './batches.ts';
import { developerEndpoints } from './developers.ts';
import { liveEndpoints } from './live.ts';
import { moneyEndpoints } from './money.ts';
import { overviewEndpoints } from './overview.ts';
import { parkedEndpoints } from './parked.ts';
import { payPageEndpoints } from './pay-page.ts';
import { reconciliationEndpoints } from './reconciliations.ts';
import { panelRecurringEndpoints } from './recurring.ts';
import { routingEndpoints } from './routing.ts';
import { safeguardingEndpoints } from './safeguarding.ts';
import { settingsEndpoints } from './settings.ts';
import { transactionEndpoints } from './transactions.ts';
import { verifyEndpoints } from './verify.ts';
import { viewEndpoints } from './views.ts';
import { panelWalletEndpoints } from './wallet.ts';
import { workEndpoints } from './works.ts';

export const panelEndpoints: readonly Endpoint[] = [
  ...sessionEndpoints,
  ...userEndpoints,
  ...auditEndpoints,
  ...overviewEndpoints,
  ...transactionEndpoints,
  ...moneyEndpoints,
  ...liveEndpoints,
  ...viewEndpoints,
  ...panelRecurringEndpoints,
  ...developerEndpoints,
  ...settingsEndpoints,
  ...bankAccountEndpoints,
  ...payPageEndpoints,
  ...panelWalletEndpoints,
  ...accountEndpoints,
  ...parkedEndpoints,
  ...batchEndpoints,
  ...bankEndpoints,
  ...workEndpoints,
  ...verifyEndpoints,
  ...reconciliationEndpoints,
  ...routingEndpoints,
  ...safeguardingEndpoints,
];
