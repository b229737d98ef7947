// grosz acquirer: the acquirers of the installation, and whether they are set up as they must be.

import { isPassed } from '../../contract/codes/checks.ts';
import { checkSentences } from '../../contract/codes/english/checks.ts';
import { sentenceOf } from '../../contract/codes/message.ts';
import { listActivity, type OpenAcquirer, type RecurringKind, shownOffers, type Waited } from '../acquirer/index.ts';
import { decimalText } from '../kernel/index.ts';
import { StartFault } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';
import { warnOfUnnamed, withService } from './books.ts';
import type { Command, Invocation } from './command.ts';

type Action = (tools: Tools, invocation: Invocation, name: string) => Promise<void>;

const list: Action = async (tools, invocation) => {
  const { print } = invocation;
  await warnOfUnnamed(tools, invocation);
  const cameAt = new Map((await listActivity(tools.db.sql)).map(({ acquirer, callbackAt }) => [acquirer, callbackAt]));
  for (const one of tools.acquirers.list) {
    const { name, acquirer, account, takesNew, isNew } = one;
    const facts = [
      takesNew ? 'takes new charges' : 'switched off',
      isNew ? 'not used yet' : [],
      acquirer.name === name ? [] : `${acquirer.name} in the ledger`,
      account ?? [],
      one.receiver ? `last callback ${cameAt.get(name)?.toString({ smallestUnit: 'second' }) ?? 'never'}` : [],
    ];
    print(`${name}  ${facts.flat().join(', ')}`);
    for (const line of offersOf(one)) print(`  ${line}`);
  }
};

function offersOf({ acquirer: { offers } }: OpenAcquirer): string[] {
  if (!offers) return ['every method and amount'];
  return shownOffers(offers).map(
    ({ method, currency, leastMinor, mostMinor, fields, recurring, recurringMostMinor: limit }) =>
      [
        `${method}: ${decimalText(leastMinor)} to ${decimalText(mostMinor)} ${currency}`,
        fields === 'vendor' ? "in the acquirer's card form" : [],
        recurringShown(recurring, limit === null ? null : `${decimalText(limit)} ${currency}`),
      ]
        .flat()
        .join(', '),
  );
}

function recurringShown(kinds: readonly RecurringKind[], limit: string | null): string[] {
  if (kinds.length === 0) return [];
  const names = kinds.map((kind) => (kind === 'card' ? 'saved cards' : `model ${kind}`)).join(', ');
  return [limit === null ? `recurring: ${names}` : `recurring: ${names} up to ${limit}`];
}

const test: Action = async (tools, invocation, given) => {
  const { print } = invocation;
  const open = tools.acquirers.list.map((one) => one.name);
  const names = open.join(', ');
  const name = given === '' && open.length === 1 ? (open[0] ?? '') : given;
  if (name === '')
    throw new StartFault(`Which one? Open are: ${names}. For example: grosz acquirer test ${open[0] ?? 'NAME'}`);
  await warnOfUnnamed(tools, invocation);
  const found = tools.acquirers.list.find((one) => [one.name, one.acquirer.name].includes(name));
  if (!found?.check) throw new StartFault(`There is no acquirer ${name}. Open are: ${names}.`);
  const waited: Waited = {
    cameSince: async (at) => {
      const seen = (await listActivity(tools.db.sql)).find(({ acquirer }) => acquirer === found.name);
      return seen !== undefined && Temporal.Instant.compare(seen.callbackAt, at) >= 0;
    },
  };
  let failed = 0;
  for await (const check of found.check(waited)) {
    if (!isPassed(check)) failed += 1;
    print(`${isPassed(check) ? 'ok  ' : 'FIX '} ${check.code}: ${sentenceOf(checkSentences, check)}`);
  }
  if (failed > 0) throw new StartFault(`${failed} ${failed === 1 ? 'thing needs' : 'things need'} to be fixed.`);
};

const actions: Readonly<Record<string, Action>> = { list, test };

export const acquirer: Command = {
  name: 'acquirer',
  summary: 'Shows the acquirers, and tests whether one is set up as it must be.',
  usage: 'list | test [NAME]',
  details: `  list         those that are open, what they offer, and when each last sent anything
  test NAME    asks it whether everything is as it must be; without NAME the only one that is open. Of Stripe: account, currency, methods, clock, each permission,
               and whether an event reaches the running service; with test keys also a payment of the smallest amount
               that is created and canceled. Of http: whether it answers a lookup, and whether
               its offers can be read. No money moves.
Each line of a test has a code, and what to do about it. The exit code is 1 if anything needs to be fixed.
MODE and the settings are those of the service: MODE=live grosz acquirer test stripe.`,
  options: {},
  words: { list: 0, test: 1 },
  async run(invocation) {
    const [name = '', word = ''] = invocation.words;
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!action) throw new StartFault(`Missing or unknown action. Usage: grosz acquirer ${this.usage}`);
    await withService(invocation, 'acquirer', ({ tools }) => action(tools, invocation, word));
  },
};
