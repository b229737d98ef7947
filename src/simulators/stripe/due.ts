// What happens by itself when its time has come.

import { book } from './attempt.ts';
import { openDispute } from './disputes.ts';
import type { DueAction } from './model.ts';
import { decide, decidePage } from './payers.ts';
import { arrive, payOut } from './payouts.ts';
import { failRefund, succeedRefund } from './refunds.ts';
import { decideSetup } from './setups.ts';
import { type Context, find, plan } from './world.ts';

const daySeconds = 86_400;

/** What an earlier confirmation planned, or what is over, does nothing. */
export function happen(context: Context, action: DueAction): void {
  switch (action.kind) {
    case 'decide':
    case 'abandon':
      happenToIntent(context, action);
      return;
    case 'book': {
      const charge = find(context, 'charge', action.charge);
      if (charge?.object.balance_transaction === null) book(context, charge);
      return;
    }
    case 'refund succeeds':
    case 'refund fails':
      happenToRefund(context, action);
      return;
    case 'dispute': {
      const charge = find(context, 'charge', action.charge);
      if (charge && !charge.object.disputed) openDispute(context, charge, { reason: action.reason });
      return;
    }
    case 'payout arrives': {
      const payout = find(context, 'payout', action.payout);
      if (payout) arrive(context, payout);
      return;
    }
    case 'pay out':
      if (!context.settings.dailyPayouts) return;
      payOut(context);
      planDaily(context);
  }
}

function happenToIntent(context: Context, action: DueAction & { readonly kind: 'decide' | 'abandon' }): void {
  const setup = find(context, 'setup_intent', action.intent);
  if (setup?.hidden.attempt === action.attempt)
    decideSetup(context, setup, action.kind === 'decide' ? action.outcome : 'customer_timeout');
  const intent = find(context, 'payment_intent', action.intent);
  if (intent?.hidden.attempt !== action.attempt) return;
  if (action.kind === 'decide') decide(context, intent, action.outcome);
  else decidePage(context, intent, false);
}

function happenToRefund(context: Context, { kind, refund }: DueAction & { readonly refund: string }): void {
  const row = find(context, 'refund', refund);
  if (!row) return;
  if (kind === 'refund fails') failRefund(context, row);
  else succeedRefund(context, row);
}

/** At the next midnight. */
export function planDaily(context: Context): void {
  plan(context, daySeconds - (context.now % daySeconds), { kind: 'pay out', automatic: true });
}
