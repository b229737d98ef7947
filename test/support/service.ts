// A running service for one test file: its own database, its own clock, real HTTP on a free port. Every response is
// checked against the contract.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Compile, type Validator } from 'typebox/compile';
import { type Dispatcher, request } from 'undici';
import type { Endpoint } from '../../contract/endpoint.ts';
import { Failure, PanelFailure } from '../../contract/failure.ts';
import {
  type AccountDetails,
  type CredentialKind,
  createAccount,
  createCredential,
  parseClientId,
} from '../../src/accounts/index.ts';
import { build } from '../../src/app.ts';
import { closeRooms, openRooms, type Rooms } from '../../src/capabilities.ts';
import { type Config, readConfig } from '../../src/config.ts';
import { type BatchLimits, Database, type TimeLimits } from '../../src/database/index.ts';
import type { AccountId } from '../../src/kernel/index.ts';
import type { MailTransport } from '../../src/notifications/index.ts';
import { openOutbound } from '../../src/outbound/index.ts';
import {
  type BusinessClock,
  idsFrom,
  openLog,
  openMetrics,
  openVault,
  type Random,
  systemRandom,
} from '../../src/runtime/index.ts';
import { openCaughtMail, openSimulator, type Simulator } from '../../src/simulators/index.ts';
import type { Tools } from '../../src/tools.ts';
import type { Titles } from '../../src/transactions/index.ts';
import { acquirersOf } from './acquirers.ts';
import { TestClock } from './clock.ts';
import { atEnd } from './closers.ts';
import { cloneWithKeys, testVaultKey } from './database.ts';

export { atEnd, closeAll } from './closers.ts';

/** The tools of a service, and what tests do with them from outside. */
export interface TestWorld extends Tools {
  readonly clock: TestClock;
  readonly wall: TestClock;
  /** The in-process bank; without it the configured acquirer sends its results over HTTP. */
  readonly bank: Simulator;
  readonly mail: MailTransport | undefined;
  /** The file of the bank's record: another node opens the same one. */
  readonly bankFile: string;
  /** Another process opens the same vault. */
  readonly vaultKey: Uint8Array;
  /** For tests that inspect the database from outside, or hold a lock in it. */
  readonly databaseUrl: string;
}

export interface WorldOptions {
  readonly config?: Partial<Config>;
  readonly batchLimits?: BatchLimits;
  /** How long the database may take. */
  readonly times?: TimeLimits;
  readonly connectionsAtMost?: number;
  /** Puts something between the world and its database. */
  readonly through?: (databaseUrl: string) => Promise<string>;
  readonly mail?: MailTransport;
  /** Mail is caught and shown at /mail, as in the demo. */
  readonly catchMail?: boolean;
  /** Generates ids: seeded, so that a run can be repeated. */
  readonly random?: Random;
  /** Gets every log line. */
  readonly logLines?: string[];
  /** A business clock other than the test's own, based on the wall clock. */
  readonly clockOver?: (wall: TestClock) => BusinessClock;
}

/** A world on a fresh clone of the database; everything is closed and dropped when the test file ends. */
export async function aWorld(options: WorldOptions = {}): Promise<TestWorld> {
  const database = await cloneWithKeys();
  const db = new Database({
    url: (await options.through?.(database.url)) ?? database.url,
    applicationName: 'test',
    ...(options.batchLimits ? { batchLimits: options.batchLimits } : {}),
    ...(options.times ? { times: options.times } : {}),
    ...(options.connectionsAtMost ? { connectionsAtMost: options.connectionsAtMost } : {}),
  });
  atEnd(async () => {
    await db.close();
    await database.drop();
  });
  const wall = new TestClock();
  // A test that passes another clock moves that one, and does not use this type's methods.
  const clock = (options.clockOver?.(wall) ?? new TestClock()) as TestClock;
  const random = options.random ?? systemRandom();
  const vaultKey = testVaultKey();
  const lines = options.logLines;
  const log = lines
    ? openLog({ level: 'debug' }, { write: (line) => void lines.push(line) })
    : openLog({ level: process.env.LOG_LEVEL ?? 'silent' });
  const base = {
    db,
    clock,
    wall,
    ids: idsFrom(clock, random),
    random,
    vault: openVault([{ id: 'test', key: vaultKey }], random),
    log,
    config: {
      ...readConfig({ MODE: 'sandbox' }),
      callbackPolicy: { allowHttp: true, allowPrivate: true },
      // All requests of a test come from one address, and its wall clock stands still.
      addressRequestsPerSecond: 1_000_000,
      // The tests of reconciliation and verification run them themselves.
      reconcileAt: undefined,
      verifyEvery: undefined,
      ...options.config,
    },
  };
  const bankFile = join(await aFolder(), 'bank.sqlite');
  const bank = aBank(base, bankFile);
  const outbound = openOutbound({ policy: base.config.callbackPolicy });
  atEnd(() => outbound.close());
  const world = {
    ...base,
    outbound,
    metrics: openMetrics(() => db.connections()),
    acquirers: acquirersOf(base, bank),
    bank,
    bankFile,
    vaultKey,
  };
  const mail = options.catchMail ? await openCaughtMail(world) : options.mail;
  // The record of the house bank lies beside that of the bank.
  const config = { ...base.config, bankFile };
  return { ...world, config, mail, databaseUrl: database.url };
}

