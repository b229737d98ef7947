// grosz merchant: accounts of a real installation.

import { channelIds } from '../../contract/methods.ts';
import {
  type AccountDetails,
  addSeller,
  type CredentialKind,
  changeAccount,
  changePayPage,
  createAccount,
  createCredential,
  dropOlderSecrets,
  findPayPage,
  findSettings,
  listAccounts,
  listCredentials,
  parseClientId,
  revokeCredential,
  rotateSecret,
  type StoredSettings,
  usualPayPage,
} from '../accounts/index.ts';
import { type AccountId, idFrom, Refusal } from '../kernel/index.ts';
import type { Service } from '../open.ts';
import { StartFault } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';
import { withService } from './books.ts';
import { changing } from './changing.ts';
import { type Command, type Invocation, optionText } from './command.ts';
import { payerOptions, readPayerSettings, serializePayerSettings } from './payer-settings.ts';
import { readSettings, serializeSettings, settingOptions } from './settings.ts';

type Action = (tools: Tools, invocation: Invocation) => Promise<void>;

/** With an entry in the audit log; `action` is the endpoint of the panel that does the same. */
function change<T>(
  tools: Tools,
  invocation: Invocation,
  action: string,
  accountId: AccountId | null,
  run: () => Promise<T>,
): Promise<T> {
  return changing(tools, invocation, { command: 'merchant', action, accountId }, run);
}

const create: Action = async (tools, invocation) => {
  const partnerId = sellerOf(invocation);
  const kind = invocation.values.partner ? 'partner' : partnerId ? 'seller' : 'merchant';
  const forPayers = readPayerSettings(invocation);
  const details: AccountDetails = {
    ...readSettings(tools, invocation, 'name', 'email'),
    kind,
    testMode: tools.config.mode === 'sandbox',
  };
  if (partnerId && (await findSettings(tools.db.sql, partnerId))?.kind !== 'partner')
    throw new StartFault(`${partnerId} is not a partner. See: grosz merchant list`);
  const made = await change(tools, invocation, 'P86', partnerId ?? null, () =>
    tools.db.atomic(async (sql) => {
      const account = await createAccount(tools, sql, details);
      if (partnerId) await addSeller(sql, partnerId, account.id);
      return { account, credential: await createCredential(tools, sql, account.id, 'full', 'First') };
    }),
  );
  if (forPayers) await changePayPage(tools, made.account.id, forPayers);
  invocation.print(
    JSON.stringify(
      {
        id: made.account.id,
        merchantNumber: made.account.merchantNumber,
        posId: made.account.posId,
        clientId: made.credential.clientId,
        clientSecret: made.credential.clientSecret.reveal(),
        securityCode: made.account.securityCode.reveal(),
        webhookSecret: made.account.webhookSecret.reveal(),
      },
      null,
      2,
    ),
  );
};

/** The partner whose seller is to be created. */
function sellerOf(invocation: Invocation): AccountId | undefined {
  const text = optionText(invocation, 'seller-of');
  if (text === undefined) return undefined;
  if (invocation.values.partner) throw new StartFault('Use either --partner or --seller-of.');
  return idFrom<AccountId>(text) ?? fail('--seller-of must be the id of a partner.');
}

function fail(message: string): never {
  throw new StartFault(message);
}

const list: Action = async (tools, invocation) => {
  const credentials = await listCredentials(tools.db.sql);
  for (const account of await listAccounts(tools.db.sql)) {
    invocation.print(
      `${account.id}  ${account.merchantNumber}  ${account.kind.padEnd(8)}  ${account.status.padEnd(7)}  ${account.name} <${account.email}>`,
    );
    for (const credential of credentials.filter(({ accountId }) => accountId === account.id)) {
      const state = credential.revokedAt ? 'revoked' : credential.kind;
      invocation.print(`    ${account.id}-${credential.id}  ${state}  ${credential.name}`);
    }
  }
};

/** The account named after the action, with its settings. */
async function accountOf(tools: Tools, invocation: Invocation) {
  const [action, text = ''] = invocation.words;
  const id = idFrom<AccountId>(text);
  if (text === '') throw new StartFault(`Missing account id. Usage: grosz merchant ${action} ID`);
  if (!id) throw new StartFault(`There is no account ${JSON.stringify(text)}. See: grosz merchant list`);
  const settings = await findSettings(tools.db.sql, id);
  if (!settings) throw new StartFault(`There is no account ${id}.`);
  return { id, settings };
}

async function printSettings(
  tools: Tools,
  invocation: Invocation,
  id: AccountId,
  settings: StoredSettings,
): Promise<void> {
  const page = (await findPayPage(tools.db.sql, id)) ?? usualPayPage;
  invocation.print(JSON.stringify({ id, ...serializeSettings(settings), ...serializePayerSettings(page) }, null, 2));
}

const show: Action = async (tools, invocation) => {
  const { id, settings } = await accountOf(tools, invocation);
  await printSettings(tools, invocation, id, settings);
};

const set: Action = async (tools, invocation) => {
  const { id, settings: before } = await accountOf(tools, invocation);
  const settings = readSettings(tools, invocation);
  const forPayers = readPayerSettings(invocation);
  const isChanged = Object.keys(settings).length > 0;
  if (!isChanged && !forPayers) throw new StartFault('Nothing to change. See: grosz merchant --help');
  if (forPayers) await change(tools, invocation, 'P96', id, () => changePayPage(tools, id, forPayers));
  const changed = () => change(tools, invocation, 'P88', id, () => changeAccount(tools, id, settings));
  await printSettings(tools, invocation, id, isChanged ? await changed() : before);
};

