// The project's invariants as one checker: the bank's own record, the ledger, the transactions and the merchants'
// events must agree. Every engine, race, crash and simulation test ends with it.

import assert from 'node:assert/strict';
import { chargesDue, dueOutgoing } from '../../src/banking/index.ts';
import {
  Database,
  patientTimes,
  readBigint,
  readBoolean,
  readInstant,
  readInteger,
  readIntegerOrNull,
  readText,
  type Sql,
} from '../../src/database/index.ts';
import { ledgerAccounts } from '../../src/ledger/index.ts';
import type { BankRecord, Simulator } from '../../src/simulators/index.ts';
import type { Tools } from '../../src/tools.ts';
import { inWords } from './findings.ts';
import { findRecurringProblems } from './recurring-invariants.ts';
import { findRefundProblems, type RefundFacts, readRefundFacts } from './refund-invariants.ts';
import { tickAll } from './rooms.ts';
import { atEnd } from './service.ts';
import { findingsOf, listTotals } from './verify.ts';

/** A world whose bank runs in this process: its record is the oracle. */
export interface CheckedWorld extends Tools {
  readonly bank: Simulator;
  /** Further banks, of a world with several. */
  readonly otherBanks?: readonly Simulator[];
  /** Not needed if the world's own queries may take as long as the comparison. */
  readonly databaseUrl?: string;
}

const ticksAtMost = 100;

/** Lets everything that is due happen, then compares the records; fails with every difference. */
export async function checkInvariants(world: CheckedWorld): Promise<void> {
  for (let ticks = 0; (await tickAll(world)) > 0; ticks += 1) assert.ok(ticks < ticksAtMost, 'the engine is idle');
  assert.deepEqual(await findProblems(world), []);
}

interface TransactionFacts {
  readonly id: string;
  readonly status: string;
  readonly paymentStatus: string;
  readonly amountMinor: bigint;
  readonly amountPaidMinor: bigint;
  readonly attemptsStarted: number;
  readonly realized: boolean;
  readonly canceled: boolean;
  /** The recurring engine makes the attempts of its own transactions. */
  readonly recurring: boolean;
  readonly marketplace: boolean;
  /** Whether its account is told of each declined attempt; tests do not change that between two attempts. */
  readonly notifiesDeclines: boolean;
}

interface AttemptFacts {
  readonly id: string;
  readonly transactionId: string;
  readonly number: number;
  readonly state: string;
  readonly amountMinor: bigint;
  readonly createdAt: Temporal.Instant;
  readonly scheduled: boolean;
  readonly parked: boolean;
  readonly tokenUnusable: boolean;
}

interface SurplusFacts {
  readonly id: string;
  readonly attemptId: string;
  readonly state: string;
  readonly amountMinor: bigint;
  readonly scheduled: boolean;
  readonly parked: boolean;
  /** The bank has the money again: an operator is told. */
  readonly cameBack: boolean;
}

/** The records to compare. */
interface Stories {
  readonly transactions: readonly TransactionFacts[];
  readonly attempts: readonly AttemptFacts[];
  readonly surpluses: readonly SurplusFacts[];
  readonly refunds: readonly RefundFacts[];
  readonly bank: BankRecord;
  readonly now: Temporal.Instant;
}

const checkers = new Map<string, Database>();

/** One for each database: with a connection of its own for every comparison, connecting would take most of its time. */
function checkerOf(databaseUrl: string): Database {
  const known = checkers.get(databaseUrl);
  if (known) return known;
  const db = new Database({ url: databaseUrl, applicationName: 'check', times: patientTimes });
  checkers.set(databaseUrl, db);
  atEnd(() => {
    checkers.delete(databaseUrl);
    return db.close();
  });
  return db;
}

/** Every difference in one sentence; empty if all is well. The engine should be idle. Has no time limit. */
export async function findProblems(world: CheckedWorld): Promise<string[]> {
  const { databaseUrl } = world;
  const db = databaseUrl === undefined ? world.db : checkerOf(databaseUrl);
  const found = inWords(await findingsOf(world, db.sql));
  return compareStories({ ...world, db }, found);
}

async function compareStories(world: CheckedWorld, found: readonly string[]): Promise<string[]> {
  const stories = await readStories(world);
  return [
    ...found,
    ...checkBank(stories),
    ...(await checkOwners(world)),
    ...(await checkBooks(world, stories)),
    ...checkTransactions(stories),
    ...checkAttempts(stories),
    ...(await checkEvents(world, stories)),
    ...(await findRecurringProblems(world)),
    ...(await findRefundProblems(world)),
    ...(await checkNothingDue(world)),
    ...(await checkWatch(world.db.sql)),
  ];
}

