// Shared by tests of notifications: accounts with events, senders, and the routes on a listening server.

import { createAccount } from '../../src/accounts/index.ts';
import { type AccountId, money, type Secret } from '../../src/kernel/index.ts';
import {
  insertEvents,
  type NewEvent,
  nextDeliveryAt,
  openSigning,
  type Payload,
  recurringNotification,
  Sender,
  type SenderLimits,
  type Signing,
  type TransactionNotificationData,
  transactionNotification,
} from '../../src/notifications/index.ts';
import { type Outbound, openOutbound } from '../../src/outbound/index.ts';
import type { Tools } from '../../src/tools.ts';
import { atEnd, aWorld, type Service, serve, type TestWorld } from '../support/service.ts';

export interface Stage {
  readonly world: TestWorld;
  readonly signing: Signing;
  readonly outbound: Outbound;
  /** Another node on the same database. */
  sender(limits?: Partial<SenderLimits>, world?: Tools): Sender;
}

/** A world with keys and a sender that may send to this machine. */
export async function aStage(world?: TestWorld): Promise<Stage> {
  const own = world ?? (await aWorld());
  const signing = await openSigning(own);
  const outbound = openOutbound({ policy: { allowHttp: true, allowPrivate: true } });
  atEnd(() => outbound.close());
  return {
    world: own,
    signing,
    outbound,
    sender: (limits = {}, other = own) => new Sender({ ...other, outbound }, signing, limits),
  };
}

export interface TestAccount {
  readonly id: AccountId;
  readonly merchantNumber: number;
  readonly securityCode: Secret;
  readonly webhookSecret: Secret;
}

export function anAccount(world: Tools): Promise<TestAccount> {
  return world.db.atomic((sql) =>
    createAccount(world, sql, { kind: 'merchant', name: 'Shop', email: 'shop@example.com', testMode: true }),
  );
}

/** The JSON of a recurring payment, with a distinguishing number. */
export function aPayload(merchantId: string, number = 1): Payload {
  return recurringNotification({
    merchantId,
    recurringId: '01K9Z4M7Q1T4W7A0B2C5E8F9GH',
    transactionId: '01K9Z4M7Q2V5X8B1C3D6F9G0HJ',
    hiddenDescription: `sub-${number}`,
    iterationCount: number,
    iterationAttemptCount: 1,
    status: 'correct',
    nextChargeAt: null,
    zone: 'Europe/Warsaw',
    reason: null,
  });
}

export function aTransactionPayload(account: TestAccount, data: Partial<TransactionNotificationData> = {}): Payload {
  return transactionNotification({
    merchantNumber: account.merchantNumber,
    title: 'TR-7X2M-Q4K9ZP1',
    createdAt: Temporal.Instant.from('2026-03-10T09:00:00Z'),
    zone: 'Europe/Warsaw',
    hiddenDescription: 'order-1024',
    amount: money(12_345n, 'PLN'),
    paid: money(12_345n, 'PLN'),
    description: 'Zażółć & gęślą',
    status: 'TRUE',
    error: 'none',
    payerEmail: 'jan.nowak@example.com',
    testMode: true,
    channelId: 64,
    securityCode: account.securityCode,
    ...data,
  });
}

export function anEvent(
  world: Tools,
  accountId: AccountId,
  url: string | null,
  payload = aPayload(accountId),
): NewEvent {
  const id = world.ids.ulid();
  return { id, accountId, type: 'recurring', subjectId: id, url, payload, createdAt: world.clock.now() };
}

/** Commits this many events for one URL and returns their ids. */
export async function someEvents(world: Tools, accountId: AccountId, url: string | null, count = 1): Promise<string[]> {
  const events = Array.from({ length: count }, (_, index) =>
    anEvent(world, accountId, url, aPayload(accountId, index + 1)),
  );
  await insertEvents(world.db.sql, world.vault, events);
  return events.map(({ id }) => id);
}

/** Moves the business clock to the next attempt and drains, until nothing is pending or the time is over. */
export async function passTime(stage: Stage, sender: Sender, until: Temporal.Instant): Promise<void> {
  const { world } = stage;
  for (;;) {
    await sender.drain();
    const next = await nextDeliveryAt(world);
    if (next === null || Temporal.Instant.compare(next, until) > 0) break;
    world.clock.set(next.toString());
  }
  world.clock.set(until.toString());
}

/** Counts of deliveries by status. */
export async function statuses(world: Tools): Promise<Record<string, number>> {
  const rows = await world.db.sql.many((row) => [String(row.status), Number(row.count)] as const)`
    select status, count(*)::integer as count from delivery group by status order by status`;
  return Object.fromEntries(rows);
}

/** A service with its stage. */
export async function aNotificationService(): Promise<Service & { stage: Stage }> {
  const stage = await aStage();
  return { ...(await serve(stage.world)), stage };
}
