// Over-refunds and negative balances under contention: refunds of one transaction, of one balance, of everything twice,
// full against partial, cancels against the engine; on two nodes, with the engine running.

import { readInteger } from '../../src/database/index.ts';
import { ledgerAccounts } from '../../src/ledger/index.ts';
import { findProblems } from '../support/invariants.ts';
import { settleAll } from '../support/payments.ts';
import { fund } from '../support/refunds.ts';
import { Seeded } from '../support/seeded.ts';
import {
  type Answer,
  aMerchant,
  aNode,
  aService,
  type Service,
  serve,
  type TestMerchant,
  type TestWorld,
} from '../support/service.ts';
import { figureText, isOver, noneOf, type ProveOptions, type Seen, scaled } from './figure.ts';

const goalRounds = 10_000;
const roundsOfOneService = 1_000;
const roundsAtOnce = 50;

interface Stage {
  readonly nodes: readonly [Service, Service];
  readonly draw: Seeded;
  /** Has more than it can ever refund. */
  readonly rich: TestMerchant;
}

/** Unexpected results. */
interface Wrong {
  readonly rounds: string[];
  readonly problems: string[];
}

async function openStage(draw: Seeded): Promise<Stage> {
  const service = await aService({ random: draw });
  const other = await serve(await aNode(service.world));
  const rich = await aMerchant(service, { refundFeeMinor: 10n });
  await fund(service, rich, 1_000_000_000n);
  service.world.bank.setFaults({
    refusedRefund: { probability: 0.1, seed: draw.below(1_000_000) },
    waitingRefund: { probability: 0.2, seed: draw.below(1_000_000) },
  });
  return { nodes: [service, other], draw, rich };
}

const nodeOf = ({ nodes }: Stage, index: number): Service => nodes[index % 2 === 0 ? 0 : 1];

/** A paid transaction, in one request. */
async function aPaid(stage: Stage, merchant: TestMerchant, amount: number): Promise<string> {
  const body = { amount, description: 'x', pay: { groupId: 150, blikPaymentData: { blikToken: '777123' } } };
  const answer = await stage.nodes[0].ask('POST', '/transactions', { token: merchant.token, body });
  if (answer.body.status !== 'paid') throw new Error(`Not paid: ${answer.text}`);
  return answer.body.transactionId;
}

function refund(stage: Stage, index: number, merchant: TestMerchant, id: string, body: object): Promise<Answer> {
  return nodeOf(stage, index).ask('POST', `/transactions/${id}/refunds`, { token: merchant.token, body });
}

const made = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 200).length;

/** Each returns what is wrong with what it saw, or nothing. */
type Round = (stage: Stage) => Promise<string | undefined>;

const sameTransaction: Round = async (stage) => {
  const amount = 10 + stage.draw.below(90);
  const count = 2 + stage.draw.below(7);
  const id = await aPaid(stage, stage.rich, amount);
  const answers = await Promise.all(
    Array.from({ length: count }, (_, index) => refund(stage, index, stage.rich, id, { amount: (amount * 60) / 100 })),
  );
  return made(answers) === 1 ? undefined : `${made(answers)} of ${count} refunds of 60 % were made`;
};

const everythingTwice: Round = async (stage) => {
  const ids = await Promise.all([aPaid(stage, stage.rich, 20), aPaid(stage, stage.rich, 30)]);
  const answers = await Promise.all(
    [...ids, ...ids.toReversed()].map((id, index) => refund(stage, index, stage.rich, id, {})),
  );
  return made(answers) === 2 ? undefined : `${made(answers)} of 4 full refunds of 2 transactions were made`;
};

const fullAgainstParts: Round = async (stage) => {
  const id = await aPaid(stage, stage.rich, 100);
  const bodies = [{}, ...Array.from({ length: 4 }, () => ({ amount: 1 + stage.draw.below(60) }))];
  const answers = await Promise.all(bodies.map((body, index) => refund(stage, index, stage.rich, id, body)));
  const { body } = await stage.nodes[0].ask('GET', `/transactions/${id}/refunds`, { token: stage.rich.token });
  const listed: { amount: number }[] = body.refundsList;
  const sum = listed.reduce((total, one) => total + one.amount, 0);
  if (sum > 100 || listed.length !== made(answers)) return `${sum} of 100 refunded by ${made(answers)}`;
  return (answers[0]?.status === 200) === (body.status === 'refund') ? undefined : `it is ${body.status}`;
};

