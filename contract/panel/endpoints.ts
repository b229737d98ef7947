// The table of the panel's own endpoints. What merchants do through the API, the panel does through the same endpoints,
// under /panel/api/merchant and with the session cookie.

import type { Endpoint } from '../endpoint.ts';
import { developerEndpoints } from './developers.ts';
import { liveEndpoints } from './live.ts';
import { moneyEndpoints } from './money.ts';
import { operatorEndpoints } from './operator.ts';
import { overviewEndpoints } from './overview.ts';
import { payPageEndpoints } from './pay-page.ts';
import { panelRecurringEndpoints } from './recurring.ts';
import { sessionEndpoints } from './session.ts';
import { settingsEndpoints } from './settings.ts';
import { transactionEndpoints } from './transactions.ts';
import { userEndpoints } from './users.ts';
import { viewEndpoints } from './views.ts';
import { panelWalletEndpoints } from './wallet.ts';

export const panelEndpoints: readonly Endpoint[] = [
  ...sessionEndpoints,
  ...userEndpoints,
  ...overviewEndpoints,
  ...transactionEndpoints,
  ...moneyEndpoints,
  ...liveEndpoints,
  ...viewEndpoints,
  ...panelRecurringEndpoints,
  ...developerEndpoints,
  ...settingsEndpoints,
  ...payPageEndpoints,
  ...panelWalletEndpoints,
  ...operatorEndpoints,
];
