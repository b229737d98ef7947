// grosz merchant: accounts of a real installation.

import {
  type AccountWish,
  allChannelIds,
  createAccount,
  createCredential,
  dropOlderSecrets,
  listAccounts,
  listCredentials,
  readClientId,
  revokeCredential,
  rotateSecret,
} from '../accounts/index.ts';
import { type AccountId, isUlid, isZone, knownId, minorFromDecimal, Refusal } from '../kernel/index.ts';
import { StartFault } from '../platform/index.ts';
import type { World } from '../world.ts';
import { withWorld } from './books.ts';
import { type Command, type Invocation, optionText } from './command.ts';

type Action = (world: World, invocation: Invocation) => Promise<void>;

/** A fixed amount given as a decimal, such as 0.25. */
function readFee(invocation: Invocation, name: string, faults: string[]): bigint | undefined {
  const text = optionText(invocation, name);
  if (text === undefined) return undefined;
  const minor = minorFromDecimal(Number(text));
  if (text.trim() === '' || minor === undefined) faults.push(`--${name} must be an amount such as 0.25.`);
  return minor;
}

/** A percentage with at most two places, in hundredths of a percent. */
function readPercent(invocation: Invocation, faults: string[]): number | undefined {
  const text = optionText(invocation, 'fee-percent');
  if (text === undefined) return undefined;
  const hundredths = text.trim() === '' ? undefined : minorFromDecimal(Number(text));
  if (hundredths === undefined || hundredths > 10_000n)
    faults.push('--fee-percent must be from 0 to 100, such as 1.5.');
  return hundredths === undefined ? undefined : Number(hundredths);
}

function readChannels(invocation: Invocation, faults: string[]): number[] | undefined {
  const text = optionText(invocation, 'channels');
  if (text === undefined) return undefined;
  const ids = text.split(',').map(Number);
  if (ids.some((id) => !allChannelIds.includes(id)))
    faults.push(`--channels must be ids among ${allChannelIds.join(', ')}.`);
  return ids;
}

function readUrl(invocation: Invocation, name: string, faults: string[]): string | undefined {
  const text = optionText(invocation, name);
  if (text !== undefined && !(URL.canParse(text) && /^https?:$/.test(new URL(text).protocol))) {
    faults.push(`--${name} must be an http or https address.`);
  }
  return text;
}

/** All faults at once, as everywhere. */
function readWish(world: World, invocation: Invocation): AccountWish {
  const faults: string[] = [];
  const name = optionText(invocation, 'name') ?? '';
  const email = optionText(invocation, 'email') ?? '';
  const zone = optionText(invocation, 'zone');
  const country = optionText(invocation, 'country');
  if (name.length < 1 || name.length > 100) faults.push('--name is required, 1 to 100 characters.');
  if (!/^[^@\s]+@[^@\s]+$/.test(email)) faults.push('--email is required, an e-mail address.');
  if (zone !== undefined && !isZone(zone)) faults.push('--zone must be a time zone such as Europe/Warsaw.');
  if (country !== undefined && !/^[A-Z]{2}$/.test(country)) faults.push('--country must be two capital letters.');
  const given = {
    zone,
    country,
    paymentFeeBasisPoints: readPercent(invocation, faults),
    paymentFeeMinor: readFee(invocation, 'fee-fixed', faults),
    refundFeeMinor: readFee(invocation, 'refund-fee', faults),
    channels: readChannels(invocation, faults),
    url: readUrl(invocation, 'url', faults),
    notificationUrl: readUrl(invocation, 'notification-url', faults),
  };
  if (faults.length > 0) throw new StartFault(faults.join('\n'));
  const present = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const kind = invocation.values.partner ? 'partner' : 'merchant';
  return { kind, name, email, testMode: world.config.mode === 'sandbox', ...present };
}

