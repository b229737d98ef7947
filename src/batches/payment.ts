// What a payment file has of a payout.

import { type Payment, titleOf } from '../bankfiles/index.ts';
import { openNumberOf, type Payout } from '../payouts/index.ts';
import type { Tools } from '../tools.ts';

const title = 'Wypłata';

export function paymentOf(vault: Tools['vault'], payout: Payout): Payment {
  const { id, amountMinor, holder } = payout;
  const payeeIban = openNumberOf(vault, payout).reveal();
  return { reference: id, amountMinor, payeeName: holder, payeeIban, title: titleOf(id, title) };
}