async function readStories(world: CheckedWorld): Promise<Stories> {
  const { sql } = world.db;
  const transactions = await sql.many((row) => ({
    id: readText(row, 'id'),
    status: readText(row, 'status'),
    paymentStatus: readText(row, 'payment_status'),
    amountMinor: readBigint(row, 'amount_minor'),
    amountPaidMinor: readBigint(row, 'amount_paid_minor'),
    attemptsStarted: readInteger(row, 'attempts_started'),
    realized: readBoolean(row, 'realized'),
    canceled: readBoolean(row, 'canceled'),
    recurring: readText(row, 'origin') === 'recurring',
    marketplace: readText(row, 'origin') === 'marketplace',
    notifiesDeclines: readBoolean(row, 'tells_declines'),
  }))`
    select *, realized_at is not null and paid_at is not null as realized,
           canceled_at is not null and canceled_by is not null as canceled,
           origin = 'api' and (select decline_notifications from account where id = merchant_id) as tells_declines
      from transaction order by id`;
  const attempts = await sql.many((row) => ({
    id: readText(row, 'id'),
    transactionId: readText(row, 'transaction_id'),
    number: readIntegerOrNull(row, 'number') ?? 1,
    state: readText(row, 'state'),
    amountMinor: readBigint(row, 'amount_minor'),
    createdAt: readInstant(row, 'created_at'),
    scheduled: readBoolean(row, 'scheduled'),
    parked: readBoolean(row, 'parked'),
    tokenUnusable: readBoolean(row, 'token_unusable'),
  }))`
    select attempt.*, next_check_at is not null as scheduled, parked_at is not null as parked,
           coalesce(attempt.card_token ~ '^[0-9a-f]{64}$', false) and card_token.active_at is null as token_unusable
      from charge as attempt left join card_token on card_token.token = attempt.card_token
     order by transaction_id, number`;
  const surpluses = await sql.many((row) => ({
    id: readText(row, 'id'),
    attemptId: readText(row, 'subject_id'),
    state: readText(row, 'state'),
    amountMinor: readBigint(row, 'amount_minor'),
    scheduled: readBoolean(row, 'scheduled'),
    parked: readBoolean(row, 'parked'),
    cameBack: readBoolean(row, 'came_back'),
  }))`
    select id, subject_id, case state when 'done' then 'done' else 'new' end as state, amount_minor,
           next_try_at is not null as scheduled, parked_at is not null as parked, came_back_at is not null as came_back
      from outgoing_refund where purpose = 'surplus' order by id`;
  const refunds = await readRefundFacts(sql);
  return { transactions, attempts, surpluses, refunds, bank: recordOf(banksOf(world)), now: world.clock.now() };
}

function banksOf({ bank, otherBanks = [] }: CheckedWorld): readonly Simulator[] {
  return [bank, ...otherBanks];
}

/** What all of them did. */
function recordOf(banks: readonly Simulator[]): BankRecord {
  const records = banks.map((bank) => bank.record());
  return {
    captures: records.flatMap(({ captures }) => captures),
    refunds: records.flatMap(({ refunds }) => refunds),
    cancels: records.flatMap(({ cancels }) => cancels),
    netMinor: new Map(records.flatMap(({ netMinor }) => [...netMinor])),
  };
}

/** Each bank moved money only for rows that name it. */
async function checkOwners(world: CheckedWorld): Promise<string[]> {
  const banks = banksOf(world);
  if (banks.length === 1) return [];
  const owners = new Map(
    await world.db.sql.many((row) => [readText(row, 'id'), readText(row, 'acquirer')] as const)`
      select id, acquirer from charge union all select id, acquirer from outgoing_refund`,
  );
  return banks.flatMap((bank) => {
    const { name } = bank;
    const { captures, refunds } = bank.record();
    return [...captures, ...refunds].flatMap(({ key }) =>
      owners.get(key) === name ? [] : [`${name} moved ${key}, which is of ${owners.get(key)}.`],
    );
  });
}

function sumOf(rows: readonly { readonly amountMinor: bigint }[]): bigint {
  return rows.reduce((total, row) => total + row.amountMinor, 0n);
}

const openStates = new Set(['sent', 'waiting', 'unknown']);