/** What rooms are opened on. */
export type RoomWorld = Tools & {
  readonly bank?: Simulator | undefined;
  readonly mail?: MailTransport | undefined;
  readonly titles?: Titles;
};

const rooms = new WeakMap<RoomWorld, Promise<Rooms>>();

/** The rooms on these tools, opened once: other tools (`{ ...world, acquirers }`) get other rooms. */
export function roomsOf(world: RoomWorld): Promise<Rooms> {
  let opened = rooms.get(world);
  if (!opened) {
    opened = openTestRooms(world);
    rooms.set(world, opened);
  }
  return opened;
}

async function openTestRooms(world: RoomWorld): Promise<Rooms> {
  const { bank, mail, titles } = world;
  const opened = await openRooms(world, { bank, mail, titles, stopMilliseconds: 1_000 });
  atEnd(() => closeRooms(opened));
  return opened;
}

/** Another node of the same service: its own connections and queues, the same database, bank, keys and clocks. */
export async function aNode(world: TestWorld, options: Pick<WorldOptions, 'batchLimits'> = {}): Promise<TestWorld> {
  const db = new Database({ url: world.databaseUrl, applicationName: 'test node', ...options });
  atEnd(() => db.close());
  const base = { ...world, db };
  const bank = aBank(base, world.bankFile);
  return { ...base, metrics: openMetrics(() => db.connections()), acquirers: acquirersOf(base, bank), bank };
}

/** A folder that is removed at the end. */
export async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'grosz-test-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A bank on this record. Slow and lost responses take no time. */
function aBank({ clock, random, log, config }: Pick<Tools, 'clock' | 'random' | 'log' | 'config'>, file: string) {
  const wait = async () => undefined;
  const bank = openSimulator({ file, clock, random, log, pagesUrl: `${config.baseUrl}/bank`, wait });
  atEnd(() => bank.close());
  return bank;
}

const validators = new Map<object, Validator>();

function validatorOf(schema: object): Validator {
  let validator = validators.get(schema);
  if (!validator) {
    validator = Compile(schema as never);
    validators.set(schema, validator);
  }
  return validator;
}

/** Throws if a response does not match the contract. */
export function checkAnswer(endpoint: Endpoint, status: number, body: unknown): void {
  const schema = endpoint.responses[status];
  if (!schema) throw new Error(`${endpoint.id} answered ${status}, which its contract does not name.`);
  // What is sent counts, not what the object was.
  const problems = validatorOf(schema).Errors(JSON.parse(JSON.stringify(body)));
  if (problems.length > 0) throw new Error(`${endpoint.id} broke its contract: ${JSON.stringify(problems)}`);
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any;
  readonly text: string;
}

export interface Asking {
  readonly token?: string;
  readonly body?: unknown;
  /** Sent as it is, instead of `body` as JSON. */
  readonly raw?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Record<string, string>;
}

export interface Service {
  readonly world: TestWorld;
  readonly rooms: Rooms;
  readonly url: string;
  ask(method: string, path: string, asking?: Asking): Promise<Answer>;
}

/** A listening service. */
export async function aService(options: WorldOptions = {}): Promise<Service> {
  return serve(await aWorld(options));
}

/** Serves an existing world. */
export async function serve(world: TestWorld & Pick<RoomWorld, 'titles'>, port = 0): Promise<Service> {
  const rooms = await roomsOf(world);
  const app = await build(world, rooms, { checkAnswer });
  const url = await app.listen({ host: '127.0.0.1', port });
  atEnd(() => app.close());
  return { world, rooms, url, ask: (method, path, asking) => ask(url, method, path, asking) };
}

/**
 * Serves only these endpoints of an existing world, for nodes that are asked for little: most of the time of opening a
 * server is that of its hundreds of routes.
 */
