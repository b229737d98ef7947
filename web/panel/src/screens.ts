// All screens behind sign-in. A screen is one line here and a file in screens/; its name is in i18n/screens.ts.

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
import type { screenText } from './i18n/screens.ts';

export type Icon = typeof IconTool;

export interface Screen {
  /** Without `/panel`; `$name` is a part that a screen reads by `usePathPart`. */
  readonly path: string;
  readonly name: keyof typeof screenText;
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
    load: () => import('./screens/overview.tsx'),
  },
  {
    path: '/transactions',
    name: 'transactions',
    icon: IconListDetails,
    key: 't',
    who: 'account',
    load: () => import('./screens/transactions.tsx'),
  },
  { path: '/transactions/new', name: 'newPayment', who: 'write', load: () => import('./screens/transactions/new.tsx') },
  {
    path: '/transactions/$transactionId',
    name: 'transactions',
    who: 'account',
    load: () => import('./screens/transactions/one.tsx'),
  },
  {
    path: '/refunds',
    name: 'refunds',
    icon: IconArrowBackUp,
    key: 'r',
    who: 'account',
    load: () => import('./screens/refunds.tsx'),
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
    load: () => import('./screens/marketplace/transactions.tsx'),
  },
  {
    path: '/marketplace/transactions/$transactionId',
    name: 'marketTransactions',
    who: 'marketplace',
    load: () => import('./screens/marketplace/transaction.tsx'),
  },
  {
    path: '/marketplace/sellers',
    name: 'sellers',
    under: '/marketplace',
    who: 'marketplace',
    load: () => import('./screens/marketplace/sellers.tsx'),
  },
  {
    path: '/marketplace/sellers/$accountId',
    name: 'sellers',
    who: 'marketplace',
    load: () => import('./screens/marketplace/seller.tsx'),
  },
  { path: '/money', name: 'money', icon: IconCoins, key: 'm', who: 'account' },
  {
    path: '/money/ledger',
    name: 'ledger',
    under: '/money',
    who: 'account',
    load: () => import('./screens/money/ledger.tsx'),
  },
  {
    path: '/money/statements',
    name: 'statements',
    under: '/money',
    who: 'account',
    load: () => import('./screens/money/statements.tsx'),
  },
  { path: '/developers', name: 'developers', icon: IconCode, key: 'd', who: 'account' },
  {
    path: '/developers/requests',
    name: 'requests',
    under: '/developers',
    who: 'account',
    load: () => import('./screens/developers/requests.tsx'),
  },
  {
    path: '/developers/requests/$requestId',
    name: 'requests',
    who: 'account',
    load: () => import('./screens/developers/request.tsx'),
  },
  {
    path: '/developers/notifications',
    name: 'notifications',
    under: '/developers',
    key: 'n',
    who: 'account',
    load: () => import('./screens/developers/notifications.tsx'),
  },
  {
    path: '/developers/notifications/$eventId',
    name: 'notifications',
    who: 'account',
    load: () => import('./screens/developers/notification.tsx'),
  },
  {
    path: '/developers/keys',
    name: 'keys',
    under: '/developers',
    who: 'accountOwner',
    load: () => import('./screens/developers/keys.tsx'),
  },
  {
    path: '/developers/sandbox',
    name: 'sandbox',
    under: '/developers',
    who: 'sandbox',
    load: () => import('./screens/developers/sandbox.tsx'),
  },
  { path: '/settings', name: 'settings', icon: IconSettings, key: 's', who: 'anyone' },
  {
    path: '/settings/account',
    name: 'account',
    under: '/settings',
    who: 'account',
    load: () => import('./screens/settings/account.tsx'),
  },
  {
    path: '/settings/pos',
    name: 'pos',
    under: '/settings',
    who: 'account',
    load: () => import('./screens/settings/pos.tsx'),
  },
  {
    path: '/settings/wallet',
    name: 'wallet',
    under: '/settings',
    who: 'account',
    load: () => import('./screens/settings/wallet.tsx'),
  },
  {
    path: '/settings/users',
    name: 'users',
    under: '/settings',
    key: 'u',
    who: 'owner',
    load: () => import('./screens/users.tsx'),
  },
  {
    path: '/settings/audit',
    name: 'audit',
    under: '/settings',
    key: 'a',
    who: 'owner',
    load: () => import('./screens/audit.tsx'),
  },
  { path: '/operator', name: 'operator', icon: IconTool, key: 'p', who: 'operator' },
  {
    path: '/operator/accounts',
    name: 'accounts',
    under: '/operator',
    who: 'operator',
    load: () => import('./screens/operator/accounts.tsx'),
  },
  {
    path: '/operator/accounts/$accountId',
    name: 'accounts',
    who: 'operator',
    load: () => import('./screens/operator/account.tsx'),
  },
  {
    path: '/operator/parked',
    name: 'parked',
    under: '/operator',
    who: 'operator',
    load: () => import('./screens/operator/parked.tsx'),
  },
  {
    path: '/operator/works',
    name: 'works',
    under: '/operator',
    who: 'operator',
    load: () => import('./screens/operator/works.tsx'),
  },
  {
    path: '/operator/verify',
    name: 'verify',
    under: '/operator',
    who: 'operator',
    load: () => import('./screens/operator/verify.tsx'),
  },
  {
    path: '/operator/sandbox',
    name: 'sandbox',
    under: '/operator',
    who: 'sandboxOperator',
    load: () => import('./screens/developers/sandbox.tsx'),
  },
  { path: '/profile', name: 'profile', key: 'i', who: 'anyone', load: () => import('./screens/profile.tsx') },
];
