// What a request costs: the CPU time of this process, which includes the service, from its first byte to its response.

import type { Socket } from 'node:net';
import { usualBodyBytes } from '../../contract/endpoint.ts';
import type { Attack, Sent } from './hostile.ts';
import { openSocket, readAnswer } from './raw.ts';

export interface Place {
  readonly name: string;
  readonly url: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers that depend on the body, such as its signature. */
  readonly signed?: (body: string) => Readonly<Record<string, string>>;
  readonly attacks: readonly Attack[];
  /** How large a body it accepts, if more than usual. */
  readonly bodyBytes?: number;
}

export interface Cost {
  readonly name: string;
  readonly status: number;
  readonly milliseconds: number;
  /** Relative to the CPU of a plain request of the same size. */
  readonly ratio: number;
  readonly bodyBytes: number;
}

const warmups = 20;
const plainTries = 20;
/**
 * Other processes use the machine too, and garbage of earlier requests is collected at some point: the minimum of
 * several tries counts.
 */
const triesAtMost = 25;
/** Below this ratio there is no closer look. */
const harmlessRatio = 3;

/** Sequential connections, each used for as long as the service keeps it. */
class Line {
  readonly #url: string;
  #socket: Socket | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  async send(bytes: Buffer): Promise<number> {
    this.#socket ??= await openSocket(this.#url);
    const socket = this.#socket;
    const parts: Buffer[] = [];
    return new Promise((resolve, reject) => {
      const onData = (part: Buffer) => {
        parts.push(part);
        const text = Buffer.concat(parts).toString('latin1');
        if (!text.includes('\r\n\r\n')) return;
        const { answer } = readAnswer(text);
        if (Buffer.byteLength(answer.text) < Number(answer.headers.get('content-length') ?? 0)) return;
        if (answer.headers.get('connection') === 'close') this.close();
        done();
        resolve(answer.status);
      };
      const onClose = () => {
        this.close();
        done();
        reject(new Error(`The connection ended: ${Buffer.concat(parts).toString('latin1').slice(0, 200)}`));
      };
      const done = () => void socket.off('data', onData).off('close', onClose);
      socket.on('data', onData).on('close', onClose);
      socket.write(bytes);
    });
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }
}

function bytesOf(place: Place, { query, headers, body = '' }: Sent): Buffer {
  const all: Record<string, string> = { host: 'x', ...place.headers, ...place.signed?.(body), ...headers };
  if (place.method !== 'GET') all['content-length'] = String(Buffer.byteLength(body));
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const path = query === undefined ? place.path : `${place.path}?${query}`;
  return Buffer.from(`${place.method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

/** What each hostile request to the place costs. `pass` advances the service's clock, so that no rate limit applies. */
export async function costsOf(place: Place, pass: () => void): Promise<Cost[]> {
  const line = new Line(place.url);

  async function once(bytes: Buffer): Promise<{ status: number; milliseconds: number }> {
    pass();
    const before = process.cpuUsage();
    const status = await line.send(bytes);
    const { user, system } = process.cpuUsage(before);
    return { status, milliseconds: (user + system) / 1_000 };
  }

  async function costOf(sent: Sent, plain: number, plainBytes: Buffer): Promise<Cost> {
    const bytes = bytesOf(place, sent);
    let { status, milliseconds } = await once(bytes);
    for (let tries = 1; tries < triesAtMost && milliseconds > plain * harmlessRatio; tries += 1) {
      milliseconds = Math.min(milliseconds, (await once(bytes)).milliseconds);
    }
    const { bodyBytes = usualBodyBytes } = place;
    const cost = { name: `${place.name}: ${sent.name}`, status, milliseconds, ratio: milliseconds / plain, bodyBytes };
    return isTooExpensive(cost) ? byTurns(cost, bytes, plainBytes) : cost;
  }

  /** The machine may have been faster when the plain request was measured: both again, by turns. */
  async function byTurns(cost: Cost, bytes: Buffer, plainBytes: Buffer): Promise<Cost> {
    let [milliseconds, plain] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let tries = 0; tries < triesAtMost * 2; tries += 1) {
      plain = Math.min(plain, (await once(plainBytes)).milliseconds);
      milliseconds = Math.min(milliseconds, (await once(bytes)).milliseconds);
    }
    return { ...cost, milliseconds, ratio: milliseconds / plain };
  }

  try {
    const costs: Cost[] = [];
    for (const { plain, hostile } of place.attacks) {
      const bytes = bytesOf(place, plain);
      for (let index = 0; index < warmups; index += 1) await once(bytes);
      const seen: number[] = [];
      for (let index = 0; index < plainTries; index += 1) seen.push((await once(bytes)).milliseconds);
      const least = Math.min(...seen);
      for (const sent of hostile()) costs.push(await costOf(sent, least, bytes));
    }
    return costs;
  } finally {
    line.close();
  }
}

/** No request may cost more before it is refused; where bodies of 1 MiB are allowed, to holders of a token only. */
export const millisecondsAtMost = 20;
const largeMillisecondsAtMost = 100;
export const ratioAtMost = 5;

export function isTooExpensive({ milliseconds, ratio, bodyBytes }: Cost): boolean {
  const most = bodyBytes > usualBodyBytes ? largeMillisecondsAtMost : millisecondsAtMost;
  return ratio > ratioAtMost || milliseconds > most;
}

export function costText({ name, status, milliseconds, ratio }: Cost): string {
  return `${ratio.toFixed(1)} times plain, ${milliseconds.toFixed(1)} ms, ${status}: ${name}`;
}
