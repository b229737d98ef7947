import type { WorkName } from '../../contract/codes/works.ts';
import type { Banking } from '../banking/index.ts';
import type { Verifying } from '../database/index.ts';
import type { Work } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';
import type { Transactions } from '../transactions/index.ts';
import { chargeDue, dueRecurring } from './charge.ts';
import { openTurns } from './fairness.ts';
import { Paces } from './pace.ts';
import { recurringRoutes } from './routes.ts';
import { recurringRoom } from './settle.ts';
import { recurringDue } from './store/attempts.ts';
import { recurringCounts } from './store/lists.ts';
import type { RecurringTools } from './tools.ts';
import { verifyRecurring } from './verify.ts';

export function openRecurring(
  base: Tools,
  { charges }: Banking,
  { drawTitle, sendsMail }: Pick<Transactions, 'drawTitle'> & { readonly sendsMail: boolean },
) {
  const charging = { ...base, drawTitle, sendsMail };
  const { settleAll } = charges.add('recurring', 'recurring settlement', recurringRoom(charging));
  const tools: RecurringTools = {
    ...charging,
    paces: new Paces(base.wall, limitsOf(base)),
    turns: openTurns(),
    settleAll,
  };
  return {
    name: 'recurring',
    routes: recurringRoutes(tools),
    works: worksOf(tools),
    verify: (verifying: Verifying) => verifyRecurring(tools, verifying),
  };
}

/** How many charges each acquirer is sent per second: as set, or as is usual for it. */
function limitsOf({ acquirers, config }: Tools): ReadonlyMap<string, number> {
  return new Map(
    acquirers.list.map(({ acquirer, chargesPerSecond = Number.POSITIVE_INFINITY }) => [
      acquirer.name,
      config.chargesPerSecond ?? chargesPerSecond,
    ]),
  );
}

const countedAtOnce = 10_000;

function worksOf(tools: RecurringTools): Work<WorkName>[] {
  const { sql } = tools.db;
  return [
    {
      name: 'charge_recurring',
      run: () => chargeDue(tools),
      waiting: () => dueRecurring(tools),
      nextAt: () => recurringDue.next(sql),
    },
    {
      name: 'count_recurring',
      run: () => recurringCounts.add(tools, countedAtOnce),
      setSize: countedAtOnce,
      // For moving the sandbox clock: until changes are added, lists read all of them.
      nextAt: async () => ((await recurringCounts.hasChanges(tools.db.sql)) ? tools.clock.now() : null),
    },
  ];
}
