// The cost of claiming notifications next to 10 and to 1,000,000 endpoints that have something pending: not due yet, or
// due and failing, with all places for failing ones taken. The sides alternate, so that a slow moment of the machine
// affects all of them.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAccount } from '../src/accounts/index.ts';
import { readConfig } from '../src/config.ts';
import type { AccountId } from '../src/kernel/index.ts';
import { insertEvents, recurringNotification, Sender } from '../src/notifications/index.ts';
import { openService, type Service } from '../src/open.ts';
import type { Tools } from '../src/tools.ts';
import { median, say } from './support/figures.ts';
import { type BenchDatabase, openBenchDatabase, query } from './support/postgres.ts';

const few = 10;
const many = 1_000_000;
const endpointsOfAccount = 100;
const warmTimes = 20;
const times = 100;
const dueAtOnce = 20;
const growthAtMost = 1.5;

interface Side {
  readonly title: string;
  readonly service: Service;
  readonly sender: Sender;
  readonly merchantId: AccountId;
  readonly idle: number[];
  readonly busy: number[];
}

export async function measureClaim(): Promise<boolean> {
  const closing: (() => Promise<unknown>)[] = [];
  try {
    const receiver = await openReceiver();
    closing.unshift(receiver.close);
    const database = await openBenchDatabase();
    closing.unshift(() => database.stop());
    const sides: Side[] = [];
    for (const [name, endpoints, failing] of [
      ['few', few, false],
      ['later', many, false],
      ['failing', many, true],
    ] as const) {
      const side = await openSide(database, name, endpoints, failing, receiver.url);
      closing.unshift(async () => {
        await side.sender.stop(1);
        await side.service.close();
      });
      sides.push(side);
    }
    for (let turn = 0; turn < warmTimes + times; turn += 1) {
      for (const side of sides) await claimOnce(side, receiver.url, turn >= warmTimes);
    }
    return report(sides);
  } finally {
    for (const close of closing) await close();
  }
}

