// All screens behind sign-in, in the order of the navigation: each says in its own folder (screens/<name>/routes.ts) where
// it is, who may use it, and what opens it. A section opens its first tab.

import { IconBuildingStore, IconCode, IconCoins, IconRepeat, IconSettings, IconTool } from '@tabler/icons-react';
import type { Screen } from './menu/screen.ts';
import { account } from './screens/account/routes.ts';
import { accounts } from './screens/accounts/routes.ts';
import { audit } from './screens/audit/routes.ts';
import { bank } from './screens/bank/routes.ts';
import { keys } from './screens/keys/routes.ts';
import { ledger } from './screens/ledger/routes.ts';
import { marketplace } from './screens/marketplace/routes.ts';
import { notifications } from './screens/notifications/routes.ts';
import { overview } from './screens/overview/routes.ts';
import { parked } from './screens/parked/routes.ts';
import { payoutBatches } from './screens/payout-batches/routes.ts';
import { payouts } from './screens/payouts/routes.ts';
import { pos } from './screens/pos/routes.ts';
import { profile } from './screens/profile/routes.ts';
import { recurring } from './screens/recurring/routes.ts';
import { refunds } from './screens/refunds/routes.ts';
import { requests } from './screens/requests/routes.ts';
import { routing } from './screens/routing/routes.ts';
import { safeguarding } from './screens/safeguarding/routes.ts';
import { operatorSandbox, sandbox } from './screens/sandbox/routes.ts';
import { sellers } from './screens/sellers/routes.ts';
import { settlements } from './screens/settlements/routes.ts';
import { statements } from './screens/statements/routes.ts';
import { transactions } from './screens/transactions/routes.ts';
import { users } from './screens/users/routes.ts';
import { verify } from './screens/verify/routes.ts';
import { wallet } from './screens/wallet/routes.ts';
import { works } from './screens/works/routes.ts';

export const screens: readonly Screen[] = [
  ...overview,
  ...transactions,
  ...refunds,
  { path: '/recurring', name: 'recurring', icon: IconRepeat, key: 'c', who: 'account' },
  ...recurring,
  { path: '/marketplace', name: 'marketplace', icon: IconBuildingStore, key: 'k', who: 'marketplace' },
  ...marketplace,
  ...sellers,
  { path: '/money', name: 'money', icon: IconCoins, key: 'm', who: 'account' },
  ...ledger,
  ...statements,
  ...payouts,
  ...settlements,
  { path: '/developers', name: 'developers', icon: IconCode, key: 'd', who: 'account' },
  ...requests,
  ...notifications,
  ...keys,
  ...sandbox,
  { path: '/settings', name: 'settings', icon: IconSettings, key: 's', who: 'anyone' },
  ...account,
  ...pos,
  ...wallet,
  ...users,
  ...audit,
  { path: '/operator', name: 'operator', icon: IconTool, key: 'p', who: 'operator' },
  ...accounts,
  ...parked,
  ...payoutBatches,
  ...bank,
  ...works,
  ...verify,
  ...routing,
  ...safeguarding,
  ...operatorSandbox,
  ...profile,
];
