// Merchants that create and pay without a break, repeat each request with its key until it is answered, and remember
// what they were told.

import { pause } from '../../../src/runtime/index.ts';

const clients = 12;
const retryMilliseconds = 100;
/** Longer than the service ever takes. */
const givenUpMilliseconds = 30_000;
const triesAtMost = 2_000;

/** What the merchants saw during one fault. */
export interface Window {
  readonly name: string;
  readonly created: string[];
  readonly paid: string[];
  readonly statuses: Map<string, number>;
  longestWait: number;
  longestGap: number;
}

export class Load {
  readonly #urls: () => readonly string[];
  readonly #token: string;
  #window: Window = windowOf('');
  #running: Promise<unknown> | undefined;
  #stopped = false;
  #sent = 0;
  #lastWrite = performance.now();

  constructor(urls: () => readonly string[], token: string) {
    this.#urls = urls;
    this.#token = token;
  }

  start(): void {
    this.#lastWrite = performance.now();
    this.#running = Promise.all(Array.from({ length: clients }, (_, index) => this.#client(index)));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  /** A new window; returns it. */
  begin(name: string): Window {
    this.#window = windowOf(name);
    this.#lastWrite = performance.now();
    return this.#window;
  }

  /** Waits for so many writes from now on. */
  async writes(count: number): Promise<void> {
    const seen = () => this.#window.created.length + this.#window.paid.length;
    const goal = seen() + count;
    for (let tries = 0; seen() < goal; tries += 1) {
      if (tries > 2_000) throw new Error(`No writes during ${this.#window.name}.`);
      await pause(50);
    }
  }

  async #client(index: number): Promise<void> {
    for (let round = 0; !this.#stopped; round += 1) {
      const key = `cluster-${index}-${round}`;
      const body = { amount: 10.01, description: 'Order' };
      const made = await this.#untilAnswered('/transactions', `${key}-create`, body);
      const id = String(made.transactionId);
      this.#note('created', id);
      const code = { groupId: 150, blikPaymentData: { blikToken: '777123' } };
      const paid = await this.#untilAnswered(`/transactions/${id}/pay`, `${key}-pay`, code);
      if (paid.status === 'paid') this.#note('paid', id);
    }
  }

  #note(what: 'created' | 'paid', id: string): void {
    this.#window[what].push(id);
    const now = performance.now();
    this.#window.longestGap = Math.max(this.#window.longestGap, now - this.#lastWrite);
    this.#lastWrite = now;
  }

  async #untilAnswered(path: string, key: string, body: object): Promise<Record<string, unknown>> {
    for (let tries = 0; tries < triesAtMost; tries += 1) {
      const answer = await this.#ask(path, key, body);
      if (answer?.status === 200) return answer.body;
      if (answer && answer.status < 500 && answer.status !== 409) {
        throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      }
      await pause(retryMilliseconds);
    }
    throw new Error(`${path} was not answered.`);
  }

  async #ask(path: string, key: string, body: object) {
    this.#sent += 1;
    const urls = this.#urls();
    const begun = performance.now();
    const seen = this.#window;
    try {
      const response = await fetch(`${urls[this.#sent % urls.length]}${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${this.#token}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(givenUpMilliseconds),
      });
      const answered = { status: response.status, body: (await response.json()) as Record<string, unknown> };
      count(seen, String(response.status));
      return answered;
    } catch {
      // Refused or broken: the node is gone.
      count(seen, 'no answer');
      return undefined;
    } finally {
      seen.longestWait = Math.max(seen.longestWait, performance.now() - begun);
    }
  }
}

function windowOf(name: string): Window {
  return { name, created: [], paid: [], statuses: new Map(), longestWait: 0, longestGap: 0 };
}

function count({ statuses }: Window, status: string): void {
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
}