const create: Action = async (world, invocation) => {
  const wish = readWish(world, invocation);
  const made = await world.db.atomic(async (sql) => {
    const account = await createAccount(world, sql, wish);
    return { account, credential: await createCredential(world, sql, account.id, 'full', 'First') };
  });
  invocation.print(
    JSON.stringify(
      {
        id: made.account.id,
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

const list: Action = async (world, invocation) => {
  const credentials = await listCredentials(world.db.sql);
  for (const account of await listAccounts(world.db.sql)) {
    invocation.print(
      `${account.id}  ${account.kind.padEnd(8)}  ${account.status.padEnd(7)}  ${account.name} <${account.email}>`,
    );
    for (const credential of credentials.filter(({ accountId }) => accountId === account.id)) {
      const state = credential.revokedAt ? 'revoked' : credential.kind;
      invocation.print(`    ${account.id}-${credential.id}  ${state}  ${credential.name}`);
    }
  }
};

const credential: Action = async (world, invocation) => {
  const id = invocation.words[1] ?? '';
  if (!isUlid(id)) throw new StartFault('Give the account’s id: grosz merchant credential ID [--read-only]');
  const accounts = await listAccounts(world.db.sql);
  if (!accounts.some((account) => account.id === id)) throw new StartFault(`There is no account ${id}.`);
  const kind = invocation.values['read-only'] ? 'read_only' : 'full';
  const made = await world.db.atomic((sql) =>
    createCredential(world, sql, knownId<AccountId>(id), kind, 'Command line'),
  );
  printClient(invocation, made.clientId, made.clientSecret.reveal());
};

function printClient(invocation: Invocation, clientId: string, clientSecret: string): void {
  invocation.print(JSON.stringify({ clientId, clientSecret }, null, 2));
}

function clientOf(invocation: Invocation) {
  const client = readClientId(invocation.words[1] ?? '');
  if (!client) throw new StartFault(`Give the client id: grosz merchant ${invocation.words[0]} CLIENT_ID`);
  return client;
}

const rotate: Action = async (world, invocation) => {
  const client = clientOf(invocation);
  const made = await rotateSecret(world, client.accountId, client.credentialId);
  printClient(invocation, made.clientId, made.clientSecret.reveal());
};

const drop: Action = async (world, invocation) => {
  const client = clientOf(invocation);
  const dropped = await dropOlderSecrets(world, client.accountId, client.credentialId);
  invocation.print(dropped > 0 ? 'The older secret no longer works.' : 'There was only one secret; it still works.');
};

const revoke: Action = async (world, invocation) => {
  const client = clientOf(invocation);
  const revoked = await revokeCredential(world, client.accountId, client.credentialId);
  if (!revoked) throw new StartFault('There is no such credential, or it was revoked before.');
  invocation.print('Revoked: its secrets and tokens no longer work.');
};

const actions: Record<string, Action> = { create, list, credential, rotate, drop, revoke };

export const merchant: Command = {
  name: 'merchant',
  summary: 'Creates and lists accounts, makes, rotates and revokes credentials.',
  usage: 'create|list|credential|rotate|drop|revoke ...',
  details: `  create --name NAME --email EMAIL   a new merchant with a point of sale and a credential; secrets are shown once
         [--partner]                 in the partner programme, with the marketplace
         [--zone Europe/Warsaw] [--country PL] [--url URL] [--notification-url URL]
         [--fee-percent 1.5] [--fee-fixed 0.25] [--refund-fee 1.00] [--channels 21,53,64,75,106]
  list                               all accounts with their credentials
  credential ID [--read-only]        one more credential
  rotate CLIENT_ID                   one more secret; the one before keeps working
  drop CLIENT_ID                     ends the older secret
  revoke CLIENT_ID                   ends the credential with all its tokens`,
  options: {
    name: { type: 'string' },
    email: { type: 'string' },
    partner: { type: 'boolean' },
    zone: { type: 'string' },
    country: { type: 'string' },
    url: { type: 'string' },
    'notification-url': { type: 'string' },
    'fee-percent': { type: 'string' },
    'fee-fixed': { type: 'string' },
    'refund-fee': { type: 'string' },
    channels: { type: 'string' },
    'read-only': { type: 'boolean' },
  },
  async run(invocation) {
    const action = actions[invocation.words[0] ?? ''];
    if (!action) throw new StartFault(`Say what to do: grosz merchant ${this.usage}. More: grosz merchant --help`);
    await withWorld(invocation, 'merchant', async (world) => {
      try {
        await action(world, invocation);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        if (error.code === 'not_found') throw new StartFault('There is no such credential. See: grosz merchant list');
        throw new StartFault(error.faults[0]?.message ?? `Refused: ${error.code}`);
      }
    });
  },
};
