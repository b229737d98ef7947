// Files that people are downloading: at most a few at once per person, and each ends when its reader hangs up or may see
// the account no more.

import { Streamed } from '../http/index.ts';
import { type Person, type Viewer, viewerOf, watchingOf } from '../identity/index.ts';
import { Unavailable } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';

const perUserAtMost = 3;

type Piece = string | Uint8Array;
type Turn = IteratorResult<Piece, undefined>;

const over: Turn = { done: true, value: undefined };

export class Downloads {
  readonly #tools: Pick<Tools, 'db' | 'wall'>;
  readonly #open = new Map<string, number>();

  constructor(tools: Pick<Tools, 'db' | 'wall'>) {
    this.#tools = tools;
  }

  /** The file, read on behalf of this person. */
  guard(person: Person, { headers, chunks }: Streamed): Streamed {
    const viewer = viewerOf(person);
    const { userId } = viewer;
    if ((this.#open.get(userId) ?? 0) >= perUserAtMost) {
      const message = `You are downloading ${perUserAtMost} files already.`;
      throw new Unavailable('too_many_requests', message, 30, 'Wait until one of them has ended.');
    }
    this.#count(userId, 1);
    return new Streamed(headers, new Download(this.#tools, viewer, chunks, () => this.#count(userId, -1)));
  }

  #count(userId: string, change: 1 | -1): void {
    const count = (this.#open.get(userId) ?? 0) + change;
    if (count > 0) this.#open.set(userId, count);
    else this.#open.delete(userId);
  }
}

/** An iterator by hand: a generator that looks for the next page could not be ended by who reads it. */
class Download implements AsyncIterableIterator<Piece, undefined> {
  readonly #tools: Pick<Tools, 'db' | 'wall'>;
  readonly #viewer: Viewer;
  readonly #chunks: AsyncIterator<Piece>;
  readonly #leave: () => void;
  #begun = false;
  #ended = false;

  constructor(tools: Pick<Tools, 'db' | 'wall'>, viewer: Viewer, chunks: AsyncIterable<Piece>, leave: () => void) {
    this.#tools = tools;
    this.#viewer = viewer;
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#leave = leave;
  }

  /** The next part that is not empty: a search may find nothing for a while, and can be ended between its pages. */
  async next(): Promise<Turn> {
    try {
      while (!this.#ended) {
        await this.#check();
        const turn = await this.#chunks.next();
        if (turn.done) this.#end();
        else if (turn.value !== '' && !this.#ended) return turn;
      }
      return over;
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  /** Breaks the connection: a file that just ended would look whole. */
  async #check(): Promise<void> {
    if (this.#begun) {
      const isWatching = await watchingOf(this.#tools, [this.#viewer]);
      if (!isWatching(this.#viewer)) throw new Error('Whoever downloads this may see it no more.');
    }
    this.#begun = true;
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#leave();
    // It may be reading a page; nobody waits for that.
    void this.#chunks.return?.()?.catch(() => undefined);
  }

  /** The reader hung up. */
  return(): Promise<Turn> {
    this.#end();
    return Promise.resolve(over);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
