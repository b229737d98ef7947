// Charges captured twice, with payers who race, cancel and retry at a bank that misbehaves in every way.

import { readBigint, readText } from '../../src/database/index.ts';
import type { Faults } from '../../src/simulators/index.ts';
import { type FaultName, faultNames } from '../../src/simulators/index.ts';
import { findProblems } from '../support/invariants.ts';
import { settleAll } from '../support/payments.ts';
import { aReceiver } from '../support/receiver.ts';
import { playPayments, type Stage, untilResolved } from '../support/scenario.ts';
import { Seeded } from '../support/seeded.ts';
import { aMerchant, aNode, aService } from '../support/service.ts';
import { figureText, isOver, noneOf, type ProveOptions, type Seen, scaled } from './figure.ts';

const goalCharges = 200_000;
const transactionsAtOnce = 200;
const transactionsOfOneService = 1_000;

/** One to four scenarios, each with a probability of one half. */
function drawFaults(draw: Seeded): Faults {
  const chosen = Array.from({ length: 1 + draw.below(4) }, (): [FaultName, Faults[FaultName]] => [
    draw.of(faultNames),
    { probability: draw.of([0.1, 0.3, 0.6, 1]), seed: draw.below(1_000_000) },
  ]);
  return Object.fromEntries(chosen);
}

async function openStage(draw: Seeded): Promise<Stage> {
  const service = await aService({ random: draw });
  const other = await aNode(service.world);
  const merchant = await aMerchant(service, { paymentFeeBasisPoints: 100, paymentFeeMinor: 25n });
  return { service, other, merchant, receiver: await aReceiver(), draw };
}

/** Charges that were sent, and transactions of which the bank holds more than their amount. */
async function count({ service: { world } }: Stage): Promise<{ charges: number; twice: string[]; parked: number }> {
  const attempts = await world.db.sql.many((row) => ({
    id: readText(row, 'id'),
    transactionId: readText(row, 'transaction_id'),
    amountMinor: readBigint(row, 'amount_minor'),
    // Captured, and being returned: an operator sees that it waits.
    parked: row.parked === true,
  }))`
    select attempt.id, attempt.transaction_id, attempt.amount_minor, surplus.parked_at is not null as parked
      from charge as attempt
      left join outgoing_refund as surplus on surplus.subject_id = attempt.id and surplus.purpose = 'surplus'`;
  const { netMinor } = world.bank.record();
  const twice = [...Map.groupBy(attempts, ({ transactionId }) => transactionId)].flatMap(([id, own]) => {
    const kept = own.filter(({ parked }) => !parked);
    const held = kept.reduce((sum, attempt) => sum + (netMinor.get(attempt.id) ?? 0n), 0n);
    return held > (own[0]?.amountMinor ?? 0n) ? [`The bank holds ${held} of transaction ${id}.`] : [];
  });
  return { charges: attempts.length, twice, parked: attempts.filter(({ parked }) => parked).length };
}

/**
 * The figures: charges captured twice; payments neither decided nor parked; differences between bank, ledger and
 * events.
 */
export async function proveCaptures(options: ProveOptions): Promise<Seen[]> {
  const goal = scaled(goalCharges, options);
  const wrong: { twice: string[]; unresolved: string[]; problems: string[] } = {
    twice: [],
    unresolved: [],
    problems: [],
  };
  let charges = 0;
  let transactions = 0;
  for (let service = 0; charges < goal && !isOver(options); service += 1) {
    const stage = await openStage(new Seeded(`${options.seed} ${service}`));
    let played = 0;
    let sent = 0;
    while (played < transactionsOfOneService && charges + sent < goal && !isOver(options)) {
      const size = Math.min(transactionsAtOnce, Math.max(20, goal - charges - sent));
      stage.service.world.bank.setFaults(drawFaults(stage.draw));
      await playPayments(stage, size);
      await untilResolved(stage).catch((error: Error) => wrong.unresolved.push(error.message));
      played += size;
      sent = (await count(stage)).charges;
      options.print(`${figureText(charges + sent)} of ${figureText(goal)} charges`);
    }
    await settleAll(stage.service.world);
    wrong.problems.push(...(await findProblems(stage.service.world)));
    wrong.twice.push(...(await count(stage)).twice);
    charges += sent;
    transactions += played;
  }
  for (const note of [...wrong.twice, ...wrong.unresolved, ...wrong.problems].slice(0, 10)) options.print(`  ${note}`);
  return [
    noneOf('charges captured twice, at a bank that misbehaves in every way', wrong.twice.length, charges, goalCharges),
    {
      figure: 'payments neither decided nor parked in the end',
      goal: '0',
      seen: `${wrong.unresolved.length} of ${figureText(transactions)} transactions`,
      met: wrong.unresolved.length === 0,
    },
    {
      figure: 'differences between the bank, the books, the transactions and the events',
      goal: '0',
      seen: String(wrong.problems.length),
      met: wrong.problems.length === 0,
    },
  ];
}
