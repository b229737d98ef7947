// What is done after a response, so that its time tells nothing about it.

import type { Log } from '../runtime/index.ts';

const atMost = 200;

export class Afterwards {
  readonly #running = new Set<Promise<void>>();
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Starts the work; if too much is running, it is left out. */
  run(work: () => Promise<void>): void {
    if (this.#running.size >= atMost) {
      this.#log.warn('too much runs after responses: a mail was left out');
      return;
    }
    const running: Promise<void> = work()
      .catch((error: unknown) => this.#log.error({ err: error }, 'what follows a response failed'))
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Resolves when everything that was started has ended. */
  async drain(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
