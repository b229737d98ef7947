// One browser that follows: what is to be sent to it, until it reads on. Changes that wait are merged, so that a slow
// browser costs nothing.

import type { Viewer } from '../../identity/index.ts';
import type { LiveKind } from './model.ts';

type Turn = IteratorResult<string, undefined>;

const over: Turn = { done: true, value: undefined };

function eventText(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** An iterator by hand: a generator that waits for something could not be ended by who reads it. */
export class Listener implements AsyncIterableIterator<string, undefined> {
  readonly viewer: Viewer;
  readonly #leave: () => void;
  readonly #kinds = new Set<LiveKind>();
  #begun = false;
  #texts: string[] = [];
  #ended = false;
  #reader: ((turn: Turn) => void) | undefined;
  #silent = 0;
  rounds = 0;

  constructor(viewer: Viewer, leave: () => void) {
    this.viewer = viewer;
    this.#leave = leave;
  }

  notify(kinds: readonly LiveKind[]): void {
    for (const kind of kinds) this.#kinds.add(kind);
    this.#wake();
  }

  /** A round without news; after some of them a comment keeps the connection open. */
  pass(silentAtMost: number): void {
    this.rounds += 1;
    this.#silent += 1;
    if (this.#silent < silentAtMost) return;
    if (this.#texts.length === 0) this.#texts.push(': nothing new\n\n');
    this.#wake();
  }

  /** `event` is sent last. */
  end(event?: 'ended'): void {
    if (this.#ended) return;
    this.#ended = true;
    if (event) this.#texts.push(eventText(event, {}));
    this.#leave();
    this.#wake();
  }

  #nextTurn(): Turn | undefined {
    const begin = this.#begun ? [] : [eventText('ready', {})];
    const news = this.#kinds.size > 0 ? [eventText('changed', { kinds: [...this.#kinds] })] : [];
    const texts = [...begin, ...news, ...this.#texts];
    if (texts.length === 0) return this.#ended ? over : undefined;
    this.#begun = true;
    this.#kinds.clear();
    this.#texts = [];
    this.#silent = 0;
    return { done: false, value: texts.join('') };
  }

  #wake(): void {
    const reader = this.#reader;
    const turn = reader && this.#nextTurn();
    if (!turn) return;
    this.#reader = undefined;
    reader?.(turn);
  }

  next(): Promise<Turn> {
    const turn = this.#nextTurn();
    if (turn) return Promise.resolve(turn);
    return new Promise((resolve) => {
      this.#reader = resolve;
    });
  }

  /** The browser hung up. */
  return(): Promise<Turn> {
    this.end();
    return Promise.resolve(over);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
