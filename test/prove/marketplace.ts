// The marketplace: sequences of refunds against a model in exact fractions, and cancels against payments at two nodes.

import fc from 'fast-check';
import { findProblems } from '../support/invariants.ts';
import { drawnChildren } from '../support/market-draws.ts';
import { endRaces, type Raced, raceCancel } from '../support/market-races.ts';
import { drawnActions, play, sellers } from '../support/market-story.ts';
import { aPartner } from '../support/marketplace.ts';
import { Seeded } from '../support/seeded.ts';
import { aNode, aService, serve } from '../support/service.ts';
import { figureText, isOver, noneOf, type ProveOptions, type Seen, scaled } from './figure.ts';

const goalSequences = 500;
const sequencesOfOneService = 50;
const goalCancels = 1_000;
const cancelsAtOnce = 50;

/** Both figures, and differences in the books after them. */
export async function proveMarketplace(options: ProveOptions): Promise<Seen[]> {
  const problems: string[] = [];
  const sequences = await playSequences(options, problems);
  const cancels = await raceCancels(options, problems);
  for (const note of [...sequences.wrong, ...cancels.wrong, ...problems].slice(0, 10)) options.print(`  ${note}`);
  return [
    noneOf(
      'sequences of marketplace refunds that differ from exact arithmetic',
      sequences.wrong.length,
      sequences.done,
      goalSequences,
    ),
    noneOf(
      'marketplace transactions both paid and canceled, or canceled and not returned',
      cancels.wrong.length,
      cancels.done,
      goalCancels,
    ),
    {
      figure: 'differences between the bank, the books and the marketplace',
      goal: '0',
      seen: String(problems.length),
      met: problems.length === 0,
    },
  ];
}

interface Counted {
  readonly done: number;
  readonly wrong: readonly string[];
}

async function playSequences(options: ProveOptions, problems: string[]): Promise<Counted> {
  const goal = scaled(goalSequences, options);
  const wrong: string[] = [];
  const drawn = fc.record({ children: drawnChildren(sellers.length, 9_999_999, 5), steps: drawnActions });
  const answers = new Map<string, number>();
  let done = 0;
  while (done < goal && !isOver(options)) {
    // The seed of fast-check is a number; it is printed with a failure.
    const seed = new Seeded(`${options.seed} marketplace ${done}`).below(2 ** 31);
    const stories = fc.sample(drawn, { seed, numRuns: Math.min(sequencesOfOneService, goal - done) });
    const service = await aService();
    for (const { children, steps } of stories) {
      await play(service, children, steps, answers).catch((error: unknown) => {
        wrong.push(`seed ${seed}: ${JSON.stringify({ children, steps })}: ${error}`);
      });
      service.world.bank.setFaults({});
      done += 1;
      if (isOver(options)) break;
    }
    problems.push(...(await findProblems(service.world)));
    options.print(`${figureText(done)} of ${figureText(goal)} sequences`);
  }
  options.print(`refunds: ${[...answers].map(([name, count]) => `${name} ${figureText(count)}`).join(', ')}`);
  return { done, wrong };
}

async function raceCancels(options: ProveOptions, problems: string[]): Promise<Counted> {
  const goal = scaled(goalCancels, options);
  const service = await aService();
  const nodes = [service, await serve(await aNode(service.world))] as const;
  const partner = await aPartner(service);
  const races: Raced[] = [];
  while (races.length < goal && !isOver(options)) {
    const count = Math.min(cancelsAtOnce, goal - races.length);
    const from = races.length;
    races.push(
      ...(await Promise.all(Array.from({ length: count }, (_, index) => raceCancel(nodes, partner, from + index)))),
    );
  }
  const { wrong, paid, canceled, returned } = await endRaces(service, races);
  problems.push(...(await findProblems(service.world)));
  options.print(
    `cancels against payments: ${figureText(paid)} paid, ${figureText(canceled)} canceled, ${figureText(returned)} of them returned`,
  );
  return { done: races.length, wrong };
}