/** The bank holds what we say it holds of each attempt; nothing was captured or refunded without a request. */
function checkBank({ attempts, surpluses, refunds, bank }: Stories): string[] {
  const problems: string[] = [];
  const byId = new Map(attempts.map((attempt) => [attempt.id, attempt]));
  const surplusOf = new Map(surpluses.map((surplus) => [surplus.attemptId, surplus]));
  const surplusById = new Map(surpluses.map((surplus) => [surplus.id, surplus]));
  const refundById = new Map(refunds.map((refund) => [refund.id, refund]));
  const refundsOf = Map.groupBy(refunds, ({ chargeKey }) => chargeKey);
  const given = new Set(bank.refunds.map(({ key }) => key));
  for (const { key, amount } of bank.captures) {
    const attempt = byId.get(key);
    if (!attempt) problems.push(`The bank captured ${key}, which is no attempt of ours.`);
    else if (attempt.amountMinor !== amount.minor)
      problems.push(`The bank captured ${amount.minor} for attempt ${key} of ${attempt.amountMinor}.`);
  }
  for (const { key, chargeKey, amount } of bank.refunds) {
    const surplus = surplusById.get(key);
    const refund = refundById.get(key);
    if (refund) {
      if (refund.chargeKey !== chargeKey || refund.amountMinor !== amount.minor || !refund.sent)
        problems.push(`The bank gave back ${amount.minor} of ${chargeKey} for refund ${key} of ${refund.chargeKey}.`);
    } else if (!surplus) problems.push(`The bank gave back ${key}, which nobody asked for.`);
    else if (surplus.attemptId !== chargeKey || surplus.amountMinor !== amount.minor)
      problems.push(`The bank gave back ${amount.minor} of ${chargeKey} for surplus ${key} of ${surplus.attemptId}.`);
  }
  for (const [key, minor] of bank.netMinor) if (minor < 0n) problems.push(`The bank gave back too much of ${key}.`);
  for (const { id, state, amountMinor } of attempts) {
    const held = bank.netMinor.get(id) ?? 0n;
    const surplus = surplusOf.get(id);
    const own = refundsOf.get(id) ?? [];
    for (const refund of own) {
      // Between the bank's refund and its result reaching us, either is right.
      if (refund.underway) continue;
      if (refund.executed !== given.has(refund.id))
        problems.push(`Refund ${refund.id} is ${refund.status}; given by the bank: ${given.has(refund.id)}.`);
    }
    const wentBack = sumOf(own.filter((refund) => given.has(refund.id)));
    const allowed =
      state === 'correct'
        ? [amountMinor - wentBack]
        : openStates.has(state) || surplus?.state === 'new'
          ? [0n, amountMinor]
          : [0n];
    if (!allowed.includes(held)) problems.push(`Attempt ${id} is ${state}, and the bank holds ${held} of it.`);
    if (state === 'surplus' && !surplus) problems.push(`Attempt ${id} is surplus, but nothing goes back.`);
    if (surplus && (state === 'correct' || openStates.has(state)))
      problems.push(`Attempt ${id} is ${state}, but goes back to the payer.`);
    if (surplus && surplus.amountMinor !== amountMinor) problems.push(`Surplus of ${id} is not its amount.`);
  }
  return problems;
}

const journalKindsOf = {
  correct: ['payment'],
  new: ['surplus', 'surplus refund'],
  done: ['refund executed', 'surplus', 'surplus refund'],
} as const;

