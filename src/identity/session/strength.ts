// How hard passwords are to guess: an estimator with lists of common passwords, keyboard patterns, dates and repetitions
// (zxcvbn-ts), in a thread of its own. The thread starts with the first question and ends with the process.

import { Worker } from 'node:worker_threads';
import { knownWords, withoutWords } from './rules.ts';

export interface StrengthQuestion {
  readonly id: number;
  readonly texts: readonly string[];
  readonly words: readonly string[];
}

export interface StrengthAnswer {
  readonly id: number;
  readonly guessesLog10: readonly number[];
}

/** Of the whole password, and of what is left of it without the words that anybody would try for this person. */
const wholeAtLeast = 9;
const restAtLeast = 7;

interface Waiting {
  readonly resolve: (answer: StrengthAnswer) => void;
  readonly reject: (error: Error) => void;
}

class Estimator {
  #thread: Worker | undefined;
  #asked = 0;
  readonly #waiting = new Map<number, Waiting>();

  ask(texts: readonly string[], words: readonly string[]): Promise<StrengthAnswer> {
    this.#asked += 1;
    const id = this.#asked;
    const thread = this.#start();
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      // While somebody waits, the process must not end.
      thread.ref();
      const question: StrengthQuestion = { id, texts, words };
      thread.postMessage(question);
    });
  }

  #start(): Worker {
    if (this.#thread) return this.#thread;
    const thread = new Worker(new URL('./strength-thread.ts', import.meta.url));
    thread.on('message', (answer: StrengthAnswer) => {
      this.#waiting.get(answer.id)?.resolve(answer);
      this.#waiting.delete(answer.id);
      if (this.#waiting.size === 0) thread.unref();
    });
    thread.on('error', (error: Error) => this.#fail(error));
    thread.on('exit', () => this.#fail(new Error('The thread that estimates passwords ended.')));
    this.#thread = thread;
    return thread;
  }

  /** The next question starts another thread. */
  #fail(error: Error): void {
    this.#thread = undefined;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

const estimator = new Estimator();

export interface Owner {
  readonly email: string;
  readonly name: string;
}

/** Whether a password is easy to guess, for anybody or for somebody who knows the person. */
export async function isWeakPassword(password: string, owner: Owner): Promise<boolean> {
  const words = knownWords(owner);
  const rest = withoutWords(password, words);
  const { guessesLog10 } = await estimator.ask([password, rest], words);
  const [ofWhole = 0, ofRest = 0] = guessesLog10;
  return ofWhole < wholeAtLeast || ofRest < restAtLeast;
}