const cancelAgainstEngine: Round = async (stage) => {
  const [first, second] = stage.nodes;
  const id = await aPaid(stage, stage.rich, 10);
  const answer = await refund(stage, 0, stage.rich, id, {});
  const refundId = answer.body.refundsList[0].refundId;
  const change = (node: Service, verb: string) =>
    node.ask('POST', `/refunds/${refundId}/${verb}`, { token: stage.rich.token });
  await change(first, 'hold');
  await Promise.all([change(first, 'cancel'), change(second, 'release'), change(first, 'hold')]);
  const again = await refund(stage, 1, stage.rich, id, {});
  const { body } = await first.ask('GET', `/transactions/${id}/refunds`, { token: stage.rich.token });
  // Canceled, or sent and declined by the bank: then it may be refunded again.
  const back = new Set(['Cancel', 'BLIK_incorrect']);
  const open = body.refundsList.filter(({ status }: { status: string }) => !back.has(status)).length;
  return open <= 1 ? undefined : `${open} full refunds of one transaction, the second was answered ${again.status}`;
};

/** Fees are so high that the balance covers only one of the two. */
const oneBalance: Round = async (stage) => {
  const poor = await aMerchant(stage.nodes[0], { refundFeeMinor: 5_000n });
  const ids = [await aPaid(stage, poor, 50), await aPaid(stage, poor, 50)];
  const answers = await Promise.all(ids.map((id, index) => refund(stage, index, poor, id, {})));
  return made(answers) === 1 ? undefined : `${made(answers)} of 2 refunds were made with a balance for one`;
};

const rounds: readonly Round[] = [
  sameTransaction,
  sameTransaction,
  everythingTwice,
  fullAgainstParts,
  cancelAgainstEngine,
  oneBalance,
];

/** Transactions refunded beyond what was paid, by our rows or by the bank's, and accounts with negative balances. */
async function countOver(world: TestWorld): Promise<number> {
  const rows = await world.db.sql.one((row) => readInteger(row, 'found'))`
    select ((select count(*) from (
              select transaction_id from refund where canceled_by is null group by transaction_id
              having sum(amount_minor) > (select amount_paid_minor from transaction where id = transaction_id)) as over)
          + (select count(*) from (
              select account from entry where account like ${ledgerAccounts.available('%' as TestMerchant['id'])}
               group by account having sum(amount_minor) > 0) as below))::integer as found`;
  const bank = [...world.bank.record().netMinor.values()].filter((minor) => minor < 0n).length;
  return rows + bank;
}

/** The figures: over-refunds and negative balances; rounds with unexpected results; differences in the ledger. */
export async function proveRefunds(options: ProveOptions): Promise<Seen[]> {
  const goal = scaled(goalRounds, options);
  const wrong: Wrong = { rounds: [], problems: [] };
  let [done, over] = [0, 0];
  for (let service = 0; done < goal && !isOver(options); service += 1) {
    const stage = await openStage(new Seeded(`${options.seed} refunds ${service}`));
    const { world } = stage.nodes[0];
    for (let played = 0; played < roundsOfOneService && done < goal && !isOver(options); ) {
      const size = Math.min(roundsAtOnce, goal - done);
      world.clock.advance({ seconds: 6 });
      const [seen] = await Promise.all([
        Promise.all(Array.from({ length: size }, () => stage.draw.of(rounds)(stage))),
        settleAll(world),
        settleAll(stage.nodes[1].world as TestWorld),
      ]);
      wrong.rounds.push(...seen.filter((text) => text !== undefined));
      played += size;
      done += size;
      if (played % 500 < roundsAtOnce) options.print(`${figureText(done)} of ${figureText(goal)} rounds`);
    }
    for (let minute = 0; minute < 10; minute += 1) {
      world.clock.advance({ minutes: 1 });
      await settleAll(world);
    }
    over += await countOver(world);
    wrong.problems.push(...(await findProblems(world)));
  }
  for (const note of [...wrong.rounds, ...wrong.problems].slice(0, 10)) options.print(`  ${note}`);
  return [
    noneOf('over-refunds and negative balances in contended rounds', over, done, goalRounds),
    noneOf('contended rounds of refunds that ended otherwise than they must', wrong.rounds.length, done, goalRounds),
    {
      figure: 'differences between the bank, the books and the refunds',
      goal: '0',
      seen: String(wrong.problems.length),
      met: wrong.problems.length === 0,
    },
  ];
}
