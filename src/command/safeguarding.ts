// grosz safeguarding: whether what is held for clients covers what is owed to them.

import { decimalText } from '../kernel/index.ts';
import { balanceOf } from '../ledger/index.ts';
import { StartFault } from '../runtime/index.ts';
import { withService } from './books.ts';
import type { Command } from './command.ts';

export const safeguarding: Command = {
  name: 'safeguarding',
  summary: 'Compares the money held for clients with what is owed to them.',
  usage: '',
  details: `Held is what is on the bank account of clients' money and what acquirers owe. Owed is what belongs to accounts, payouts on their
way included, to payers, and what came that nobody knows what for. The exit code is 1 if anything is missing. What is held
beyond that is ours: fees that were not moved to our own account yet.`,
  options: {},
  words: 0,
  run: (invocation) =>
    withService(invocation, 'safeguarding', async ({ rooms }) => {
      await rooms.ledger.seal();
      const figure = await rooms.ledger.safeguarding();
      const { heldMinor, owedMinor, shortfallMinor, ownMinor, movableMinor } = balanceOf(figure);
      const rows: readonly (readonly [string, bigint])[] = [
        ['at the bank', figure.bankMinor],
        ['at acquirers', figure.acquirersMinor],
        ['held', heldMinor],
        ['owed to accounts', figure.accountsMinor],
        ['owed to payers', figure.payersMinor],
        ['nobody knows whose', figure.unknownMinor],
        ['owed', owedMinor],
        ['our own of it', ownMinor],
        ['of that at the bank', movableMinor],
      ];
      for (const [name, minor] of rows) invocation.print(`${name.padEnd(20)}${decimalText(minor).padStart(18)} PLN`);
      if (shortfallMinor > 0n)
        throw new StartFault(`${decimalText(shortfallMinor)} PLN of clients' money are missing.`);
    }),
};
