// grosz payouts: what a run would do, doing it, and canceling a payout.

import { payoutStopSentences } from '../../contract/codes/english/payouts.ts';
import { sentenceOf } from '../../contract/codes/message.ts';
import { type AccountId, decimalText, isUlid } from '../kernel/index.ts';
import { beginRun, cancelCreated, findPayout, type Payout, planRun, runOnePage } from '../payouts/index.ts';
import { StartFault } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';
import { changing } from './changing.ts';
import type { Invocation } from './command.ts';

async function plan({ print }: Invocation, tools: Tools): Promise<void> {
  let [paid, total] = [0, 0n];
  for await (const page of planRun(tools)) {
    for (const { accountId, name, availableMinor, outcome } of page) {
      const what =
        typeof outcome === 'bigint'
          ? `would be paid ${decimalText(outcome)}`
          : `not paid: ${sentenceOf(payoutStopSentences, outcome)}`;
      print(`${accountId}  ${name}  balance ${decimalText(availableMinor)}  ${what}`);
      if (typeof outcome !== 'bigint') continue;
      paid += 1;
      total += outcome;
    }
  }
  print(`${paid} payouts, ${decimalText(total)} PLN. Nothing was moved.`);
}

async function run({ print }: Invocation, tools: Tools): Promise<void> {
  if (!(await beginRun(tools))) throw new StartFault('Banks are closed today: there is no run.');
  let decided = 0;
  for (let count = await runOnePage(tools); count > 0; count = await runOnePage(tools)) decided += count;
  print(decided === 0 ? 'The run of today has ended, or another process is at it.' : 'The run of today has ended.');
}

async function cancel({ print }: Invocation, tools: Tools, { id }: Payout): Promise<void> {
  const canceled = await tools.db.atomic((sql) =>
    cancelCreated(tools, sql, [id], { code: 'canceled_by_operator', parameters: {} }),
  );
  if (canceled.length > 0) return print(`Payout ${id} is canceled: its balance has the money again.`);
  const state = (await findPayout(tools.db.sql, id))?.state;
  throw new StartFault(`Payout ${id} is ${state}: only a created one can be canceled.`);
}

/** The actions of this file. */
export const runWords = { plan: 0, run: 0 } as const;

export const isPayout = async ({ db }: Tools, [, id = '']: readonly string[]) =>
  isUlid(id) && (await findPayout(db.sql, id)) !== undefined;

export async function runPayouts(invocation: Invocation, tools: Tools): Promise<void> {
  const [name = '', text = ''] = invocation.words;
  if (name === 'plan') return plan(invocation, tools);
  const command = 'payouts';
  const audit = (action: string, accountId: AccountId | null, work: () => Promise<void>) =>
    changing(tools, invocation, { command, action, accountId }, work);
  if (name === 'run') return audit('run_payouts', null, () => run(invocation, tools));
  const found = isUlid(text) ? await findPayout(tools.db.sql, text) : undefined;
  if (!found) throw new StartFault(`There is no payout "${text}".`);
  return audit('cancel_payout', found.accountId, () => cancel(invocation, tools, found));
}
