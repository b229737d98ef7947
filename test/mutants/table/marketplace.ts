// Mutants of marketplace: lines as they stand, plausible bugs, and the tests that notice them.

import type { Mutant } from '../mutant.ts';

export const marketplaceMutants: readonly Mutant[] = [
  {
    file: 'src/marketplace/create.ts',
    line: "else if (!pos.active || !pos.verified) faults.push(posFault('The point of sale must be active and verified.'));",
    instead: '',
    bug: 'a cart at a point of sale that is switched off',
    tests: { 'test/marketplace/create.test.ts': ['points of sale'] },
  },
  {
    file: 'src/marketplace/create.ts',
    line: 'const page = command.mail && tools.sendsMail ? await findPage(tools, partner.id) : undefined;',
    instead: 'const page = tools.sendsMail ? await findPage(tools, partner.id) : undefined;',
    bug: 'a payer gets a mail that the partner did not want',
    tests: { 'test/marketplace/create.test.ts': ['no mail if none is wanted'] },
  },
  {
    file: 'src/marketplace/create.ts',
    line: "return transaction?.origin === 'marketplace' ? transaction : refuse('not_found');",
    instead: "return transaction ?? refuse('not_found');",
    bug: 'an ordinary transaction is paid as a cart',
    tests: { 'test/marketplace/pay.test.ts': ['404: foreign, standard and malformed ids'] },
  },
  {
    file: 'src/marketplace/methods.ts',
    line: 'if (blocked.length > 0) throw new Refusal(blocked.map(({ id }) => blockedFault(id, field(id))));',
    instead: '',
    bug: 'a cart with a blocked seller is created',
    tests: { 'test/marketplace/create.test.ts': ['blocked sellers'] },
  },
  {
    file: 'src/marketplace/methods.ts',
    line: 'const common = (first?.channels ?? []).filter((id) => others.every(({ channels }) => channels.includes(id)));',
    instead:
      'const common = (first?.channels ?? []).filter((id) => others.some(({ channels }) => channels.includes(id)));',
    bug: 'a cart can be paid by a method that one seller lacks',
    tests: { 'test/marketplace/bank-groups.test.ts': ['200: the intersection, in every spelling'] },
  },
  {
    file: 'src/marketplace/pay.ts',
    line: 'if (!channels.includes(channelId))',
    instead: 'if (channels.length === 0)',
    bug: 'M2 pays by a method that one seller lacks',
    tests: { 'test/marketplace/pay.test.ts': ['a method that one seller lacks'] },
  },
  {
    file: 'src/marketplace/routes.ts',
    line: "if (origin !== 'marketplace') refuse('not_found');",
    instead: '',
    bug: 'M5 cancels an ordinary transaction',
    tests: { 'test/marketplace/cancel.test.ts': ['404: foreign, standard and malformed ids'] },
  },
  {
    file: 'src/marketplace/rules.ts',
    line: 'return missing < amountMinor ? missing : amountMinor;',
    instead: 'return missing;',
    bug: 'a refund returns more commission than it takes from the seller',
    tests: {
      'src/marketplace/rules.test.ts': ['commission that is missing is made up for only as far as the refund goes'],
    },
  },
  {
    file: 'src/marketplace/store/transactions.ts',
    line: "return sqlPart`merchant_id = ${partnerId} and origin = 'marketplace'",
    instead: "return sqlPart`origin = 'marketplace'",
    bug: 'a partner lists the carts of others',
    tests: { 'test/marketplace/list.test.ts': ['200: everything', '200: ?limit=1'] },
  },
];
