// grosz pos: points of sale of accounts.

import { addPos, changePos, findAccountOfPos, listPos, type PosRow } from '../accounts/index.ts';
import { type AccountId, idFrom, type PosId, Refusal } from '../kernel/index.ts';
import { addressFaults } from '../outbound/index.ts';
import { StartFault } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';
import { withService } from './books.ts';
import { changing } from './changing.ts';
import { type Command, type Invocation, optionText } from './command.ts';

type Action = (tools: Tools, invocation: Invocation, id: string) => Promise<void>;

const help = 'See: grosz pos --help';

function print(invocation: Invocation, { id, name, url, notificationUrl, active, verified, main, testMode }: PosRow) {
  invocation.print(JSON.stringify({ id, name, url, notificationUrl, active, verified, main, testMode }, null, 2));
}

function accountId(text: string): AccountId {
  const id = idFrom<AccountId>(text);
  if (!id) throw new StartFault(`Missing or invalid account id. ${help}`);
  return id;
}

function flag(invocation: Invocation, name: string): boolean | undefined {
  const text = optionText(invocation, name);
  if (text === undefined || text === 'on' || text === 'off') return text === undefined ? undefined : text === 'on';
  throw new StartFault(`--${name} must be on or off.`);
}

/** The details that are given. */
function readDetails(tools: Tools, invocation: Invocation) {
  const [name, url, notificationUrl] = ['name', 'url', 'notification-url'].map((key) => optionText(invocation, key));
  const [active, verified] = [flag(invocation, 'active'), flag(invocation, 'verified')];
  if (name !== undefined && !/^.{1,100}$/su.test(name)) throw new StartFault('--name must have 1 to 100 characters.');
  if (url !== undefined && !/^https?:\/\/\S+$/.test(url)) throw new StartFault('--url must be an http or https URL.');
  const [fault] = notificationUrl ? addressFaults(notificationUrl, '', tools.config.callbackPolicy) : [];
  if (fault) throw new StartFault(`--notification-url cannot be used: ${fault.message ?? 'not valid.'}`);
  return {
    ...(name === undefined ? {} : { name }),
    ...(url === undefined ? {} : { url }),
    ...(notificationUrl === undefined ? {} : { notificationUrl: notificationUrl || null }),
    ...(active === undefined ? {} : { active }),
    ...(verified === undefined ? {} : { verified }),
  };
}

const list: Action = async (tools, invocation, id) => {
  for (const pos of await listPos(tools.db.sql, accountId(id))) print(invocation, pos);
};

const add: Action = async (tools, invocation, id) => {
  const { name, url = '', notificationUrl = null, verified = false } = readDetails(tools, invocation);
  if (name === undefined) throw new StartFault('--name is required.');
  const account = accountId(id);
  const change = { command: 'pos', action: 'P78', accountId: account };
  const details = { name, url, notificationUrl, verified };
  invocation.print(await changing(tools, invocation, change, () => addPos(tools, account, details)));
};

const set: Action = async (tools, invocation, text) => {
  const id = idFrom<PosId>(text);
  if (!id) throw new StartFault(`Missing or invalid id of a point of sale. ${help}`);
  const change = readDetails(tools, invocation);
  if (Object.keys(change).length === 0) throw new StartFault(`Nothing to change. ${help}`);
  const about = { command: 'pos', action: 'P79', accountId: await findAccountOfPos(tools.db.sql, id) };
  print(invocation, await changing(tools, invocation, about, () => changePos(tools, id, change)));
};

const actions: Readonly<Record<string, Action>> = { list, add, set };

export const pos: Command = {
  name: 'pos',
  summary: 'Manages points of sale.',
  usage: 'list|add|set ...',
  details: `  list ACCOUNT                       lists the points of sale of an account
  add ACCOUNT --name NAME            adds one and prints its id; not verified unless told
  set POS                            changes what is given

Settings:
  --name NAME, --url URL
  --notification-url URL             where its notifications go; '' for none
  --active on|off                    marketplace transactions need an active
  --verified on|off                  and verified point of sale`,
  options: {
    name: { type: 'string' },
    url: { type: 'string' },
    'notification-url': { type: 'string' },
    active: { type: 'string' },
    verified: { type: 'string' },
  },
  words: { list: 1, add: 1, set: 1 },
  async run(invocation) {
    const [name = '', id = ''] = invocation.words;
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!action) throw new StartFault(`Missing or unknown action. Usage: grosz pos ${this.usage}\n${help}`);
    await withService(invocation, 'pos', async ({ tools }) => {
      try {
        await action(tools, invocation, id);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        throw new StartFault(error.code === 'not_found' ? 'There is no such account or point of sale.' : error.code);
      }
    });
  },
};
