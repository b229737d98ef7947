// All SQL of the connector. Owns: stripe_account, stripe_charge, stripe_refund. The provider takes some 25 requests per
// second, each for one payment, so rows are written one by one.

import { type Row, type RowOf, readText, readTexts, type Sql } from '../database/index.ts';
import type { Currency } from '../kernel/index.ts';
import type { Decline, RefundDecline } from './model.ts';
import { type MethodType, stripeChargeTable, stripeRefundTable } from './table.ts';

export type ChargeRow = RowOf<typeof stripeChargeTable>;
export type RefundRow = RowOf<typeof stripeRefundTable>;

export interface Pinned {
  readonly account: string;
  readonly installation: string;
  readonly methods: readonly string[];
}

const readPinned = (row: Row): Pinned => ({
  account: readText(row, 'account'),
  installation: readText(row, 'installation'),
  methods: readTexts(row, 'methods'),
});

export function findPinned(sql: Sql): Promise<Pinned | undefined> {
  return sql.maybeOne(readPinned)`select account, installation, methods from stripe_account`;
}

/** Pins the account, unless one is pinned; of two processes that start at the same time the first one pins. */
export async function insertPinned(sql: Sql, pinned: Pinned, at: Temporal.Instant): Promise<void> {
  await sql.run`
    insert into stripe_account (account, installation, pinned_at, methods, checked_at)
    values (${pinned.account}, ${pinned.installation}, ${at}, ${pinned.methods}::text[], ${at})
    on conflict (only_row) do nothing`;
}

export async function updateMethods(sql: Sql, methods: readonly string[], at: Temporal.Instant): Promise<void> {
  await sql.run`update stripe_account set methods = ${methods}::text[], checked_at = ${at}`;
}

export function findCharge(sql: Sql, key: string): Promise<ChargeRow | undefined> {
  return sql.maybeOne(stripeChargeTable.read)`select * from stripe_charge where key = ${key}`;
}

export function findChargeOf(sql: Sql, providerId: string): Promise<ChargeRow | undefined> {
  return sql.maybeOne(stripeChargeTable.read)`select * from stripe_charge where provider_id = ${providerId}`;
}

export interface KeyOf {
  readonly key: string;
  readonly providerId: string;
}

/** The keys of these intents, as many as are known. */
export function listKeys(sql: Sql, providerIds: readonly string[]): Promise<KeyOf[]> {
  return sql.many((row) => ({ key: readText(row, 'key'), providerId: readText(row, 'provider_id') }))`
    select key, provider_id from stripe_charge where provider_id = any(${providerIds}::text[])`;
}

export interface NewCharge {
  readonly key: string;
  readonly account: string;
  readonly amountMinor: bigint;
  readonly currency: Currency;
  readonly merchant: string;
  readonly method: MethodType | null;
  readonly aliasMac?: string | null;
  readonly createdAt: Temporal.Instant;
}

/** Before anything is sent. The first one with a key stays. */
export async function insertCharge(sql: Sql, row: NewCharge): Promise<ChargeRow | undefined> {
  return sql.maybeOne(stripeChargeTable.read)`
    insert into stripe_charge (key, account, amount_minor, currency, merchant, method, alias_mac, created_at)
    values (${row.key}, ${row.account}, ${row.amountMinor}, ${row.currency}, ${row.merchant}, ${row.method},
            ${row.aliasMac ?? null}, ${row.createdAt})
    on conflict (key) do nothing returning *`;
}

/** The charges in which payers of this merchant agreed to this name, the last ones first. */
export function listAliasCharges(
  sql: Sql,
  merchant: string,
  macs: readonly string[],
  limit: number,
): Promise<string[]> {
  return sql.many((row) => readText(row, 'key'))`
    select key from stripe_charge
     where alias_mac = any(${macs}::text[]) and merchant = ${merchant} and confirm_sent_at is not null
     order by created_at desc, key desc limit ${limit}`;
}

/** Another create gets another idempotency key, because the provider keeps the failure of this one. */
export async function updateCreateTry(sql: Sql, { key, createTry }: ChargeRow): Promise<void> {
  await sql.run`
    update stripe_charge set create_try = create_try + 1 where key = ${key} and create_try = ${createTry}`;
}

export async function updateConfirmTry(sql: Sql, { key, confirmTry }: ChargeRow): Promise<void> {
  await sql.run`
    update stripe_charge set confirm_try = confirm_try + 1 where key = ${key} and confirm_try = ${confirmTry}`;
}

/** The first intent stays; undefined if there is one, or if the charge was canceled meanwhile. */
export function updateProvider(sql: Sql, key: string, providerId: string): Promise<ChargeRow | undefined> {
  return sql.maybeOne(stripeChargeTable.read)`
    update stripe_charge set provider_id = ${providerId}
     where key = ${key} and provider_id is null and canceled_at is null returning *`;
}

