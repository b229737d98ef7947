// All screens behind sign-in. A screen is one line here and a folder in screens/; its name is in menu/words.en.ts.

import {
  IconArrowBackUp,
  IconBuildingStore,
  IconCode,
  IconCoins,
  IconLayoutDashboard,
  IconListDetails,
  IconRepeat,
  IconSettings,
  IconTool,
} from '@tabler/icons-react';
import type { FunctionComponent } from 'react';
import type { Who } from './api/session.ts';
import type { KeyOf } from './language/text.ts';
import type { screenText } from './menu/words.ts';

export type Icon = typeof IconTool;

export interface Screen {
  /** Without `/panel`; `$name` is a part that a screen reads by `usePathPart`. */
  readonly path: string;
  readonly name: KeyOf<typeof screenText>;
  /** Without it, the screen is a section that opens its first tab. */
  readonly load?: () => Promise<{ readonly default: FunctionComponent }>;
  readonly who: Who;
  /** In the main navigation. */
  readonly icon?: Icon;
  /** The section whose tab it is. */
  readonly under?: string;
  /** Opens it after `g`. */
  readonly key?: string;
}

export const screens: readonly Screen[] = [
  {
    path: '/',
    name: 'overview',
    icon: IconLayoutDashboard,
    key: 'o',
    who: 'account',
    load: () => import('./screens/overview/screen.tsx'),
  },
  {
    path: '/transactions',
    name: 'transactions',
    icon: IconListDetails,
    key: 't',
    who: 'account',
    load: () => import('./screens/transactions/list.tsx'),
  },
  {
    path: '/transactions/new',
    name: 'newPayment',
    who: 'write',
    load: () => import('./screens/transactions/new/new.tsx'),
  },
  {
    path: '/transactions/$transactionId',
    name: 'transactions',
    who: 'account',
    load: () => import('./screens/transactions/one/one.tsx'),
  },
  {
    path: '/refunds',
    name: 'refunds',
    icon: IconArrowBackUp,
    key: 'r',
    who: 'account',
    load: () => import('./screens/refunds/list.tsx'),
  },
  { path: '/refunds/$refundId', name: 'refunds', who: 'account', load: () => import('./screens/refunds/one.tsx') },
  { path: '/recurring', name: 'recurring', icon: IconRepeat, key: 'c', who: 'account' },
  {
    path: '/recurring/all',
    name: 'recurringList',
    under: '/recurring',
    who: 'account',
    load: () => import('./screens/recurring/list.tsx'),
  },
  {
    path: '/recurring/calendar',
    name: 'calendar',
    under: '/recurring',
    who: 'account',
    load: () => import('./screens/recurring/calendar.tsx'),
  },
  {
    path: '/recurring/$recurringId',
    name: 'recurring',
    who: 'account',
    load: () => import('./screens/recurring/one.tsx'),
  },
  { path: '/marketplace', name: 'marketplace', icon: IconBuildingStore, key: 'k', who: 'marketplace' },
  {
    path: '/marketplace/transactions',
    name: 'marketTransactions',
    under: '/marketplace',
    who: 'marketplace',
    load: () => import('./screens/marketplace/list.tsx'),
  },
  {
    path: '/marketplace/transactions/$transactionId',
    name: 'marketTransactions',
    who: 'marketplace',
    load: () => import('./screens/marketplace/one.tsx'),
  },
  {
    path: '/marketplace/sellers',
    name: 'sellers',
    under: '/marketplace',
    who: 'marketplace',
    load: () => import('./screens/sellers/list.tsx'),
  },
  {
    path: '/marketplace/sellers/$accountId',
    name: 'sellers',
    who: 'marketplace',
    load: () => import('./screens/sellers/one.tsx'),
  },
  { path: '/money', name: 'money', icon: IconCoins, key: 'm', who: 'account' },
  {
    path: '/money/ledger',
    name: 'ledger',
    under: '/money',
    who: 'account',
    load: () => import('./screens/ledger/list.tsx'),
  },
  {
    path: '/money/statements',
    name: 'statements',
    under: '/money',
    who: 'account',
    load: () => import('./screens/statements/screen.tsx'),
  },
  { path: '/developers', name: 'developers', icon: IconCode, key: 'd', who: 'account' },
  {
    path: '/developers/requests',
    name: 'requests',
    under: '/developers',
    who: 'account',
    load: () => import('./screens/requests/list.tsx'),
  },
  {
    path: '/developers/requests/$requestId',
    name: 'requests',
    who: 'account',
    load: () => import('./screens/requests/one.tsx'),
  },
  {
    path: '/developers/notifications',
    name: 'notifications',
    under: '/developers',
    key: 'n',
    who: 'account',
    load: () => import('./screens/notifications/list.tsx'),
  },
  {
    path: '/developers/notifications/$eventId',
    name: 'notifications',
    who: 'account',
    load: () => import('./screens/notifications/one.tsx'),
  },
  {
    path: '/developers/keys',
    name: 'keys',
    under: '/developers',
    who: 'accountOwner',
    load: () => import('./screens/keys/list.tsx'),
  },
  {
    path: '/developers/sandbox',
    name: 'sandbox',
    under: '/developers',
    who: 'sandbox',
    load: () => import('./screens/sandbox/screen.tsx'),
  },
  { path: '/settings', name: 'settings', icon: IconSettings, key: 's', who: 'anyone' },
  {
    path: '/settings/account',
    name: 'account',
    under: '/settings',
    who: 'account',
    load: () => import('./screens/account/screen.tsx'),
  },
  {
    path: '/settings/pos',
    name: 'pos',
    under: '/settings',
    who: 'account',
    load: () => import('./screens/pos/list.tsx'),
  },
  {
    path: '/settings/wallet',
    name: 'wallet',
    under: '/settings',
    who: 'account',
    load: () => import('./screens/wallet/screen.tsx'),
  },
  {
    path: '/settings/users',
    name: 'users',
    under: '/settings',
    key: 'u',
    who: 'owner',
    load: () => import('./screens/users/list.tsx'),
  },
  {
    path: '/settings/audit',
    name: 'audit',
    under: '/settings',
    key: 'a',
    who: 'owner',
    load: () => import('./screens/audit/list.tsx'),
  },
  { path: '/operator', name: 'operator', icon: IconTool, key: 'p', who: 'operator' },
  {
    path: '/operator/accounts',
    name: 'accounts',
    under: '/operator',
    who: 'operator',
    load: () => import('./screens/accounts/list.tsx'),
  },
  {
    path: '/operator/accounts/$accountId',
    name: 'accounts',
    who: 'operator',
    load: () => import('./screens/accounts/one.tsx'),
  },
  {
    path: '/operator/parked',
    name: 'parked',
    under: '/operator',
    who: 'operator',
    load: () => import('./screens/parked/list.tsx'),
  },
  {
    path: '/operator/works',
    name: 'works',
    under: '/operator',
    who: 'operator',
    load: () => import('./screens/works/screen.tsx'),
  },
  {
    path: '/operator/verify',
    name: 'verify',
    under: '/operator',
    who: 'operator',
    load: () => import('./screens/verify/screen.tsx'),
  },
  {
    path: '/operator/sandbox',
    name: 'sandbox',
    under: '/operator',
    who: 'sandboxOperator',
    load: () => import('./screens/sandbox/screen.tsx'),
  },
  { path: '/profile', name: 'profile', key: 'i', who: 'anyone', load: () => import('./screens/profile/screen.tsx') },
];
