// The account behind the key: pinned at the first start, and what it offers.

import type { Stripe } from 'stripe';
import type { Offer, ShownToPayers, TestValue } from '../acquirer/index.ts';
import { StartFault } from '../runtime/index.ts';
import { Allowance, type Line } from './line.ts';
import type { StripeTools } from './model.ts';
import { findPinned, insertPinned, type Pinned, updateMethods } from './store.ts';

const startMilliseconds = 10_000;

type Opening = Pick<StripeTools, 'db' | 'wall' | 'ids' | 'log'> & {
  readonly line: Line;
  readonly onlyLooks: boolean;
};

/**
 * Asks which account the key belongs to. The first one is pinned, unless the process only looks; another one, or one that does not settle in PLN, refuses
 * the start. When the provider is not reached, a pinned account is enough; then it is asked before anything else is
 * (`AccountGuard`).
 */
export async function openAccount({ db, wall, ids, log, line, onlyLooks }: Opening): Promise<Opened> {
  const asked = await line.ask({
    endpoint: 'GET /v1/account',
    time: new Allowance(startMilliseconds),
    run: (stripe, options) => stripe.accounts.retrieveCurrent({}, options),
  });
  const pinned = await findPinned(db.sql);
  if (asked.kind === 'forbidden')
    throw new StartFault(
      asked.status === 401
        ? 'Stripe does not know STRIPE_SECRET_KEY: it was revoked, has expired, or is not complete.'
        : 'STRIPE_SECRET_KEY may not read the account. Give the key that permission.',
    );
  if (asked.kind !== 'done') {
    if (!pinned) throw new StartFault('Stripe does not answer. The first start needs it, to know the account.');
    log.warn({ account: pinned.account }, 'Stripe did not say which account it is; the one of the last start is used');
    return { ...pinned, asked: false };
  }
  const account = asked.value;
  if (account.default_currency !== 'pln')
    throw new StartFault(`The Stripe account settles in ${account.default_currency}: the books are in PLN.`);
  const methods = methodsOf(account);
  const first = { account: account.id, installation: ids.ulid(), methods };
  if (!onlyLooks) await insertPinned(db.sql, first, wall.now());
  const known = onlyLooks ? (pinned ?? first) : await findPinned(db.sql);
  if (known?.account !== account.id)
    throw new StartFault(
      `STRIPE_SECRET_KEY is of the account ${account.id}. This database was set up with ${known?.account}, which alone knows its payments.`,
    );
  if (!onlyLooks) await updateMethods(db.sql, methods, wall.now());
  return { ...known, methods, asked: true };
}

interface Opened extends Pinned {
  /** Whether the provider said that the key is of this account. */
  readonly asked: boolean;
}

/**
 * Lets nothing through before the provider has said that the key is of the pinned account: another one would be paid for
 * our merchants, and knows none of our payments.
 */
export class AccountGuard {
  readonly #tools: Pick<StripeTools, 'line' | 'log' | 'account'>;
  #asked: boolean;

  constructor(tools: Pick<StripeTools, 'line' | 'log' | 'account'>, asked: boolean) {
    this.#tools = tools;
    this.#asked = asked;
  }

  get letsThrough(): boolean {
    return this.#asked;
  }

  async isOurs(deadlineMilliseconds: number): Promise<boolean> {
    if (this.#asked) return true;
    const { line, log, account } = this.#tools;
    const found = await line.ask({
      endpoint: 'GET /v1/account',
      time: new Allowance(deadlineMilliseconds / 2),
      run: (stripe, options) => stripe.accounts.retrieveCurrent({}, options),
    });
    if (found.kind !== 'done') return false;
    this.#asked = found.value.id === account;
    if (!this.#asked) log.error({ account, found: found.value.id }, 'the key is of another account; nothing is sent');
    return this.#asked;
  }
}

/** Our methods, by what the account must be allowed. */
const capabilities = { blik: 'blik_payments', transfer: 'p24_payments', card: 'card_payments' } as const;

function methodsOf({ capabilities: allowed }: Stripe.Account): string[] {
  return Object.entries(capabilities).flatMap(([method, name]) => (allowed?.[name] === 'active' ? [method] : []));
}

/** What the provider takes of a payment in PLN: at least 2.00, and eight digits. */
export const leastMinor = 200n;
const mostMinor = 99_999_999n;

/** The provider's cards of test mode. */
const testCards: readonly TestValue[] = [
  ['4242 4242 4242 4242', { outcome: 'approved' }],
  ['4000 0000 0000 9995', { outcome: 'insufficient funds' }],
];

export function shownToPayers(live: boolean): ShownToPayers {
  return { blikSeconds: 60, transferPage: 'Przelewy24', ...(!live && { testValues: { card: testCards } }) };
}

/** Kept, to be charged again by model O. A payer who is present always needs a code. */
const keptAliases = ['PAYID'] as const;
/** Of BLIK without the payer. */
const keptMostMinor = 200_000n;

/** How cards are taken: in the provider's fields, by number, or in both ways. */
export interface CardWays {
  readonly vendorFields: boolean;
  readonly numbers: boolean;
}

export function offersOf(methods: readonly string[], ways: CardWays): readonly Offer[] {
  const limits = { currency: 'PLN', leastMinor, mostMinor } as const;
  const simple: Offer[] = [
    { method: 'blik', ...limits, fields: 'own', recurring: [], aliases: keptAliases },
    { method: 'transfer', ...limits, fields: 'own', recurring: [], asksEmail: true },
  ];
  const card = { method: 'card', ...limits, recurring: ['card'] } as const;
  const cards: Offer[] = [
    ...(ways.vendorFields ? [{ ...card, fields: 'vendor' } as const] : []),
    ...(ways.numbers ? [{ ...card, fields: 'own' } as const] : []),
  ];
  const kept: Offer = {
    method: 'blik',
    ...limits,
    mostMinor: keptMostMinor,
    fields: 'own',
    recurring: ['O'],
    aliases: keptAliases,
  };
  return [...simple, kept, ...cards].filter(({ method }) => methods.includes(method));
}
