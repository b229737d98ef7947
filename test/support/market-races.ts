// Cancels of marketplace transactions against their payments, in any order and at two nodes.

import { readText } from '../../src/database/index.ts';
import { aChild, aSplit, cancelSplit, paySplit, showSplit, type TestPartner } from './marketplace.ts';
import { encryptCard, passTime } from './payments.ts';
import type { Answer, Service } from './service.ts';

type Nodes = readonly [Service, Service];

/** A transaction that was canceled and paid at the same time. */
export interface Raced {
  readonly id: string;
  readonly minor: bigint;
  /** What the payment and the cancel were answered. */
  readonly paid: Answer;
  readonly canceled: Answer;
}

/** 10.01 is paid by card at once, 10.02 on the bank's page. */
const ways = [
  { minor: 1_001, data: () => ({ blikPaymentData: { blikToken: '777123' } }) },
  { minor: 1_001, data: (service: Service) => ({ cardPaymentData: { card: encryptCard(service) } }) },
  { minor: 1_002, data: (service: Service) => ({ cardPaymentData: { card: encryptCard(service) } }) },
  { minor: 1_001, data: () => ({ blikPaymentData: { blikToken: '500123' } }) },
];

/** One round; `index` decides the method, the nodes and who goes first. */
export async function raceCancel(nodes: Nodes, partner: TestPartner, index: number): Promise<Raced> {
  const [left, right] = index % 2 === 0 ? nodes : ([nodes[1], nodes[0]] as const);
  const way = ways[Math.floor(index / 4) % ways.length];
  if (!way) throw new Error('There is no way to pay.');
  const { minor, data } = way;
  const id = await aSplit(left, partner, [aChild(partner, 0, minor - 500, { commission: 7 }), aChild(partner, 1, 500)]);
  const pay = async () => {
    const answer = await paySplit(left, partner, id, data(left));
    const url = String(answer.body.paymentUrl ?? '');
    // The payer is faster than the cancel, or not.
    if (url.includes('/bank/')) await left.world.bank.choose(url.split('/').at(-1) ?? '', 'confirm');
    return answer;
  };
  // A payment takes longer to begin than a cancel: some requests go before it, so that either may be first.
  const cancel = async () => {
    for (let requests = Math.floor(index / 16) % 6; requests > 0; requests -= 1) await showSplit(right, partner, id);
    return cancelSplit(right, partner, id);
  };
  const [paid, canceled] =
    index % 4 < 2
      ? await Promise.all([pay(), cancel()])
      : await Promise.all([cancel(), pay()]).then(([one, other]) => [other, one] as const);
  return { id, minor: BigInt(minor), paid, canceled };
}

export interface Ended {
  /** One sentence for each that is neither paid, nor canceled with the money returned. */
  readonly wrong: readonly string[];
  readonly paid: number;
  readonly canceled: number;
  /** Of the canceled ones: those for which money was taken, and returned. */
  readonly returned: number;
}

/** Lets everything end. */
export async function endRaces({ world }: Service, races: readonly Raced[]): Promise<Ended> {
  await passTime(world, { hours: 26 });
  const { netMinor, captures } = world.bank.record();
  const captured = new Set(captures.map(({ key }) => key));
  const ids = races.map(({ id }) => id);
  const rows = await world.db.sql.many((row) => ({
    id: readText(row, 'id'),
    status: readText(row, 'status'),
    keys: readText(row, 'keys').split(','),
  }))`
    select id, status, coalesce((select string_agg(attempt.id, ',') from charge as attempt
                                  where attempt.transaction_id = transaction.id), '') as keys
      from transaction where id = any(${ids}::text[])`;
  const found = new Map(rows.map((row) => [row.id, row]));
  const wrong = races.flatMap(({ id, minor, paid, canceled }) => {
    const { status = 'gone', keys = [] } = found.get(id) ?? {};
    const held = keys.reduce((sum, key) => sum + (netMinor.get(key) ?? 0n), 0n);
    const outcome = canceled.status === 200 ? 'canceled' : 'paid';
    if (status === outcome && held === (status === 'paid' ? minor : 0n)) return [];
    return [`${id} is ${status}, the bank holds ${held}; told ${paid.status} and ${canceled.status}`];
  });
  const canceled = rows.filter(({ status }) => status === 'canceled');
  return {
    wrong,
    paid: rows.filter(({ status }) => status === 'paid').length,
    canceled: canceled.length,
    returned: canceled.filter(({ keys }) => keys.some((key) => captured.has(key))).length,
  };
}
