// A bank transfer, confirmed at the payer's bank.

import { describeRedirect, usualRefund } from './describe.ts';

/** The sandbox lets the payer choose a bank; a live acquirer asks for it on its own page. */
export const transfer = describeRedirect('transfer', { form: 'transfer', refund: usualRefund });