/** Responds with TRUE, except to paths below /hang, which never get a response. */
async function openReceiver(): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    request.resume();
    if (!request.url?.startsWith('/hang')) request.on('end', () => response.end('TRUE'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function openSide(
  database: BenchDatabase,
  name: string,
  endpoints: number,
  failing: boolean,
  receiverUrl: string,
): Promise<Side> {
  const databaseUrl = await database.create(`claim_${name}`);
  const config = readConfig({
    MODE: 'sandbox',
    DATA_DIR: `${database.folder}/${name}`,
    DATABASE_URL: databaseUrl,
    ALLOW_HTTP_CALLBACKS: 'true',
    ALLOW_PRIVATE_CALLBACKS: 'true',
  });
  const service = await openService({ ...config, logLevel: 'silent' }, databaseUrl, { name });
  const { tools, rooms } = service;
  const details = { kind: 'merchant', name: 'Shop', email: 'shop@example.com', testMode: true } as const;
  const { id: merchantId } = await createAccount(tools, tools.db.sql, details);
  // Triggers and foreign keys are not measured, and take most of the seeding time.
  await query(databaseUrl, `alter database claim_${name} set session_replication_role = replica`);
  await seedAccounts(databaseUrl, merchantId, Math.ceil(endpoints / endpointsOfAccount));
  await seedDeliveries(databaseUrl, endpoints, failing, tools.clock.now(), `${receiverUrl}/hang`);
  await query(databaseUrl, `alter database claim_${name} reset session_replication_role`);
  // Long enough that nothing times out during the measurement.
  const limits = { milliseconds: 600_000, leaseSeconds: 900, leasedAtMost: 256 };
  const sender = new Sender(tools, rooms.notifications.signing, limits);
  while ((await sender.feed()) > 0);
  const title = `${endpoints.toLocaleString('en')} ${failing ? 'due, failing' : 'not due'}`;
  return { title, service, sender, merchantId, idle: [], busy: [] };
}

/** Copies of one account, so that none has more endpoints than may have their own queue. */
async function seedAccounts(databaseUrl: string, merchantId: string, count: number): Promise<void> {
  await query(
    databaseUrl,
    `insert into account
     select (jsonb_populate_record(one, jsonb_build_object('id', lpad(number::text, 26, '0')))).*
       from account as one, generate_series(1, ${count}) as number where one.id = '${merchantId}'`,
  );
}

async function seedDeliveries(
  databaseUrl: string,
  endpoints: number,
  failing: boolean,
  now: Temporal.Instant,
  url: string,
): Promise<void> {
  await query(
    databaseUrl,
    `insert into event (id, account_id, type, subject_id, url, content_type, body, sealed, created_at)
     select lpad(number::text, 26, '0'), lpad((1 + number / ${endpointsOfAccount})::text, 26, '0'), 'recurring', 'seeded',
            '${url}', 'application/json', '{}', false, '${now}'
       from generate_series(0, ${endpoints - 1}) as number`,
  );
  if (failing) {
    await query(
      databaseUrl,
      `insert into endpoint_queue (endpoint, account_id, suspect, served_at)
       select account_id || ' https://' || id, account_id, true, created_at from event`,
    );
    await query(
      databaseUrl,
      `insert into endpoint_health (endpoint, failures_in_row, failing_since, last_failure_at, last_error)
       select endpoint, 10, served_at, served_at, 'timed_out' from endpoint_queue`,
    );
  }
  await query(
    databaseUrl,
    `insert into delivery (event_id, account_id, endpoint, status, next_try_at, queue)
     select id, account_id, account_id || ' https://' || id, 'pending',
            created_at + interval '${failing ? 0 : 5} hours', ${failing ? "account_id || ' https://' || id" : 'null'}
       from event`,
  );
  await query(databaseUrl, 'vacuum analyze');
}

async function claimOnce(side: Side, url: string, measured: boolean): Promise<void> {
  const { sender, merchantId } = side;
  const { tools } = side.service;
  const idle = await timed(() => sender.feed());
  const events = Array.from({ length: dueAtOnce }, (_, index) => ({
    id: tools.ids.ulid(),
    accountId: merchantId,
    type: 'recurring' as const,
    subjectId: 'due',
    url: `${url}/${index}`,
    payload: recurringNotification({
      merchantId,
      recurringId: 'due',
      transactionId: 'due',
      hiddenDescription: null,
      iterationCount: 1,
      iterationAttemptCount: 1,
      status: 'correct',
      nextChargeAt: null,
      zone: 'Europe/Warsaw',
      reason: null,
    }),
    createdAt: tools.clock.now(),
  }));
  await insertEvents(tools.db.sql, tools.vault, events);
  const busy = await timed(() => sender.feed());
  await delivered(
    tools,
    events.map(({ id }) => id),
  );
  if (!measured) return;
  side.idle.push(idle);
  side.busy.push(busy);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Waits until none of these is pending. */
async function delivered({ db }: Tools, ids: readonly string[]): Promise<void> {
  const pending = () =>
    db.sql.many((row) => row)`
      select from delivery where event_id = any (${ids}::text[]) and status = 'pending' limit 1`;
  while ((await pending()).length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
}

function report(sides: readonly Side[]): boolean {
  const [base, ...others] = sides;
  if (!base) return false;
  process.stdout.write(`\nClaims of notifications, ${times} of each kind, beside endpoints with something pending\n\n`);
  for (const { title, idle, busy } of sides) {
    const text = `${median(idle).toFixed(2)} ms with nothing due, ${median(busy).toFixed(2)} ms with ${dueAtOnce} due`;
    process.stdout.write(`  ${title.padEnd(24)}${text}\n`);
  }
  process.stdout.write('\n');
  const met = others.flatMap((side) =>
    (['idle', 'busy'] as const).map((kind) => {
      const growth = median(side[kind]) / median(base[kind]);
      const title = `${side.title}, ${kind}: at most ${growthAtMost} times that of ${base.title}`;
      return say(growth <= growthAtMost, title, growth.toFixed(2));
    }),
  );
  return met.every(Boolean);
}
