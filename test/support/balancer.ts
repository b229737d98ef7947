// What a reverse proxy does for a client: nodes in turn, one connection for each request, and another node when a
// connection is refused (deploy/haproxy.cfg).

import { request } from 'node:http';

export interface BalancedAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  readonly body: any;
}

/** With two nodes, of which one is away, every second try succeeds. */
const triesAtMost = 10;

export class Balancer {
  readonly #urls: readonly string[];
  readonly #drained = new Set<string>();
  readonly #inFlight = new Map<string, Set<Promise<unknown>>>();
  #turn = 0;
  /** Connections that were refused; the requests went to the next node. */
  refused = 0;
  /** Connections that were closed before an answer; the client repeated its requests under their keys. */
  cut = 0;

  constructor(urls: readonly string[]) {
    this.#urls = urls;
  }

  /** Sends it no further requests and waits for the answers of those in flight, as before a planned restart. */
  async drain(url: string): Promise<void> {
    this.#drained.add(url);
    await Promise.allSettled(this.#inFlight.get(url) ?? []);
  }

  restore(url: string): void {
    this.#drained.delete(url);
  }

  /** Repeats what was refused or cut; any other fault, or no open node, is the caller's. */
  async post(path: string, headers: Readonly<Record<string, string>>, body: object): Promise<BalancedAnswer> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#send(this.#next(), path, headers, JSON.stringify(body));
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (tries === triesAtMost) throw error;
        if (code === 'ECONNREFUSED') this.refused += 1;
        else if (code === 'ECONNRESET') this.cut += 1;
        else throw error;
      }
    }
  }

  async #send(url: string, path: string, headers: Readonly<Record<string, string>>, body: string) {
    const inFlight = this.#inFlight.get(url) ?? new Set();
    this.#inFlight.set(url, inFlight);
    const sent = send(`${url}${path}`, headers, body);
    inFlight.add(sent);
    try {
      return await sent;
    } finally {
      inFlight.delete(sent);
    }
  }

  #next(): string {
    const open = this.#urls.filter((url) => !this.#drained.has(url));
    this.#turn += 1;
    return open[this.#turn % open.length] ?? '';
  }
}

function send(url: string, headers: Readonly<Record<string, string>>, body: string): Promise<BalancedAnswer> {
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', agent: false, headers: { 'content-type': 'application/json', ...headers } };
    const asked = request(url, options, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(parts).toString()) });
      });
    });
    asked.on('error', reject);
    asked.end(body);
  });
}
