// verify and parked: the operator's look into the books.

import { type Decision, DecisionFault } from '../banking/index.ts';
import { readConfig } from '../config.ts';
import { decimalText } from '../kernel/index.ts';
import { verifyLedger } from '../ledger/index.ts';
import { closeWorld, type OpenOptions, openDatabase, openWorld } from '../open.ts';
import { patientTimes, StartFault } from '../platform/index.ts';
import { decideParkedCharge, listParkedCharges, verifyRecurring } from '../recurring/index.ts';
import { decideParkedRefund, listParkedRefunds, verifyRefunds } from '../refunds/index.ts';
import { decideParked, listParked, verifyTransactions } from '../transactions/index.ts';
import type { World } from '../world.ts';
import type { Command, Invocation } from './command.ts';

/** Opens a world for one short piece of work and closes it again. */
export async function withWorld(
  invocation: Invocation,
  name: string,
  work: (world: World) => Promise<void>,
  options: Pick<OpenOptions, 'times'> = {},
): Promise<void> {
  const config = readConfig(invocation.environment);
  const database = await openDatabase(config);
  try {
    const { pooled, url } = database;
    const { world } = await openWorld({ ...config, logLevel: 'warn' }, url, { name, pooled, ...options });
    try {
      await work(world);
    } finally {
      await closeWorld(world);
    }
  } finally {
    await database.stop();
  }
}

export const verify: Command = {
  name: 'verify',
  summary: 'Recomputes the books and names every row that is wrong.',
  usage: '',
  details: `Checks that each journal sums to zero, each balance equals its entries, the chain of hashes over the journals
is whole, each paid transaction stands in the books with its amount, refunds never exceed what was paid, and recurring payments
stand where their attempts, transactions and the books say. Reads only. Exit code 1 when anything is wrong.`,
  options: {},
  run: (invocation) =>
    withWorld(invocation, 'verify', (world) => verifyAll(world, invocation), { times: patientTimes }),
};

async function verifyAll(world: World, invocation: Invocation): Promise<void> {
  const problems = [
    ...(await verifyLedger(world.db)),
    ...(await verifyTransactions(world)),
    ...(await verifyRefunds(world)),
    ...(await verifyRecurring(world)),
  ];
  if (problems.length > 0)
    throw new StartFault(`The books are wrong:\n${problems.map((text) => `  ${text}`).join('\n')}`);
  invocation.print('The books are right.');
}

export const parked: Command = {
  name: 'parked',
  summary: 'Lists payments that nobody could resolve, and decides them.',
  usage: 'list | decide ID captured AMOUNT | decide ID not-captured',
  details: `A payment is parked when the bank could not say what became of it. Ask the bank by other means, then decide:
  captured AMOUNT  the bank has the money: the payment stands, or goes back to the payer when another one stands.
                   AMOUNT is what the bank has, such as 49.90: another one than was asked for is never booked
  not-captured     the bank has not: the attempt failed
A parked charge of a recurring payment, a parked refund and a parked surplus are decided the same way: for money that
goes back to a payer, captured means that it did.`,
  options: {},
  run: (invocation) =>
    withWorld(invocation, 'parked', async (world) => {
      const [action = 'list', id = '', ...words] = invocation.words;
      if (action === 'list') return printParked(world, invocation);
      const decision = action === 'decide' ? readDecision(words) : undefined;
      if (decision === undefined) throw new StartFault(`Say what to do: grosz parked ${parked.usage}`);
      if (!(await decide(world, id, decision))) throw new StartFault(`Nothing with the id ${id} is parked.`);
      invocation.print(`Decided: ${id} is ${words.join(' ')}.`);
    }),
};

/** The operator's words; undefined when they say nothing, or not how much. */
export function readDecision([word, amount = '', ...rest]: readonly string[]): Decision | undefined {
  if (rest.length > 0) return undefined;
  if (word === 'not-captured') return amount === '' ? word : undefined;
  if (word !== 'captured' || !/^\d{1,12}\.\d{2}$/.test(amount)) return undefined;
  return { capturedMinor: BigInt(amount.replace('.', '')) };
}

async function decide(world: World, id: string, decision: Decision): Promise<boolean> {
  try {
    return (
      (await decideParked(world, id, decision)) ||
      (await decideParkedCharge(world, id, decision)) ||
      (await decideParkedRefund(world, id, decision))
    );
  } catch (error) {
    throw error instanceof DecisionFault ? new StartFault(error.message) : error;
  }
}

async function printParked(world: World, invocation: Invocation): Promise<void> {
  const charges = await listParkedCharges(world.db.sql);
  const refunds = await listParkedRefunds(world);
  const rows = [
    ...(await listParked(world.db.sql)),
    ...charges.map((charge) => ({ ...charge, kind: 'charge', id: charge.transactionId })),
    ...refunds.map((refund) => ({ ...refund, kind: 'refund' })),
  ];
  if (rows.length === 0) return invocation.print('Nothing is parked.');
  for (const { kind, id, amountMinor, parkedAt, why } of rows) {
    invocation.print(`${id}  ${kind.padEnd(8)}  ${decimalText(amountMinor).padStart(12)}  ${parkedAt}  ${why}`);
  }
}
