// A merchant's receiver: real HTTP on 127.0.0.1, whose response can change in the middle of a test.

import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { atEnd } from './service.ts';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/**
 * How it responds: a status and a body, or nothing (`hang`), or bytes until the other side hangs up (`flood`), or a
 * broken connection (`drop`).
 */
export type ReceiverAnswer =
  | { readonly status: number; readonly body: string; readonly headers?: Record<string, string> }
  | 'hang'
  | 'flood'
  | 'drop';

export const confirmed: ReceiverAnswer = { status: 200, body: 'TRUE' };

export class Receiver {
  readonly received: Received[] = [];
  /** The response to the next requests; change it at any time. */
  answer: ReceiverAnswer | ((received: Received) => ReceiverAnswer | Promise<ReceiverAnswer>) = confirmed;
  /** Bytes of floods that were sent. */
  bytesSent = 0;
  /** Requests in progress, now and at most so far. */
  inFlight = 0;
  inFlightAtMost = 0;
  readonly url: string;
  readonly #waiting: { count: number; resolve: () => void }[] = [];

  constructor(url: string) {
    this.url = url;
  }

  /** The ids received, in order. */
  get ids(): string[] {
    return this.received.map(({ headers }) => String(headers['webhook-id']));
  }

  /** Resolves when this many requests have arrived. */
  async got(count: number): Promise<void> {
    if (this.received.length >= count) return;
    await new Promise<void>((resolve) => this.#waiting.push({ count, resolve }));
  }

  async receive(received: Received, response: ServerResponse): Promise<void> {
    this.received.push(received);
    this.inFlight += 1;
    this.inFlightAtMost = Math.max(this.inFlightAtMost, this.inFlight);
    response.once('close', () => {
      this.inFlight -= 1;
    });
    for (const { count, resolve } of this.#waiting) if (this.received.length >= count) resolve();
    const answer = typeof this.answer === 'function' ? await this.answer(received) : this.answer;
    if (answer === 'flood') this.#flood(response);
    else if (answer === 'drop') response.destroy();
    else if (answer !== 'hang') response.writeHead(answer.status, answer.headers).end(answer.body);
  }

  /** A gigabyte, or as much of it as the other side accepts. */
  #flood(response: ServerResponse): void {
    const chunk = Buffer.alloc(65_536, 'TRUE ');
    const pour = () => {
      while (this.bytesSent < 1_073_741_824) {
        if (response.destroyed) return;
        this.bytesSent += chunk.length;
        if (!response.write(chunk)) {
          response.once('drain', pour);
          return;
        }
      }
      response.end();
    };
    response.writeHead(200);
    pour();
  }
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (!address || typeof address === 'string') throw new Error('No port.');
  return `http://127.0.0.1:${address.port}`;
}

/** A listening receiver; closed when the test file ends. */
export async function aReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      void receiver.receive({ path: request.url ?? '', headers: request.headers, body }, response);
    });
    request.on('error', () => undefined);
  });
  const receiver = new Receiver(await listen(server));
  atEnd(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return receiver;
}