/** What a search found, after a restore lost it. A canceled one stays canceled. */
export function upsertAdopted(sql: Sql, row: NewCharge & { readonly providerId: string }): Promise<ChargeRow> {
  return sql.one(stripeChargeTable.read)`
    insert into stripe_charge (key, account, amount_minor, currency, merchant, method, created_at, provider_id)
    values (${row.key}, ${row.account}, ${row.amountMinor}, ${row.currency}, ${row.merchant}, ${row.method},
            ${row.createdAt}, ${row.providerId})
    on conflict (key) do update
       set provider_id = coalesce(stripe_charge.provider_id, excluded.provider_id),
           amount_minor = coalesce(stripe_charge.amount_minor, excluded.amount_minor),
           currency = coalesce(stripe_charge.currency, excluded.currency)
    returning *`;
}

/** The last step before the confirmation is sent; undefined if the charge was canceled meanwhile. */
export function updateConfirmSent(sql: Sql, key: string, at: Temporal.Instant): Promise<ChargeRow | undefined> {
  return sql.maybeOne(stripeChargeTable.read)`
    update stripe_charge set confirm_sent_at = coalesce(confirm_sent_at, ${at})
     where key = ${key} and canceled_at is null returning *`;
}

/** Also of a key that was never asked for: should it arrive later, it is not sent. */
export function upsertCanceled(sql: Sql, key: string, account: string, at: Temporal.Instant): Promise<ChargeRow> {
  return sql.one(stripeChargeTable.read)`
    insert into stripe_charge (key, account, created_at, canceled_at) values (${key}, ${account}, ${at}, ${at})
    on conflict (key) do update set canceled_at = coalesce(stripe_charge.canceled_at, excluded.canceled_at)
    returning *`;
}

/** The first reason stays. */
export function updateDeclined(
  sql: Sql,
  key: string,
  { reason, code }: Decline,
  at: Temporal.Instant,
): Promise<ChargeRow> {
  return sql.one(stripeChargeTable.read)`
    update stripe_charge
       set decline_reason = coalesce(decline_reason, ${reason}),
           decline_code = case when decline_reason is null then ${code} else decline_code end,
           canceled_at = coalesce(canceled_at, ${at})
     where key = ${key} returning *`;
}

export function findRefund(sql: Sql, key: string): Promise<RefundRow | undefined> {
  return sql.maybeOne(stripeRefundTable.read)`select * from stripe_refund where key = ${key}`;
}

export interface NewRefund {
  readonly key: string;
  readonly chargeKey: string;
  readonly amountMinor: bigint;
  readonly currency: Currency;
  readonly createdAt: Temporal.Instant;
}

/** Before anything is sent. The first one with a key stays, and is returned. */
export function insertRefund(sql: Sql, row: NewRefund): Promise<RefundRow> {
  return sql.one(stripeRefundTable.read)`
    insert into stripe_refund (key, charge_key, amount_minor, currency, created_at)
    values (${row.key}, ${row.chargeKey}, ${row.amountMinor}, ${row.currency}, ${row.createdAt})
    on conflict (key) do update set charge_key = stripe_refund.charge_key returning *`;
}

export async function updateRefundIntent(sql: Sql, key: string, intentId: string): Promise<void> {
  await sql.run`update stripe_refund set intent_id = ${intentId} where key = ${key} and intent_id is null`;
}

export async function updateRefundProvider(sql: Sql, key: string, providerId: string): Promise<void> {
  await sql.run`update stripe_refund set provider_id = ${providerId} where key = ${key} and provider_id is null`;
}

export async function updateSendTry(sql: Sql, { key, sendTry }: RefundRow): Promise<void> {
  await sql.run`update stripe_refund set send_try = send_try + 1 where key = ${key} and send_try = ${sendTry}`;
}

/** From here on a failure is money that came back. Undefined if it was declined before. */
export function updateRefundSucceeded(sql: Sql, key: string, at: Temporal.Instant): Promise<RefundRow | undefined> {
  return sql.maybeOne(stripeRefundTable.read)`
    update stripe_refund set succeeded_at = coalesce(succeeded_at, ${at})
     where key = ${key} and declined_at is null returning *`;
}

/** Undefined if it was reported as paid before: then the money came back. */
export function updateRefundDeclined(
  sql: Sql,
  key: string,
  { why, code }: RefundDecline,
  at: Temporal.Instant,
): Promise<RefundRow | undefined> {
  return sql.maybeOne(stripeRefundTable.read)`
    update stripe_refund
       set declined_at = coalesce(declined_at, ${at}), decline_why = coalesce(decline_why, ${why}),
           decline_code = coalesce(decline_code, ${code})
     where key = ${key} and succeeded_at is null returning *`;
}
