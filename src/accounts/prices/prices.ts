// Prices: what an account pays, from when. They are never changed, only followed, and each is signed by the vault: later fees
// are computed by it.

import { isOneLine } from '../../../contract/schema.ts';
import type { Sql } from '../../database/index.ts';
import { type AccountId, instantText, refuse } from '../../kernel/index.ts';
import type { Tools } from '../../tools.ts';
import { findAccount, lockAccount } from '../store.ts';
import {
  type Assignment,
  findPriceList,
  insertAssignment,
  insertPriceList,
  insertPrices,
  nextAssignmentId,
  nextPriceIds,
  type PriceList,
  type PriceRow,
} from './store.ts';
import type { PriceKind } from './table.ts';

type PriceTools = Pick<Tools, 'clock' | 'db' | 'ids' | 'vault'>;

const pricePurpose = 'price';
const assignmentPurpose = 'price list of an account';

type Unsigned<T> = Omit<T, 'mac'>;

// With the id: of what is valid from the same moment the later id counts, so a copy of an old row must be no signature.
const priceText = (price: Unsigned<PriceRow>) =>
  [
    price.id,
    price.ownerId,
    price.kind,
    price.channelId ?? '*',
    instantText(price.validFrom),
    price.basisPoints,
    price.fixedMinor,
    price.minimumMinor,
    price.maximumMinor ?? '*',
    instantText(price.createdAt),
  ].join(' ');

const assignmentText = ({ id, accountId, listId, validFrom, createdAt }: Unsigned<Assignment>) =>
  [id, accountId, listId ?? '*', instantText(validFrom), instantText(createdAt)].join(' ');

export function isPriceOf(vault: Tools['vault'], price: PriceRow): boolean {
  return isMac(vault, price.mac, priceText(price), pricePurpose);
}

export function isAssignmentOf(vault: Tools['vault'], assignment: Assignment): boolean {
  return isMac(vault, assignment.mac, assignmentText(assignment), assignmentPurpose);
}

function isMac(vault: Tools['vault'], mac: string, text: string, purpose: string): boolean {
  try {
    return vault.isMacOf(mac, text, purpose);
  } catch {
    return false;
  }
}

export interface GivenPrice {
  readonly kind: PriceKind;
  readonly channelId: number | null;
  readonly basisPoints: number;
  readonly fixedMinor: bigint;
  readonly minimumMinor: bigint;
  readonly maximumMinor: bigint | null;
}

interface Fees {
  readonly paymentFeeBasisPoints: number;
  readonly paymentFeeMinor: bigint;
  readonly refundFeeMinor: bigint;
}

/** The fees in the settings of an account are its own prices: writes those that differ from before, from now on. */
export async function writeOwnPrices(
  vault: Tools['vault'],
  sql: Sql,
  ownerId: AccountId,
  { fees, before, now }: { readonly fees: Fees; readonly before?: Fees; readonly now: Temporal.Instant },
): Promise<void> {
  const fixed = { channelId: null, minimumMinor: 0n, maximumMinor: null };
  const payment =
    before?.paymentFeeBasisPoints !== fees.paymentFeeBasisPoints || before.paymentFeeMinor !== fees.paymentFeeMinor;
  const refund = before?.refundFeeMinor !== fees.refundFeeMinor;
  const own: GivenPrice[] = [
    ...(payment
      ? [
          {
            ...fixed,
            kind: 'payment' as const,
            basisPoints: fees.paymentFeeBasisPoints,
            fixedMinor: fees.paymentFeeMinor,
          },
        ]
      : []),
    ...(refund ? [{ ...fixed, kind: 'refund' as const, basisPoints: 0, fixedMinor: fees.refundFeeMinor }] : []),
  ];
  const prices = own.map((price) => ({ ...price, ownerId, validFrom: now, createdAt: now }));
  if (prices.length > 0) await insertSigned(vault, sql, prices);
}

/** Returns their ids, in their order. */
async function insertSigned(
  vault: Tools['vault'],
  sql: Sql,
  prices: readonly Omit<PriceRow, 'id' | 'mac'>[],
): Promise<bigint[]> {
  const ids = await nextPriceIds(sql, prices.length);
  const rows = ids.flatMap((id, place) => {
    const price = prices[place];
    return price ? [{ ...price, id }] : [];
  });
  await insertPrices(
    sql,
    rows.map((row) => ({ ...row, mac: vault.mac(priceText(row), pricePurpose) })),
  );
  return ids;
}

/** From when something is valid: now, or later. */
function fromWhen(from: Temporal.Instant | undefined, now: Temporal.Instant): Temporal.Instant {
  if (from && Temporal.Instant.compare(from, now) < 0) refuse('not_valid', 'validFrom', 'Must not be in the past.');
  return from ?? now;
}

export async function createPriceList({ clock, db, ids }: PriceTools, name: string): Promise<PriceList> {
  if (!isOneLine(name) || name.length < 1 || name.length > 60)
    refuse('not_valid', 'name', 'Must have 1 to 60 characters, in one line.');
  const list = { id: ids.ulid(), name, createdAt: clock.now() };
  if (!(await insertPriceList(db.sql, list))) refuse('not_valid', 'name', 'There is a price list of this name.');
  return list;
}

/** Adds a price to a list, valid from now or later: what is booked until then keeps the price before it. */
export async function addPrice(
  { clock, db, vault }: PriceTools,
  listId: string,
  given: GivenPrice,
  from?: Temporal.Instant,
): Promise<bigint> {
  const { sql } = db;
  if (!(await findPriceList(sql, listId))) refuse('not_found');
  const { kind, channelId, basisPoints, minimumMinor, maximumMinor } = given;
  if (channelId !== null && kind !== 'payment') refuse('not_valid', 'channelId', 'Only payments have channels.');
  if (maximumMinor !== null && maximumMinor < minimumMinor)
    refuse('not_valid', 'maximum', 'Must not be below the minimum.');
  const isFixed = kind === 'refund' || kind === 'dispute';
  if (isFixed && (basisPoints > 0 || minimumMinor > 0n || maximumMinor !== null))
    refuse('not_valid', 'percent', 'Fees of refunds and disputes are fixed.');
  const now = clock.now();
  const price = { ...given, ownerId: listId, validFrom: fromWhen(from, now), createdAt: now };
  const [id] = await insertSigned(vault, sql, [price]);
  return id ?? 0n;
}

/** Gives an account a list, or its own prices again, from now or later. */
export async function assignPriceList(
  { clock, db, vault }: PriceTools,
  accountId: AccountId,
  listId: string | null,
  from?: Temporal.Instant,
): Promise<void> {
  await db.atomic(async (sql) => {
    await lockAccount(sql, accountId);
    if (!(await findAccount(sql, accountId))) refuse('not_found');
    if (listId !== null && !(await findPriceList(sql, listId))) refuse('not_found');
    const now = clock.now();
    const row = { id: await nextAssignmentId(sql), accountId, listId, validFrom: fromWhen(from, now), createdAt: now };
    await insertAssignment(sql, { ...row, mac: vault.mac(assignmentText(row), assignmentPurpose) });
  });
}
