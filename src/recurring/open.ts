import type { Callback } from '../acquirer/index.ts';
import type { Work } from '../platform/index.ts';
import type { Tools } from '../tools.ts';
import type { Transactions } from '../transactions/index.ts';
import { receiveRecurringCallback } from './callback.ts';
import { chargeDue, dueRecurring } from './charge.ts';
import { addCounts, nextCount } from './counts.ts';
import { parkedCharges } from './decide.ts';
import { openTurns } from './fairness.ts';
import { dueCharges, lookUpCharges } from './look-up.ts';
import { Pace } from './pace.ts';
import { recurringRoutes } from './routes.ts';
import { openSettle } from './settle.ts';
import { attemptsDue, recurringDue } from './store/attempts.ts';
import type { RecurringTools } from './tools.ts';
import { verifyRecurring } from './verify.ts';

export function openRecurring(
  base: Tools,
  { drawTitle, sendsMail }: Pick<Transactions, 'drawTitle'> & { readonly sendsMail: boolean },
) {
  const tools: RecurringTools = {
    ...base,
    pace: new Pace(base.wall, base.config.chargesPerSecond),
    turns: openTurns(),
    drawTitle,
    sendsMail,
    settle: openSettle({ ...base, sendsMail }),
  };
  return {
    name: 'recurring',
    routes: recurringRoutes(tools),
    works: worksOf(tools),
    callback: (callback: Callback) => receiveRecurringCallback(tools, callback),
    parked: parkedCharges(tools),
    verify: () => verifyRecurring(tools),
  };
}

const countedAtOnce = 10_000;

function worksOf(tools: RecurringTools): Work[] {
  const { sql } = tools.db;
  return [
    {
      name: 'charge recurring payments',
      run: () => chargeDue(tools),
      waiting: () => dueRecurring(tools),
      nextAt: () => recurringDue.next(sql),
    },
    {
      name: 'look up charges',
      run: () => lookUpCharges(tools),
      waiting: () => dueCharges(tools),
      nextAt: () => attemptsDue.next(sql),
    },
    {
      name: 'count recurring payments',
      run: () => addCounts(tools, countedAtOnce),
      setSize: countedAtOnce,
      nextAt: () => nextCount(tools),
    },
  ];
}
