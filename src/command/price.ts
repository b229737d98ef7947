// grosz price: price lists, what is in them from when, and who has them.

import {
  addPrice,
  assignPriceList,
  createPriceList,
  listAssignments,
  listPriceLists,
  listPrices,
  listPricesOf,
  type Price,
} from '../accounts/index.ts';
import { type AccountId, decimalText, idFrom, isUlid, Refusal } from '../kernel/index.ts';
import { StartFault } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';
import { withService } from './books.ts';
import { changing } from './changing.ts';
import { type Command, type Invocation, optionText } from './command.ts';
import { hundredthsOf } from './settings.ts';
import { readTime } from './times.ts';

type Action = (tools: Tools, invocation: Invocation, words: readonly string[]) => Promise<void>;

const help = 'See: grosz price --help';
const kinds = ['payment', 'refund', 'payout', 'dispute'] as const;

function fail(message: string): never {
  throw new StartFault(message);
}

function hundredths(invocation: Invocation, name: string): bigint | undefined {
  const text = optionText(invocation, name);
  if (text === undefined) return undefined;
  return hundredthsOf(text) ?? fail(`--${name} must be a number with at most two places, such as 1.25.`);
}

const accountOf = (text = ''): AccountId =>
  idFrom<AccountId>(text) ?? fail(`"${text}" is no id of an account. See: grosz merchant list`);
const listOf = (text = ''): string =>
  isUlid(text) ? text : fail(`"${text}" is no id of a price list. See: grosz price list`);

function line({ basisPoints, fixedMinor, minimumMinor, maximumMinor }: Omit<Price, 'priceId'>): string {
  const bounds = [
    minimumMinor > 0n ? `, at least ${decimalText(minimumMinor)}` : '',
    maximumMinor === null ? '' : `, at most ${decimalText(maximumMinor)}`,
  ];
  return `${decimalText(BigInt(basisPoints))} % + ${decimalText(fixedMinor)}${bounds.join('')}`;
}

const channelText = (channelId: number | null) => (channelId === null ? 'every channel' : `channel ${channelId}`);

const list: Action = async ({ db }, { print }) => {
  const lists = await listPriceLists(db.sql);
  if (lists.length === 0) print('There are no price lists: every account has prices of its own.');
  for (const { id, name, accounts } of lists) print(`${id}  ${name}  ${accounts} accounts`);
};

const show: Action = async ({ db, clock }, { print }, [text = '']) => {
  const id = isUlid(text) ? text : fail(`"${text}" is no id. ${help}`);
  for (const price of await listPrices(db.sql, id))
    print(`${price.id}  ${price.kind}  ${channelText(price.channelId)}  from ${price.validFrom}  ${line(price)}`);
  const accountId = accountOf(id);
  for (const { name, validFrom } of await listAssignments(db.sql, accountId))
    print(`from ${validFrom}: ${name ?? 'its own prices'}`);
  for (const price of await listPricesOf(db.sql, accountId, clock.now()))
    print(`now: ${price.kind}  ${channelText(price.channelId)}  ${line(price)}`);
};

const create: Action = async (tools, invocation, [name = '']) => {
  const change = { command: 'price', action: 'create_price_list', accountId: null };
  const made = await changing(tools, invocation, change, () => createPriceList(tools, name));
  invocation.print(`${made.id}  ${made.name}`);
};

const add: Action = async (tools, invocation, [text]) => {
  const listId = listOf(text);
  const kind =
    kinds.find((one) => one === optionText(invocation, 'kind')) ?? fail(`--kind must be one of ${kinds.join(', ')}.`);
  const channel = optionText(invocation, 'channel');
  if (channel !== undefined && !/^\d{1,6}$/.test(channel)) fail('--channel must be the id of a channel.');
  const percent = hundredths(invocation, 'percent') ?? 0n;
  if (percent > 10_000n) fail('--percent must be from 0 to 100.');
  const price = {
    kind,
    channelId: channel === undefined ? null : Number(channel),
    basisPoints: Number(percent),
    fixedMinor: hundredths(invocation, 'fixed') ?? 0n,
    minimumMinor: hundredths(invocation, 'minimum') ?? 0n,
    maximumMinor: hundredths(invocation, 'maximum') ?? null,
  };
  const from = readTime(invocation, 'from');
  const change = { command: 'price', action: 'add_price', accountId: null };
  const id = await changing(tools, invocation, change, () => addPrice(tools, listId, price, from));
  invocation.print(`${id}  ${kind}  ${channelText(price.channelId)}  ${line(price)}`);
};

const assign: Action = async (tools, invocation, [account, text = '']) => {
  const accountId = accountOf(account);
  const listId = text === 'own' ? null : listOf(text);
  const from = readTime(invocation, 'from');
  const change = { command: 'price', action: 'assign_price_list', accountId };
  await changing(tools, invocation, change, () => assignPriceList(tools, accountId, listId, from));
  invocation.print(
    `Account ${accountId} has ${listId === null ? 'its own prices' : `price list ${listId}`} from ${from ?? 'now'}.`,
  );
};

const actions: Readonly<Record<string, Action>> = { list, show, create, add, assign };

export const price: Command = {
  name: 'price',
  summary: 'Manages price lists.',
  usage: 'list | show ID | create NAME | add LIST --kind KIND [PRICE] | assign ACCOUNT LIST|own',
  details: `An account has prices of its own, those of its settings (grosz merchant set --fee-percent ...), or a price list. A price is
never changed, only followed by a later one: what is booked until then keeps its fee, and each fee names its price.
  list    the price lists, and how many accounts have each
  show    the prices of a list or an account, and what an account pays now
  create  a list without prices: an account that has it pays its own prices for what the list does not have
  add     a price to a list
          --kind payment|refund|payout|dispute
          --channel 150      of payments of this channel only
          --percent 1.2 --fixed 0.30 --minimum 0.50 --maximum 25
                             fees of refunds and disputes are fixed
          --from 2027-01-01T00:00:00+01:00
                             from when it is valid; now unless given, and never in the past
  assign  gives an account a list, or "own"; --from as above`,
  options: {
    kind: { type: 'string' },
    channel: { type: 'string' },
    percent: { type: 'string' },
    fixed: { type: 'string' },
    minimum: { type: 'string' },
    maximum: { type: 'string' },
    from: { type: 'string' },
  },
  words: { list: 0, show: 1, create: 1, add: 1, assign: 2 },
  run: (invocation) =>
    withService(invocation, 'price', async ({ tools }) => {
      const [name = '', ...words] = invocation.words;
      const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
      if (!action) fail(`Missing or unknown action. Usage: grosz price ${price.usage}`);
      await action(tools, invocation, words).catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
        const [{ code, field, message }] = error.faults;
        throw new StartFault([field, message ?? code].filter(Boolean).join(': '));
      });
    }),
};
