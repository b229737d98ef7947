// grosz route: which acquirer new charges go through.

import { addRoute, type Route, type RouteStatus, removeRoute, routeStatusAt, routesOf } from '../acquirer/index.ts';
import { Refusal } from '../kernel/index.ts';
import { StartFault } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';
import { warnOfUnnamed, withService } from './books.ts';
import { changing } from './changing.ts';
import { type Command, type Invocation, optionText } from './command.ts';

type Action = (tools: Tools, invocation: Invocation, id: string) => Promise<void>;

const help = 'See: grosz route --help';

const warnings: Readonly<Record<RouteStatus, string>> = {
  followed: '',
  not_offered: ' (does not offer it: nobody takes such charges)',
  switched_off: ' (switched off: nobody takes such charges)',
  not_open: ' (not set up: nobody takes such charges)',
};

function lineWith(tools: Tools, route: Route): string {
  return line(route) + warnings[routeStatusAt(tools, route)];
}

function line({ id, acquirer, merchantId, channelId, currency, position }: Route): string {
  const [merchant, channel, money] = [
    merchantId ?? 'every merchant',
    channelId ?? 'every channel',
    currency ?? 'any currency',
  ];
  return `${id}  ${merchant}, ${channel}, ${money}: ${position}. ${acquirer}`;
}

function numberOf(invocation: Invocation, name: string): number | undefined {
  const text = optionText(invocation, name);
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new StartFault(`--${name} must be a whole number.`);
  return Number(text);
}

const list: Action = async (tools, invocation) => {
  const { print } = invocation;
  await warnOfUnnamed(tools, invocation);
  const routes = await routesOf(tools);
  const names = tools.acquirers.list.map(({ name, takesNew }) => (takesNew ? name : `${name} (switched off)`));
  const inOrder = names.length > 1 ? ', in this order' : '';
  if (routes.length === 0) print(`No routes: new charges go to ${names.join(', ')}${inOrder}.`);
  else print(`Acquirers: ${names.join(', ')}`);
  for (const route of routes) print(lineWith(tools, route));
};

const add: Action = async (tools, invocation) => {
  const acquirer = optionText(invocation, 'acquirer');
  if (acquirer === undefined) throw new StartFault(`--acquirer is required. ${help}`);
  const given = {
    acquirer,
    merchantId: optionText(invocation, 'merchant'),
    channelId: numberOf(invocation, 'channel'),
    currency: optionText(invocation, 'currency'),
    position: numberOf(invocation, 'position'),
  };
  const change = { command: 'route', action: 'P121', accountId: null };
  invocation.print(lineWith(tools, await changing(tools, invocation, change, () => addRoute(tools, given))));
};

const remove: Action = async (tools, invocation, id) => {
  const change = { command: 'route', action: 'P122', accountId: null };
  const removed = await changing(tools, invocation, change, () => removeRoute(tools, id));
  invocation.print(`Removed ${line(removed)}`);
};

const actions: Readonly<Record<string, Action>> = { list, add, remove };

export const route: Command = {
  name: 'route',
  summary: 'Says which acquirer new charges go through.',
  usage: 'list | add --acquirer NAME [--merchant ID] [--channel ID] [--currency PLN] [--position N] | remove ID',
  details: `Without routes, new charges go to the acquirers in the order of ACQUIRERS. Otherwise the most specific matching route
decides: one for a merchant comes before one for a channel, and that before one for a currency. Several that are equally
specific are tried in the order of their positions, the next one only if an acquirer cannot be reached. No other acquirer is
tried: a route to one that does not offer the channel, is switched off or not set up is marked, and nobody takes such charges.
  list               lists them
  add                adds one; the same one again gets another position
  remove ID          removes one; what was charged through it stays where it is
Other nodes follow within ten seconds.`,
  options: {
    acquirer: { type: 'string' },
    merchant: { type: 'string' },
    channel: { type: 'string' },
    currency: { type: 'string' },
    position: { type: 'string' },
  },
  words: { list: 0, add: 0, remove: 1 },
  async run(invocation) {
    const [name = '', id = ''] = invocation.words;
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!action) throw new StartFault(`Missing or unknown action. Usage: grosz route ${this.usage}\n${help}`);
    await withService(invocation, 'route', async ({ tools }) => {
      try {
        await action(tools, invocation, id);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        if (error.code === 'not_found') throw new StartFault('There is no such route.');
        throw new StartFault(
          error.faults.map(({ field, message }) => `${field}: ${message ?? 'not valid.'}`).join('\n'),
        );
      }
    });
  },
};
