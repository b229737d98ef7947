// The safeguarding figure: what is held for clients, at our bank and at acquirers, against what is owed to them.

import type { Sql } from '../database/index.ts';
import type { Tools } from '../tools.ts';
import { ledgerAccounts } from './accounts.ts';
import { openCheckpoint } from './checkpoint.ts';
import { findLastSeal, listSums } from './store.ts';

export interface Safeguarding {
  /** Held: on the account of clients' money, and what acquirers owe us. */
  readonly bankMinor: bigint;
  readonly acquirersMinor: bigint;
  /** Owed: to accounts, to payers, and what came that nobody knows what for. */
  readonly accountsMinor: bigint;
  readonly payersMinor: bigint;
  readonly unknownMinor: bigint;
}

export const nothingHeld: Safeguarding = {
  bankMinor: 0n,
  acquirersMinor: 0n,
  accountsMinor: 0n,
  payersMinor: 0n,
  unknownMinor: 0n,
};

const { bankClient, bankUnallocated, refundPayable, payerUnallocated, disputePayable } = ledgerAccounts;
const payers: readonly string[] = [refundPayable, payerUnallocated, disputePayable];

/** Which part of the figure an account is; what accounts owe us, our own money, income and expenses are none. */
export function partOf(account: string): keyof Safeguarding | undefined {
  if (account === bankClient) return 'bankMinor';
  if (account === bankUnallocated || /^acquirer:[^:]+:suspense$/.test(account)) return 'unknownMinor';
  if (/^acquirer:[^:]+:receivable$/.test(account)) return 'acquirersMinor';
  if (payers.includes(account)) return 'payersMinor';
  return /^merchant:[^:]+:(available|payout_transit|reserve)$/.test(account) ? 'accountsMinor' : undefined;
}

const held: readonly (keyof Safeguarding)[] = ['bankMinor', 'acquirersMinor'];

/** With the entries of an account: debits are positive, so what is owed is their opposite. Pure. */
export function withEntries(figure: Safeguarding, account: string, minor: bigint): Safeguarding {
  const part = partOf(account);
  if (!part) return figure;
  return { ...figure, [part]: figure[part] + (held.includes(part) ? minor : -minor) };
}

const least = (one: bigint, other: bigint) => (one < other ? one : other);
const positive = (minor: bigint) => (minor > 0n ? minor : 0n);

/**
 * What is missing of clients' money, and what is ours of what is held: fees that were not moved out yet. Of that only what is
 * at the bank can be moved. Pure.
 */
export function balanceOf({ bankMinor, acquirersMinor, accountsMinor, payersMinor, unknownMinor }: Safeguarding) {
  const heldMinor = bankMinor + acquirersMinor;
  const owedMinor = accountsMinor + payersMinor + unknownMinor;
  const ownMinor = positive(heldMinor - owedMinor);
  return {
    heldMinor,
    owedMinor,
    shortfallMinor: positive(owedMinor - heldMinor),
    ownMinor,
    movableMinor: positive(least(ownMinor, bankMinor)),
  };
}

const sealsAtOnce = 5_000n;

interface Known {
  readonly position: bigint;
  readonly figure: Safeguarding;
}

/**
 * Reads the figure as of the last sealed journal: from where the chain was last found right, and then only what was sealed
 * since it was asked before. Two who ask at once share the reading.
 */
export class SafeguardingReader {
  readonly #tools: Pick<Tools, 'db' | 'vault'>;
  #known: Known | undefined;
  #reading: Promise<Known> | undefined;

  constructor(tools: Pick<Tools, 'db' | 'vault'>) {
    this.#tools = tools;
  }

  async read(): Promise<Safeguarding> {
    this.#reading ??= this.#readOn().finally(() => {
      this.#reading = undefined;
    });
    return (await this.#reading).figure;
  }

  async #readOn(): Promise<Known> {
    const { sql } = this.#tools.db;
    let known = this.#known ?? (await this.#begin(sql));
    const end = (await findLastSeal(sql))?.position ?? 0n;
    while (known.position < end) {
      const until = least(known.position + sealsAtOnce, end);
      const sums = await listSums(sql, { after: known.position, until });
      const figure = sums.reduce((sum, { account, minor }) => withEntries(sum, account, minor), known.figure);
      known = { position: until, figure };
      this.#known = known;
    }
    return known;
  }

  async #begin(sql: Sql): Promise<Known> {
    const { reached } = await openCheckpoint(this.#tools, sql);
    const figure = [...reached.sums].reduce((sum, [account, minor]) => withEntries(sum, account, minor), nothingHeld);
    return { position: reached.position, figure };
  }
}