/** Each attempt has exactly the journals of its state, with its amount; and the totals match. */
async function checkBooks(world: CheckedWorld, { attempts, surpluses, refunds }: Stories): Promise<string[]> {
  const { sql } = world.db;
  const problems: string[] = [];
  const journals = await sql.many((row) => ({
    source: readText(row, 'source'),
    kind: readText(row, 'kind'),
    minor: readBigint(row, 'minor'),
  }))`
    select journal.source, journal.kind, sum(entry.amount_minor) filter (where entry.amount_minor > 0)::bigint as minor
      from journal join entry on entry.journal_id = journal.id
     where journal.kind in ('payment', 'surplus', 'surplus refund', 'refund executed')
     group by journal.id order by journal.source, journal.kind`;
  const bySource = Map.groupBy(journals, ({ source }) => source);
  const surplusOf = new Map(surpluses.map((surplus) => [surplus.attemptId, surplus]));
  for (const { id, state, amountMinor } of attempts) {
    const kind = state === 'correct' ? 'correct' : surplusOf.get(id)?.state;
    const expected: readonly string[] =
      kind === 'correct' || kind === 'new' || kind === 'done' ? journalKindsOf[kind] : [];
    const posted = bySource.get(id) ?? [];
    if (posted.map((journal) => journal.kind).join() !== expected.join())
      problems.push(`Attempt ${id} is ${state}, and its journals are: ${posted.map((journal) => journal.kind)}.`);
    for (const journal of posted)
      if (journal.minor !== amountMinor) problems.push(`Journal ${journal.kind} of ${id} is of ${journal.minor}.`);
  }
  const captured = sumOf(attempts.filter(({ state }) => state === 'correct'));
  const goingBack = sumOf(surpluses.filter(({ state }) => state === 'new'));
  const executed = sumOf(refunds.filter((refund) => refund.executed));
  const paidLate = sumOf(refunds.filter((refund) => refund.paidLate));
  const open = sumOf(refunds.filter((refund) => refund.open));
  const fees = refunds.reduce((total, refund) => (refund.returned ? total : total + refund.feeMinor), 0n);
  const totals = new Map((await listTotals(sql)).map(({ account, minor }) => [account, minor]));
  const owed = banksOf(world).reduce((sum, { name }) => sum + (totals.get(ledgerAccounts.receivable(name)) ?? 0n), 0n);
  // What the banks owe us: everything known to be captured, minus what was returned.
  const cameBack = sumOf(surpluses.filter((surplus) => surplus.cameBack));
  const due = captured + goingBack - executed + cameBack;
  if (owed !== due) problems.push(`The banks owe ${owed} in the books and should owe ${due}.`);
  for (const [account, minor] of [
    [ledgerAccounts.payerUnallocated, paidLate - cameBack],
    [ledgerAccounts.refundPayable, -goingBack - open],
    [ledgerAccounts.refundFee, -fees],
  ] as const) {
    const booked = totals.get(account) ?? 0n;
    if (booked !== minor) problems.push(`${account} is ${booked} in the books and should be ${minor}.`);
  }
  return problems;
}

/** A transaction is paid exactly if one payment of its whole amount counts. */
function checkTransactions({ transactions, attempts }: Stories): string[] {
  const problems: string[] = [];
  const byTransaction = Map.groupBy(attempts, ({ transactionId }) => transactionId);
  for (const transaction of transactions) {
    const { id, status, amountMinor, amountPaidMinor } = transaction;
    const own = byTransaction.get(id) ?? [];
    const captured = own.filter(({ state }) => state === 'correct').length;
    const paid = status === 'paid' || status === 'refund';
    if (captured !== (paid ? 1 : 0)) problems.push(`Transaction ${id} is ${status}, and ${captured} payments stand.`);
    if (amountPaidMinor !== (paid ? amountMinor : 0n))
      problems.push(`Transaction ${id} of ${amountMinor} is ${status}, and ${amountPaidMinor} is called paid.`);
    if (paid !== (transaction.paymentStatus === 'correct') || paid !== transaction.realized)
      problems.push(`Transaction ${id} is ${status}, its payment ${transaction.paymentStatus}.`);
    if ((status === 'canceled') !== transaction.canceled)
      problems.push(`Transaction ${id} is ${status}, and its time of cancellation says otherwise.`);
    const started = transaction.recurring ? 1 : transaction.attemptsStarted;
    if (own.some(({ number }, index) => number !== index + 1) || own.length !== started)
      problems.push(`Transaction ${id} has the attempts ${own.map(({ number }) => number)}.`);
  }
  return problems;
}

/**
 * After this long nothing may be undecided without an operator seeing it: three days, plus the time between two
 * lookups.
 */
const openAtMost = Temporal.Duration.from({ hours: 73 });

/** What is open has a lookup scheduled or is parked, and does not stay open forever. */
function checkAttempts({ attempts, surpluses, now }: Stories): string[] {
  const problems: string[] = [];
  for (const { id, state, createdAt, scheduled, parked, tokenUnusable } of attempts) {
    const open = openStates.has(state);
    if (open && scheduled === parked) problems.push(`Attempt ${id} is ${state}, and nobody will look at it.`);
    if (!open && scheduled) problems.push(`Attempt ${id} is ${state}, and is still to be looked up.`);
    const old = Temporal.Instant.compare(createdAt.add(openAtMost), now) < 0;
    if (open && old && !parked) problems.push(`Attempt ${id} is ${state} since ${createdAt}.`);
    if (state === 'correct' && tokenUnusable) problems.push(`Attempt ${id} stands, but its card token cannot be used.`);
  }
  for (const { id, state, scheduled, parked, cameBack } of surpluses) {
    if (state === 'new' ? scheduled === parked : scheduled || parked !== cameBack)
      problems.push(`Surplus ${id} is ${state}, scheduled: ${scheduled}, parked: ${parked}.`);
  }
  return problems;
}

