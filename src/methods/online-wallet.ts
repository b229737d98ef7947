// A wallet of a third party that payers sign in to. It does not support refunds (docs/decisions.md 4).

import { describeRedirect } from './describe.ts';

export const onlineWallet = describeRedirect('online_wallet', {});
