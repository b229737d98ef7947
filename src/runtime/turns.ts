// Shares the turns of the event loop among requests. However many arrive at once, a turn works on them for a few
// milliseconds only; the others wait for the next turns, and what else is due runs in between.

import { nextTurn } from './loop.ts';

/** Less than a response takes; a turn lasts for so long and one more request. */
const turnMilliseconds = 10;

/** Why a request waits: one that takes long to read lets those that do not go first. */
export type Weight = 'light' | 'heavy';

export class Turns {
  /** When the first request of this turn came; undefined before it. */
  #began: number | undefined;
  #heavy = 0;
  readonly #waiting: Record<Weight, (() => void)[]> = { light: [], heavy: [] };
  #isSharing = false;

  /** Undefined if the request may go on at once, as nearly always; otherwise resolves when it is its turn. */
  enter(weight: Weight): Promise<void> | undefined {
    const now = performance.now();
    if (this.#began === undefined) this.#begin(now);
    if (this.#isFree(weight, now)) {
      if (weight === 'heavy') this.#heavy += 1;
      return undefined;
    }
    return new Promise((resolve) => this.#waiting[weight].push(resolve));
  }

  /** Resolves in a later turn: for the next part of what takes long. */
  again(weight: Weight): Promise<void> {
    if (this.#began === undefined) this.#begin(performance.now());
    return new Promise((resolve) => this.#waiting[weight].push(resolve));
  }

  #isFree(weight: Weight, now: number): boolean {
    if (this.#waiting[weight].length > 0 || now - (this.#began ?? now) >= turnMilliseconds) return false;
    return weight === 'light' || this.#heavy === 0;
  }

  #begin(now: number): void {
    [this.#began, this.#heavy] = [now, 0];
    if (!this.#isSharing) void this.#share();
  }

  /** Ends the turn, and lets those in that wait, until nobody does. */
  async #share(): Promise<void> {
    this.#isSharing = true;
    await nextTurn();
    const { light, heavy } = this.#waiting;
    while (light.length + heavy.length > 0) {
      const began = performance.now();
      [this.#began, this.#heavy] = [began, heavy.length > 0 ? 1 : 0];
      while (light.length > 0 && performance.now() - began < turnMilliseconds) await letIn(light);
      await letIn(heavy);
      await nextTurn();
    }
    this.#began = undefined;
    this.#isSharing = false;
  }
}

/** Resumes the first of them, which runs up to where it waits for something, before this goes on. */
async function letIn(waiting: (() => void)[]): Promise<void> {
  waiting.shift()?.();
  await undefined;
}

/** There is one loop in a process. */
const turns = new Turns();

/** Undefined if a request may be worked on at once, as nearly always; otherwise resolves when it is its turn. */
export function enterTurn(weight: Weight): Promise<void> | undefined {
  return turns.enter(weight);
}

/** How long the steps of one turn take. */
const stepsMilliseconds = 5;

/** Does what is written in steps: as many in each turn of the loop as take a few milliseconds. */
export async function inTurns<T>(steps: Iterator<undefined, T>): Promise<T> {
  let began = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() - began < stepsMilliseconds) continue;
    await laterTurn('heavy');
    began = performance.now();
  }
}

/** `map`, in as many turns as it takes. */
export function mapInTurns<T, R>(items: readonly T[], map: (item: T) => R): Promise<R[]> {
  return inTurns(mapSteps(items, map));
}

function* mapSteps<T, R>(items: readonly T[], map: (item: T) => R): Generator<undefined, R[]> {
  const mapped: R[] = [];
  for (const item of items) {
    mapped.push(map(item));
    yield;
  }
  return mapped;
}

/** Resolves in a later turn of the loop, with the others that wait: for the next part of what takes long. */
export function laterTurn(weight: Weight): Promise<void> {
  return turns.again(weight);
}
