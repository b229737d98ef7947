// grosz settlement: settlements of any account, and making them by hand.

import { type AccountId, decimalText, idFrom } from '../kernel/index.ts';
import type { Service } from '../open.ts';
import { StartFault } from '../runtime/index.ts';
import { listAccountIdsAfter, listSettlements } from '../settlements/index.ts';
import { withService } from './books.ts';
import { changing } from './changing.ts';
import type { Command, Invocation } from './command.ts';

const shownAtMost = 100;
const accountsAtOnce = 1_000;

function accountIdOf(text: string): AccountId {
  return idFrom<AccountId>(text) ?? fail(`"${text}" is no id of an account. See: grosz merchant list`);
}

function fail(message: string): never {
  throw new StartFault(message);
}

async function list({ tools }: Service, { words: [, text = ''], print }: Invocation): Promise<void> {
  const settlements = await listSettlements(tools.db.sql, accountIdOf(text), shownAtMost, 0);
  if (settlements.length === 0) print('There are none.');
  for (const { id, number, reason, openingMinor, closingMinor, lines, firstAt, lastAt } of settlements)
    print(
      `${id}  no. ${number}  ${reason}  ${decimalText(openingMinor)} -> ${decimalText(closingMinor)}  ${lines} lines  ${firstAt} to ${lastAt}`,
    );
}

/** Of one account, or of all of them in pages: as of everything that is booked by now. */
async function cut({ rooms, tools }: Service, invocation: Invocation): Promise<void> {
  const [, text] = invocation.words;
  const only = text === undefined ? undefined : accountIdOf(text);
  await rooms.ledger.seal();
  await rooms.panel.sumUp();
  let made = 0;
  for (let after = ''; ; ) {
    const ids = only === undefined ? await listAccountIdsAfter(tools.db.sql, after, accountsAtOnce) : [only];
    const settlements = await rooms.settlements.cut(ids);
    if (!settlements) fail('Another process makes settlements just now. Try again.');
    made += settlements.length;
    const last = ids.at(-1);
    if (only !== undefined || last === undefined || ids.length < accountsAtOnce) break;
    after = last;
  }
  invocation.print(`Made ${made} settlements.`);
}

export const settlement: Command = {
  name: 'settlement',
  summary: 'Lists and makes settlements.',
  usage: 'list ACCOUNT_ID | cut [ACCOUNT_ID]',
  details: `A settlement has every change of an account's balance since the one before it. Each payout makes one, and so does a month
without a payout.
  list  the last ${shownAtMost} of an account
  cut   makes one now, for an account or for all of them; an account without a change since its last one gets none, and one
        whose payout waits for its own gets that first`,
  options: {},
  words: { list: 1, cut: 1 },
  run: (invocation) =>
    withService(invocation, 'settlement', async (service) => {
      const [action = ''] = invocation.words;
      if (action === 'list') return list(service, invocation);
      if (action !== 'cut') fail(`Missing or unknown action. Usage: grosz settlement ${settlement.usage}`);
      const [, text] = invocation.words;
      const accountId = text === undefined ? null : accountIdOf(text);
      const change = { command: 'settlement', action: 'cut_settlement', accountId };
      return changing(service.tools, invocation, change, () => cut(service, invocation));
    }),
};