const credential: Action = async (tools, invocation) => {
  const { id } = await accountOf(tools, invocation);
  const kind = credentialKind(tools, invocation);
  const made = await change(tools, invocation, 'P66', id, () =>
    tools.db.atomic((sql) => createCredential(tools, sql, id, kind, 'Command line')),
  );
  printClient(invocation, made.clientId, made.clientSecret.reveal());
};

function credentialKind(tools: Tools, { values }: Invocation): CredentialKind {
  if (values.operator && values['read-only']) throw new StartFault('Use either --read-only or --operator.');
  if (values.operator && tools.config.mode === 'live')
    throw new StartFault('--operator is for the sandbox tools, which do not exist in live mode.');
  if (values.operator) return 'operator';
  return values['read-only'] ? 'read_only' : 'full';
}

function printClient(invocation: Invocation, clientId: string, clientSecret: string): void {
  invocation.print(JSON.stringify({ clientId, clientSecret }, null, 2));
}

function clientOf(invocation: Invocation) {
  const client = parseClientId(invocation.words[1] ?? '');
  if (!client)
    throw new StartFault(`Missing or invalid client id. Usage: grosz merchant ${invocation.words[0]} CLIENT_ID`);
  return client;
}

const rotate: Action = async (tools, invocation) => {
  const { accountId, credentialId } = clientOf(invocation);
  const made = await change(tools, invocation, 'P67', accountId, () => rotateSecret(tools, accountId, credentialId));
  printClient(invocation, made.clientId, made.clientSecret.reveal());
};

const drop: Action = async (tools, invocation) => {
  const { accountId, credentialId } = clientOf(invocation);
  const dropped = await change(tools, invocation, 'P68', accountId, () =>
    dropOlderSecrets(tools, accountId, credentialId),
  );
  invocation.print(
    dropped > 0 ? 'The older secret and its tokens no longer work.' : 'There was only one secret; it still works.',
  );
};

const revoke: Action = async (tools, invocation) => {
  const { accountId, credentialId } = clientOf(invocation);
  await change(tools, invocation, 'P69', accountId, async () => {
    if (!(await revokeCredential(tools, accountId, credentialId)))
      throw new StartFault('The credential does not exist or is already revoked.');
  });
  invocation.print('Revoked: its secrets and tokens no longer work.');
};

const actions: Record<string, Action> = { create, list, show, set, credential, rotate, drop, revoke };

export const merchant: Command = {
  name: 'merchant',
  summary: 'Manages accounts and their credentials.',
  usage: 'create|list|show|set|credential|rotate|drop|revoke ...',
  details: `  create --name NAME --email EMAIL   creates a merchant with a point of sale and a credential; secrets are shown once
         [--partner] [SETTINGS]      --partner: in the partner program, with the marketplace
         [--seller-of PARTNER]       --seller-of: a seller of this partner
  list                               lists all accounts with their credentials
  show ID                            shows the settings of an account
  set ID SETTINGS                    changes the given settings, on all nodes within a second
  credential ID [--read-only]        adds a credential
                [--operator]         --operator: for the sandbox, may also move the clock and make the bank fail
  rotate CLIENT_ID                   adds a secret; the previous one keeps working
  drop CLIENT_ID                     removes the older secret and the tokens issued with it
  revoke CLIENT_ID                   revokes the credential and all its tokens

Settings:
  --name NAME, --email EMAIL
  --zone Europe/Warsaw               time zone; recurring payments follow it after their next charge
  --country PL                       default country of payers
  --url URL                          URL of the shop
  --notification-url URL             default notification URL of transactions; '' for none
  --fee-percent 1.5 --fee-fixed 0.25 fee per payment, from now on
  --refund-fee 1.00                  fee per refund, from now on
  --channels ${channelIds.join(',').padEnd(23)} enabled payment channels
  --requests-per-second 500          rate limit of the account; '' for the default
  --kind merchant|partner            in the partner program or not; a partner with sellers stays
  --marketplace on|off               the marketplace function of a partner
  --money-url URL                    URL of notifications about payouts and settlements; '' for none
  --settlement-mails on|off          a mail with each settlement; on unless set
  --decline-notifications on|off     a notification (tr_status=FALSE) for each declined attempt; off unless set
  --phone NUMBER, --tax-id NUMBER
  --language de                      of pages and mails for payers whose own is not known; '' for English
  --mails paid,charged,charge-failed,refunded,order
                                     which mails payers get; '' for none
  --status active|blocked            credentials and pay pages of a blocked account do not work; refunds and
                                     recurring charges continue`,
  options: {
    ...settingOptions,
    ...payerOptions,
    partner: { type: 'boolean' },
    'seller-of': { type: 'string' },
    'read-only': { type: 'boolean' },
    operator: { type: 'boolean' },
  },
  words: { create: 0, list: 0, show: 1, set: 1, credential: 1, rotate: 1, drop: 1, revoke: 1 },
  async run(invocation) {
    const action = actions[invocation.words[0] ?? ''];
    if (!action)
      throw new StartFault(
        `Missing or unknown action. Usage: grosz merchant ${this.usage}\nSee: grosz merchant --help`,
      );
    const work = async ({ tools }: Service) => {
      try {
        await action(tools, invocation);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        if (error.code === 'not_found') throw new StartFault('The credential does not exist. See: grosz merchant list');
        throw new StartFault(error.faults[0]?.message ?? `Refused: ${error.code}`);
      }
    };
    await withService(invocation, 'merchant', work, { creates: action === create });
  },
};
