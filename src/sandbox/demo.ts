// The demo: test accounts, and data/demo.json with everything that scripts need.

import { readFile, rename, writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { channelIds, type MethodName, methods } from '../../contract/methods.ts';
import {
  type AccountDetails,
  addSeller,
  createAccount,
  createCredential,
  parseClientId,
  readAccountSecrets,
  rotateSecret,
} from '../accounts/index.ts';
import type { Sql } from '../database/index.ts';
import { isLocal } from '../http/index.ts';
import { type AccountId, knownId, money, type Secret } from '../kernel/index.ts';
import { postOpening } from '../ledger/index.ts';
import { randomText } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';
import { lockDemo, saveDemo } from './store.ts';

/** What the database stores about the demo: ids by role, no secrets. */
interface DemoRoles {
  readonly merchant: { readonly id: string; readonly posId: string; readonly clientId: string };
  readonly otherMerchant: { readonly id: string; readonly clientId: string };
  readonly readOnly: { readonly clientId: string };
  readonly partner: { readonly id: string; readonly posId: string; readonly clientId: string };
  readonly sellers: readonly string[];
  readonly foreignSeller: string;
}

interface Client {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** In the data folder. */
export const demoFile = 'demo.json';

/** The file, key for key as documented. */
export interface DemoFile {
  readonly baseUrl: string;
  readonly shopUrl: string;
  readonly mailUrl: string;
  readonly panel: { readonly url: string; readonly email: string; readonly password: string };
  readonly merchant: Client & {
    readonly id: string;
    readonly merchantNumber: number;
    readonly posId: string;
    readonly securityCode: string;
    readonly webhookSecret: string;
    readonly walletDomain: string;
  };
  readonly otherMerchant: Client & { readonly id: string; readonly merchantNumber: number };
  readonly readOnly: Client;
  readonly partner: Client & {
    readonly id: string;
    readonly merchantNumber: number;
    readonly posId: string;
    readonly sellers: readonly string[];
    readonly foreignSeller: string;
  };
}

type Secrets = ReturnType<typeof readAccountSecrets>;

const clientRoles = ['merchant', 'otherMerchant', 'readOnly', 'partner'] as const;
type Clients = Record<(typeof clientRoles)[number], Client>;

const merchantFees = { paymentFeeBasisPoints: 100, paymentFeeMinor: 25n, refundFeeMinor: 100n };
const sellerFees = { refundFeeMinor: 100n };

const merchantBalanceMinor = 1_000_000n;
const sellerBalanceMinor = 100_000n;

function without(method: MethodName): number[] {
  return channelIds.filter((id) => id !== methods[method].id);
}

/** Different sets of methods, with BLIK, card and wallet in common. */
const sellers = [
  { name: 'Meadow Honey', channels: channelIds },
  { name: 'Stoneware Studio', channels: without('online_wallet') },
  { name: 'Corner Bakery', channels: without('transfer') },
];

/** Where the demo of this folder runs: its port is often set only in the shell that started it. */
export async function demoBaseUrl(dataDir: string): Promise<string | undefined> {
  return (await readDemoFile(join(dataDir, demoFile)))?.baseUrl;
}

/** Creates the demo accounts once, and writes demo.json at every start. Accounts and secrets survive restarts. */
export async function openDemo(tools: Tools, shopPort = tools.config.port + 1): Promise<DemoFile> {
  const made = await makeDemo(tools);
  const file = join(tools.config.dataDir, demoFile);
  const before = await readDemoFile(file);
  const kept = before?.merchant.id === made.roles.merchant.id ? before : undefined;
  const clients = made.clients ?? kept ?? (await rotateAll(tools, made.roles));
  const password = kept?.panel.password ?? randomText(tools.random, 12);
  const demo = await describe(tools, made.roles, clients, password, shopPort);
  // Written under another name and then renamed, so that no reader sees half a file and a second start does not remove
  // it.
  const temporary = `${file}.${randomText(tools.random, 8)}`;
  await writeFile(temporary, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 });
  await rename(temporary, file);
  return demo;
}

function makeDemo(tools: Tools): Promise<{ roles: DemoRoles; clients?: Clients }> {
  return tools.db.atomic(async (sql) => {
    const roles = await lockDemo(sql);
    if (roles !== null) return { roles: roles as DemoRoles };
    const made = await makeAccounts(tools, sql);
    await saveDemo(sql, made.roles);
    return made;
  });
}

async function makeAccounts(tools: Tools, sql: Sql): Promise<{ roles: DemoRoles; clients: Clients }> {
  const account = (details: Omit<AccountDetails, 'testMode' | 'email'>) =>
    createAccount(tools, sql, {
      email: `${details.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '.')}@example.com`,
      testMode: true,
      ...details,
    });
  // The demo belongs to its user: each account may move its clock.
  const client = async (id: AccountId, kind: 'operator' | 'read_only'): Promise<Client> => {
    const { clientId, clientSecret } = await createCredential(
      tools,
      sql,
      id,
      kind,
      kind === 'operator' ? 'Shop' : 'Reports',
    );
    return { clientId, clientSecret: clientSecret.reveal() };
  };
  const open = (id: AccountId, minor: bigint) =>
    postOpening(sql, tools.ids, id, money(minor, 'PLN'), tools.clock.now());
  const merchant = await account({ kind: 'merchant', name: 'Leaf & Cup', ...merchantFees });
  const other = await account({ kind: 'merchant', name: 'Other Shop', ...merchantFees });
  await open(merchant.id, merchantBalanceMinor);
  const partner = await account({ kind: 'partner', name: 'Leaf & Cup Market' });
  const sellerIds: AccountId[] = [];
  for (const details of sellers) {
    const seller = await account({ kind: 'seller', ...details, ...sellerFees });
    await addSeller(sql, partner.id, seller.id);
    await open(seller.id, sellerBalanceMinor);
    sellerIds.push(seller.id);
  }
  const foreign = await account({ kind: 'seller', name: 'Foreign Seller', ...sellerFees });
  await open(foreign.id, sellerBalanceMinor);
  const clients: Clients = {
    merchant: await client(merchant.id, 'operator'),
    otherMerchant: await client(other.id, 'operator'),
    readOnly: await client(merchant.id, 'read_only'),
    partner: await client(partner.id, 'operator'),
  };
  const roles: DemoRoles = {
    merchant: { id: merchant.id, posId: merchant.posId, clientId: clients.merchant.clientId },
    otherMerchant: { id: other.id, clientId: clients.otherMerchant.clientId },
    readOnly: { clientId: clients.readOnly.clientId },
    partner: { id: partner.id, posId: partner.posId, clientId: clients.partner.clientId },
    sellers: sellerIds,
    foreignSeller: foreign.id,
  };
  return { roles, clients };
}

/** demo.json is gone but the accounts exist: secrets cannot be read back, so each credential gets a new one. */
async function rotateAll(tools: Tools, roles: DemoRoles): Promise<Clients> {
  const rotated = await Promise.all(
    clientRoles.map(async (role): Promise<[string, Client]> => {
      const client = parseClientId(roles[role].clientId);
      if (!client) throw new Error(`The demo's ${role} has no client id.`);
      const { clientId, clientSecret } = await rotateSecret(tools, client.accountId, client.credentialId);
      return [role, { clientId, clientSecret: clientSecret.reveal() }];
    }),
  );
  return Object.fromEntries(rotated) as Clients;
}

async function describe(
  tools: Tools,
  roles: DemoRoles,
  clients: Clients,
  password: string,
  shopPort: number,
): Promise<DemoFile> {
  const { baseUrl, host } = tools.config;
  const shopUrl = `http://${host.includes(':') ? `[${host}]` : host}:${shopPort}`;
  const secretsOf = ({ id }: { readonly id: string }) => readAccountSecrets(tools, knownId<AccountId>(id));
  const [secrets, other, partner] = await Promise.all(
    [roles.merchant, roles.otherMerchant, roles.partner].map(secretsOf) as [Secrets, Secrets, Secrets],
  );
  const revealed = (secret: Secret) => secret.reveal();
  const only = ({ clientId, clientSecret }: Client) => ({ clientId, clientSecret });
  return {
    baseUrl,
    shopUrl,
    mailUrl: `${baseUrl}/mail`,
    panel: { url: `${baseUrl}/panel`, email: 'demo@example.com', password },
    merchant: {
      id: roles.merchant.id,
      merchantNumber: secrets.merchantNumber,
      ...only(clients.merchant),
      posId: roles.merchant.posId,
      securityCode: revealed(secrets.securityCode),
      webhookSecret: revealed(secrets.webhookSecret),
      walletDomain: new URL(shopUrl).host,
    },
    otherMerchant: {
      id: roles.otherMerchant.id,
      merchantNumber: other.merchantNumber,
      ...only(clients.otherMerchant),
    },
    readOnly: only(clients.readOnly),
    partner: {
      id: roles.partner.id,
      merchantNumber: partner.merchantNumber,
      ...only(clients.partner),
      posId: roles.partner.posId,
      sellers: roles.sellers,
      foreignSeller: roles.foreignSeller,
    },
  };
}

/** The credential of the demo's merchant; undefined unless only this machine can reach the demo, and this request is its. */
export async function demoCredential({ mode, host, baseUrl, dataDir }: Tools['config'], headers: IncomingHttpHeaders) {
  const isPrivate = mode === 'sandbox' && ['127.0.0.1', '::1', 'localhost'].includes(host);
  if (!isPrivate || !isLocal(baseUrl, headers)) return undefined;
  return (await readDemoFile(join(dataDir, demoFile)))?.merchant;
}

async function readDemoFile(file: string): Promise<DemoFile | undefined> {
  try {
    const found = JSON.parse(await readFile(file, 'utf8')) as Partial<DemoFile> | null;
    const whole = found?.merchant?.id && found.panel && clientRoles.every((role) => found[role]?.clientSecret);
    return whole ? (found as DemoFile) : undefined;
  } catch {
    return undefined;
  }
}