/** The merchant is notified of every payment once, of every end without one once, and of nothing else. */
async function checkEvents(world: CheckedWorld, { transactions, attempts, refunds }: Stories): Promise<string[]> {
  const problems: string[] = [];
  const events = await world.db.sql.many((row) => ({
    id: readText(row, 'id'),
    subjectId: readText(row, 'subject_id'),
    body: readText(row, 'body'),
    sealed: readBoolean(row, 'sealed'),
    url: row.url,
    delivery: row.delivery,
  }))`
    select event.*, delivery.status as delivery from event left join delivery on delivery.event_id = event.id
     where event.type in ('transaction', 'marketplace') order by event.id`;
  const eventsOf = Map.groupBy(events, ({ subjectId }) => subjectId);
  const fullRefunds = Map.groupBy(
    refunds.filter(({ full }) => full),
    ({ transactionId }) => transactionId,
  );
  const failed = Map.groupBy(
    attempts.filter(({ state }) => state === 'failed'),
    ({ transactionId }) => transactionId,
  );
  for (const { id, status, paymentStatus, recurring, marketplace, notifiesDeclines } of transactions) {
    const all = (eventsOf.get(id) ?? []).map((event) => statusOfEvent(world, event)).sort();
    const declines = all.filter((one) => one === 'FALSE').length;
    const declined = failed.get(id)?.length ?? 0;
    // After a success no decline is told any more.
    const isPaid = status === 'paid' || status === 'refund';
    if (notifiesDeclines && (isPaid ? declines > declined : declines !== declined))
      problems.push(`Transaction ${id} has ${declined} declined attempts, and ${declines} were told.`);
    const statuses = notifiesDeclines ? all.filter((one) => one !== 'FALSE') : all;
    // Each full refund is reported; all except one that counts were undone by a refund that was returned, which is
    // reported too.
    const full = (fullRefunds.get(id) ?? []).map(() => 'CHARGEBACK');
    const back = full.slice(status === 'refund' ? 1 : 0).map(() => 'TRUE');
    const paid = recurring ? [] : status === 'paid' || status === 'refund' ? ['TRUE'] : [];
    // A marketplace transaction has only the notification that it is paid.
    const expected = marketplace
      ? [...back, ...paid]
      : [...full, ...canceledUntold(status, recurring || notifiesDeclines ? '' : paymentStatus), ...back, ...paid];
    if (statuses.join() !== expected.join())
      problems.push(`Transaction ${id} is ${status} (${paymentStatus}), and its events say: ${statuses}.`);
    eventsOf.delete(id);
  }
  for (const id of eventsOf.keys()) problems.push(`There is an event about ${id}, which does not exist.`);
  for (const { id, url, delivery } of events)
    if ((url === null) !== (delivery === null))
      problems.push(`Event ${id} has an address and no delivery, or neither.`);
  return problems;
}

/** FALSE is sent for a final decline (docs/decisions/0006). */
function canceledUntold(status: string, paymentStatus: string): string[] {
  return status === 'canceled' && paymentStatus === 'declined' ? ['FALSE'] : [];
}

function statusOfEvent(world: Tools, event: { id: string; body: string; sealed: boolean }): string {
  const body = event.sealed ? world.vault.open(event.body, `event ${event.id} body`).reveal() : event.body;
  if (body.startsWith('{')) return JSON.parse(body).data.transactionStatus === 'paid' ? 'TRUE' : 'nothing';
  return new URLSearchParams(body).get('tr_status') ?? 'nothing';
}

/** When the engine reports that it is idle, nothing is due. */
async function checkNothingDue(world: CheckedWorld): Promise<string[]> {
  const now = world.clock.now();
  const payments = await chargesDue.payment.waiting(world.db.sql, now);
  const recurring = await chargesDue.recurring.waiting(world.db.sql, now);
  const outgoing = await dueOutgoing(world);
  return [
    ...(payments.due > 0 ? [`${payments.due} payments are due to be looked up.`] : []),
    ...(recurring.due > 0 ? [`${recurring.due} recurring charges are due to be looked up.`] : []),
    ...(outgoing.due > 0 ? [`${outgoing.due} outgoing refunds are due.`] : []),
  ];
}

/** What the triggers in the database recorded (test/support/watch.ts). */
async function checkWatch(sql: Sql): Promise<string[]> {
  const watched = await sql.one((row) => readBoolean(row, 'watched'))`
    select to_regclass('watch.fault') is not null as watched`;
  if (!watched) return [];
  return sql.many((row) => readText(row, 'what'))`select what from watch.fault order by id limit 100`;
}
