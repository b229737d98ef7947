// grosz user: people who sign in to the panel.

import { userRoles } from '../../contract/identity/roles.ts';
import { type PanelLanguage, panelLanguages } from '../../contract/languages.ts';
import { isEmail } from '../../contract/schema.ts';
import { findSettings } from '../accounts/index.ts';
import { createUser, findUserByEmail, linkFor, listUsersOf, setUserBlocked } from '../identity/index.ts';
import { type AccountId, idFrom, Refusal } from '../kernel/index.ts';
import type { Service } from '../open.ts';
import { StartFault } from '../runtime/index.ts';
import { withService } from './books.ts';
import { changing } from './changing.ts';
import { type Command, type Invocation, optionText } from './command.ts';

type Action = (service: Service, invocation: Invocation) => Promise<void>;

function emailOf(invocation: Invocation): string {
  const [, word = ''] = invocation.words;
  const option = optionText(invocation, 'email');
  if (option !== undefined && word !== '') throw new StartFault(`Unexpected argument "${word}" with --email.`);
  const email = option ?? word;
  if (!isEmail(email)) throw new StartFault('Missing or invalid email address. See: grosz user --help');
  return email.toLowerCase();
}

/** The account of a new user; undefined for an operator. */
async function accountOf({ tools }: Service, invocation: Invocation): Promise<AccountId | null> {
  const text = optionText(invocation, 'account');
  if (invocation.values.operator) {
    if (text !== undefined) throw new StartFault('Use either --account or --operator.');
    return null;
  }
  if (text === undefined) throw new StartFault('Missing --account ID, or --operator. See: grosz merchant list');
  const id = idFrom<AccountId>(text);
  if (!id || !(await findSettings(tools.db.sql, id))) throw new StartFault(`There is no account ${text}.`);
  return id;
}

function languageOf(invocation: Invocation): PanelLanguage {
  const text = optionText(invocation, 'language') ?? 'en';
  const language = panelLanguages.find((one) => one === text);
  return language ?? fail(`--language must be one of: ${panelLanguages.join(', ')}.`);
}

const create: Action = async (service, invocation) => {
  const accountId = await accountOf(service, invocation);
  const role = accountId === null ? 'operator' : (optionText(invocation, 'role') ?? 'owner').replace('-', '_');
  const known = userRoles.find((one) => one === role);
  if (!known || (known === 'operator') !== (accountId === null))
    throw new StartFault('--role must be owner, staff or read-only.');
  const email = emailOf(invocation);
  const language = languageOf(invocation);
  const name = optionText(invocation, 'name') ?? email;
  const change = { command: 'user', action: 'create_user', accountId };
  const { tools } = service.rooms.identity;
  const made = await changing(tools, invocation, change, () =>
    createUser(tools, { accountId, email, name, role: known, language }, undefined),
  );
  invocation.print(`Created ${known} ${email}. To set a password, within seven days:\n${made.link}`);
};

const list: Action = async ({ tools }, invocation) => {
  const text = optionText(invocation, 'account');
  const id = text === undefined ? null : (idFrom<AccountId>(text) ?? fail(`There is no account ${text}.`));
  const users = await listUsersOf(tools.db.sql, id);
  for (const { user, hasPasskey } of users) {
    const factor = hasPasskey || user.totpSealed !== null ? 'second factor' : '';
    const state = user.blockedAt ? 'blocked' : user.passwordHash === null ? 'invited' : 'active';
    invocation.print(`${user.email}  ${user.role.padEnd(9)}  ${state.padEnd(7)}  ${factor}`);
  }
  if (users.length === 0) invocation.print('There are none. See: grosz user create --help');
};

function fail(message: string): never {
  throw new StartFault(message);
}

const link: Action = async ({ tools, rooms }, invocation) => {
  const email = emailOf(invocation);
  const user = (await findUserByEmail(tools.db.sql, email)) ?? fail(`There is no user ${email}.`);
  const withoutSecondFactor = invocation.values['reset-second-factor'] === true;
  const url = await linkFor(rooms.identity.tools, user, withoutSecondFactor);
  if (withoutSecondFactor) invocation.print('Authenticator app and passkeys were removed.');
  invocation.print(`To set a password; the link works once:\n${url}`);
};

const blocking =
  (blocked: boolean): Action =>
  async ({ tools, rooms }, invocation) => {
    const email = emailOf(invocation);
    const user = (await findUserByEmail(tools.db.sql, email)) ?? fail(`There is no user ${email}.`);
    await setUserBlocked(rooms.identity.tools, user, blocked);
    invocation.print(blocked ? `Blocked ${email}: all sessions have ended.` : `Unblocked ${email}.`);
  };

const actions: Record<string, Action> = { create, list, link, block: blocking(true), unblock: blocking(false) };

export const user: Command = {
  name: 'user',
  summary: 'Manages people who sign in to the panel.',
  usage: 'create|list|link|block|unblock ...',
  details: `  create --email EMAIL --account ID   creates a user of an account and prints a link to set the password
         [--role owner|staff|read-only] [--name NAME] [--language ${panelLanguages.join('|')}]
  create --email EMAIL --operator     creates an operator of the whole installation
  list [--account ID]                 lists the users of an account; without one, the operators
  link EMAIL [--reset-second-factor]  prints a link to set a new password; removes a lost second factor
  block EMAIL, unblock EMAIL          blocking ends all sessions`,
  options: {
    email: { type: 'string' },
    account: { type: 'string' },
    role: { type: 'string' },
    name: { type: 'string' },
    language: { type: 'string' },
    operator: { type: 'boolean' },
    'reset-second-factor': { type: 'boolean' },
  },
  words: { create: 1, list: 1, link: 1, block: 1, unblock: 1 },
  async run(invocation) {
    const [name = '', word] = invocation.words;
    const action = actions[name];
    if (action === list && word !== undefined)
      throw new StartFault(
        `Unexpected argument "${word}". For the users of an account: grosz user list --account ${word}`,
      );
    if (!action)
      throw new StartFault(`Missing or unknown action. Usage: grosz user ${this.usage}\nSee: grosz user --help`);
    const work = async (service: Service) => {
      try {
        await action(service, invocation);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        throw new StartFault(userFaults[error.code] ?? error.faults[0]?.message ?? `Refused: ${error.code}`);
      }
    };
    await withService(invocation, 'user', work);
  },
};

const userFaults: Readonly<Record<string, string>> = {
  user_exists: 'There is already a user with this email address. See: grosz user list',
  last_owner: 'The account needs an active owner. Create or unblock another one first.',
};
