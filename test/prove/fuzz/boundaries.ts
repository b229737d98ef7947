// Boundary values in every place of every endpoint and page: one wrong value at a time in an otherwise valid request,
// so that it gets as far as possible.

import { Agent, type Dispatcher, request } from 'undici';
import { within } from '../../../src/runtime/index.ts';
import { Seeded } from '../../support/seeded.ts';
import { aToken } from '../../support/service.ts';
import { figureText, isOver, noneOf, type ProveOptions, type Seen } from '../figure.ts';
import type { Place } from './places.ts';
import { type Caller, openTargets, type Target } from './stage.ts';
import { words } from './values.ts';

const atOnce = 8;
/** Minimum number of values per place; a scaled run uses only these. */
const roundsAtLeast = 3;
/** Requests per token: half of its lifetime. */
const tokenRequests = 36_000;

interface Shot {
  readonly target: Target;
  readonly place: Place;
  readonly value: string;
}

/**
 * In each round every place gets the next of its values; the seed determines where each starts. The least rounds give
 * every place one value of each kind; headers, which have values of one kind only, begin with the last of them.
 */
function* shotsOf(targets: readonly Target[], seed: string): Generator<Shot[]> {
  const all = targets.flatMap((target) =>
    target.places.map((place) => ({
      target,
      place,
      start: new Seeded(`${seed} ${place.name}`).below(place.values.length),
      first: place.values === words ? roundsAtLeast - 1 : 0,
    })),
  );
  const rounds = Math.max(...all.map(({ place, first }) => first + place.values.length));
  for (let round = 0; round < rounds; round += 1) {
    yield all
      .filter(({ place, first }) => round >= first && round < first + place.values.length)
      .map(({ target, place, start, first }) => ({
        target,
        place,
        value: place.values[(start + round - first) % place.values.length] ?? '',
      }));
  }
}

/** Larger than any response, so that its connection is used again. */
const bytesAtMost = 2 ** 24;

/** What is wrong with the response, if anything. Not by `fetch`, which took half of the time of a run. */
async function send(
  { target, place, value }: Shot,
  token: string,
  dispatcher: Dispatcher,
  tally: Map<number, number>,
): Promise<string | undefined> {
  const { method, path, headers, body } = place.request(value);
  const answered = request(`${target.url}${path}`, {
    dispatcher,
    method: method as Dispatcher.HttpMethod,
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const response = await within(30_000, 'no answer', answered);
  const { statusCode } = response;
  tally.set(statusCode, (tally.get(statusCode) ?? 0) + 1);
  if (statusCode < 500) return void (await response.body.dump({ limit: bytesAtMost }));
  return `${statusCode}: ${(await response.body.text()).slice(0, 200)}`;
}

/** Tokens expire by the wall clock, which the fuzz moves: rate limits use it too. */
class Tokens {
  readonly #tokens = new Map<Caller, { token: string; left: number }>();

  async of(caller: Caller): Promise<string> {
    const { service, merchant } = caller;
    service.world.wall.advance({ milliseconds: 100 });
    const known = this.#tokens.get(caller) ?? { token: merchant.token, left: tokenRequests };
    if (known.left === 0) known.token = await aToken(service, merchant.clientId, merchant.clientSecret);
    known.left = known.left === 0 ? tokenRequests : known.left - 1;
    this.#tokens.set(caller, known);
    return known.token;
  }
}

export async function proveBoundaries(options: ProveOptions): Promise<Seen[]> {
  const targets = await openTargets();
  const tokens = new Tokens();
  const dispatcher = new Agent();
  const wrong: string[] = [];
  const tally = new Map<number, number>();
  const whole = targets.flatMap(({ places }) => places).reduce((sum, { values }) => sum + values.length, 0);
  let [sent, rounds] = [0, 0];
  for (const shots of shotsOf(targets, options.seed)) {
    if (isOver(options) || (sent >= whole * options.scale && rounds >= roundsAtLeast)) break;
    const waiting = shots.values();
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (const shot of waiting) {
          const { place, value } = shot;
          const token = await tokens.of(shot.target.caller);
          const fault = await send(shot, token, dispatcher, tally).catch(textOf);
          if (fault !== undefined) wrong.push(`${place.name} = ${JSON.stringify(value.slice(0, 80))}: ${fault}`);
        }
      }),
    );
    sent += shots.length;
    rounds += 1;
    options.print(`round ${rounds}: ${figureText(sent)} of ${figureText(whole)} requests, ${wrong.length} wrong`);
  }
  await dispatcher.close();
  const counts = [...tally].sort(([left], [right]) => left - right).map(([status, count]) => `${status} ${count}`);
  options.print(`answers: ${counts.join(', ')}`);
  const ready = await fetch(`${targets[0]?.url}/health/ready`);
  if (ready.status !== 200) wrong.push('The service is not ready any more.');
  for (const note of wrong.slice(0, 40)) options.print(`  ${note}`);
  return [
    noneOf('5xx or exits at boundary values of every parameter of every endpoint and page', wrong.length, sent, whole),
  ];
}

function textOf(error: Error): string {
  return `${error.message} ${error.cause ?? ''}`;
}
