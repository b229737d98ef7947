// Builders for payouts.

import { readBigint, readDay } from '../../src/database/index.ts';
import { decimalText, Secret } from '../../src/kernel/index.ts';
import { createPayouts } from '../../src/payouts/create.ts';
import {
  givePayoutAccount,
  markApproved,
  markSent,
  type Payout,
  verifyPayoutAccount,
} from '../../src/payouts/index.ts';
import { findPlace } from '../../src/payouts/store/settings.ts';
import { mt940 } from '../bankfiles/files.ts';
import { importInto, openOurs } from '../statements/support.ts';
import type { Service, TestMerchant } from './service.ts';

/** Valid Polish numbers of a bank that exists. */
export const someIbans = [
  'PL61109010140000071219812874',
  'PL27114020040000300201355387',
  'PL10105000997603123456789123',
] as const;

type Account = Pick<TestMerchant, 'id'>;

/** Gives an account the number of a bank account. */
export function giveAccount(
  { world }: Service,
  { id }: Account,
  iban: string = someIbans[0],
  holder = 'Sklep Jana sp. z o.o.',
) {
  return givePayoutAccount(world, {
    accountId: id,
    number: new Secret(iban),
    holder,
    givenBy: 'owner@merchant.example',
  });
}

/** The same, verified by an operator. */
export async function aPayoutAccount(
  service: Service,
  account: Account,
  iban?: string,
  holder?: string,
): Promise<void> {
  await giveAccount(service, account, iban, holder);
  await verifyPayoutAccount(service.world, { accountId: account.id, by: 'operator@grosz.example' });
}

/** A payout of so much, whatever is due. `runId` null: on demand. */
export async function aPayout(
  { world }: Service,
  { id }: Account,
  amountMinor: bigint,
  feeMinor = 0n,
  runId: string | null = null,
): Promise<Payout> {
  const [payout] = await world.db.atomic(async (sql) => {
    const place = await findPlace(sql, id);
    if (!place) throw new Error('It has no bank account.');
    const planned = { accountId: id, runId, place, amountMinor, feeMinor };
    return createPayouts(world, sql, [planned], world.clock.now());
  });
  if (!payout) throw new Error('No payout was made.');
  return payout;
}

/** The same, at the bank as far as we know. */
export async function aSent(service: Service, account: Account, amountMinor: bigint, feeMinor = 0n): Promise<Payout> {
  const { world } = service;
  const payout = await aPayout(service, account, amountMinor, feeMinor);
  await world.db.atomic(async (sql) => {
    await markApproved(world, sql, [payout.id]);
    await markSent(world, sql, [payout.id]);
  });
  return payout;
}

/** Our bank's next statement: what it moved for these payouts; negative left. And its own code for the movement. */
export async function bankMoves(
  { world }: Service,
  moves: readonly (readonly [string, bigint, string?])[],
): Promise<void> {
  const known = await world.db.sql.maybeOne((row) => ({
    closing: readBigint(row, 'closing_minor'),
    day: readDay(row, 'day').add({ days: 1 }),
  }))`
    select closing_minor, coalesce(closing_on, last_on) as day from bank_statement where position is not null order by position desc limit 1`;
  if (!known) await openOurs(world);
  const day = known?.day ?? Temporal.PlainDate.from('2026-11-18');
  const opening = known?.closing ?? 1_000_000n;
  const closing = moves.reduce((sum, [, minor]) => sum + minor, opening);
  const [short, amount] = [
    day.toString().slice(2).replaceAll('-', ''),
    (minor: bigint) => decimalText(minor).replace('.', ','),
  ];
  const lines = moves.flatMap(([id, minor, kind = 'NTRF'], index) => [
    `:61:${short}${short.slice(2)}${minor < 0n ? 'D' : 'C'}${amount(minor < 0n ? -minor : minor)}${kind}NONREF//${short}${index}`,
    `:86:GROSZ ${id}`,
  ]);
  const file = mt940({
    opening: `C${short}PLN${amount(opening)}`,
    closing: `C${short}PLN${amount(closing)}`,
    lines,
  });
  await importInto(world, file);
}