export async function serveOnly(world: TestWorld, ids: readonly string[]): Promise<Service> {
  const rooms = await roomsOf(world);
  const capabilities = rooms.capabilities.map(({ register, routes = [], ...room }) => ({
    ...room,
    routes: routes.filter(({ endpoint }) => ids.includes(endpoint.id)),
  }));
  const slim = { ...rooms, capabilities, panel: { ...rooms.panel, panelRoutes: [] } };
  const app = await build(world, slim, { checkAnswer });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  atEnd(() => app.close());
  return { world, rooms, url, ask: (method, path, asking) => ask(url, method, path, asking) };
}

/** One request; errors are checked against the envelope. */
export async function ask(url: string, method: string, path: string, asking: Asking = {}): Promise<Answer> {
  const headers = new Headers(asking.headers);
  for (const [name, value] of defaultHeaders) if (!headers.has(name)) headers.set(name, value);
  if (asking.token !== undefined) headers.set('authorization', `Bearer ${asking.token}`);
  if (asking.body !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json');
  const payload = asking.raw ?? (asking.body === undefined ? null : JSON.stringify(asking.body));
  const options = { method: method as Dispatcher.HttpMethod, headers: Object.fromEntries(headers), body: payload };
  const { status, text, seen } = await answerOf(`${url}${path}`, options);
  const json = seen.get('content-type')?.startsWith('application/json') === true && text !== '';
  const body = json ? JSON.parse(text) : undefined;
  if (
    status >= 400 &&
    method !== 'HEAD' &&
    !validatorOf(path.startsWith('/panel/api/') ? PanelFailure : Failure).Check(body)
  ) {
    throw new Error(`A failure without the envelope: ${status} ${text}`);
  }
  return { status, headers: seen, body, text };
}

/** The connection was refused or broke. */
export class NoAnswer extends Error {}

/** By undici, which `fetch` is built upon: a test full of requests took 5 % less CPU. */
async function answerOf(url: string, options: Parameters<typeof request>[1]) {
  try {
    const response = await request(url, options);
    return { status: response.statusCode, text: await response.body.text(), seen: headersOf(response.headers) };
  } catch (error) {
    throw new NoAnswer(`No answer from ${url}.`, { cause: error });
  }
}

/** As `fetch` sends them. */
const defaultHeaders = Object.entries({
  accept: '*/*',
  'accept-language': '*',
  'sec-fetch-mode': 'cors',
  'user-agent': 'node',
});

function headersOf(received: Dispatcher.ResponseData['headers']): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(received)) {
    for (const value of [values].flat()) headers.append(name, value);
  }
  return headers;
}

/** `errorCode fieldName` of each fault, sorted: what most tests of invalid input compare. */
export function faultsOf(answer: Answer): string[] {
  return answer.body.errors
    .map((error: { errorCode: string; fieldName: string }) => `${error.errorCode} ${error.fieldName}`.trim())
    .sort();
}

export interface TestMerchant {
  readonly id: AccountId;
  readonly posId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly token: string;
}

/** A merchant with a credential and a token, created by the same code as a real one. */
export async function aMerchant(
  service: Service,
  overrides: Partial<AccountDetails> = {},
  kind: CredentialKind = 'full',
): Promise<TestMerchant> {
  const { world } = service;
  const made = await world.db.atomic(async (sql) => {
    const account = await createAccount(world, sql, {
      kind: 'merchant',
      name: 'Shop',
      email: 'shop@example.com',
      testMode: true,
      ...overrides,
    });
    return { account, credential: await createCredential(world, sql, account.id, kind, 'Test') };
  });
  const { clientId } = made.credential;
  const clientSecret = made.credential.clientSecret.reveal();
  const token = await aToken(service, clientId, clientSecret);
  return { id: made.account.id, posId: made.account.posId, clientId, clientSecret, token };
}

/** Another credential of the same merchant. */
export async function aCredential(
  service: Service,
  merchant: TestMerchant,
  kind: CredentialKind,
): Promise<TestMerchant> {
  const made = await createCredential(service.world, service.world.db.sql, merchant.id, kind, 'Another');
  const clientSecret = made.clientSecret.reveal();
  return {
    ...merchant,
    clientId: made.clientId,
    clientSecret,
    token: await aToken(service, made.clientId, clientSecret),
  };
}

export async function aToken(service: Service, clientId: string, clientSecret: string): Promise<string> {
  const answer = await service.ask('POST', '/oauth/auth', {
    body: { client_id: clientId, client_secret: clientSecret },
  });
  if (answer.status !== 200) throw new Error(`No token: ${answer.text}`);
  return answer.body.access_token;
}

export { parseClientId };
