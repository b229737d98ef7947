// A wallet of a third party that payers sign in to. It does not support refunds (docs/api.md#paying-on-site).

import { describeRedirect } from './describe.ts';

export const onlineWallet = describeRedirect('online_wallet', {});
