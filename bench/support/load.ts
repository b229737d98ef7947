// The load generator: keep-alive connections that each send the next request when the response to the previous one
// arrives.
//
// Not autocannon, because on two cores autocannon itself limited the fastest peer: with 128 connections the route that
// only responds reached 32,000 requests/s with autocannon and 41,000 with this. A slow load generator flatters
// everything that is compared with that peer. Requests are prepared as bytes, and only the status and length of a
// response are read. At the end no more requests are sent and all responses are awaited, so that every request sent is
// counted.

import { connect, type Socket } from 'node:net';
import { serveParent } from './child.ts';

export interface Load {
  /** Default POST. */
  readonly method?: 'GET' | 'POST';
  readonly host: string;
  readonly port: number;
  readonly path: string;
  /** Used in turn instead of `path`, each with the next body. */
  readonly paths?: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  /** Bearer tokens, used in turn, each with the next body. */
  readonly tokens?: readonly string[];
  /** Ports used in turn by the connections, instead of `port`. */
  readonly ports?: readonly number[];
  /** Used in turn. */
  readonly bodies: readonly string[];
  readonly connections: number;
  /** Requests during this time at the start are sent but not measured. */
  readonly warmupMilliseconds: number;
  readonly milliseconds: number;
}

export interface LoadSeen {
  /** Responses with 200, including those of the warm-up. */
  readonly ok: number;
  /** All other responses. */
  readonly notOk: number;
  readonly perSecond: number;
  readonly p50Milliseconds: number;
  readonly p99Milliseconds: number;
}

function requestsOf(load: Load): Buffer[] {
  const paths = load.paths ?? (load.tokens ?? load.bodies).map(() => load.path);
  return paths.map((path, index) => {
    const body = load.bodies[index % load.bodies.length] ?? '';
    const head = [
      `${load.method ?? 'POST'} ${path} HTTP/1.1`,
      `host: ${load.host}:${load.port}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
      ...Object.entries(load.headers).map(([name, value]) => `${name}: ${value}`),
      ...(load.tokens ? [`authorization: Bearer ${load.tokens[index % load.tokens.length]}`] : []),
    ];
    return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`);
  });
}

const lengthName = Buffer.from('content-length: ');
const headEnd = Buffer.from('\r\n\r\n');
const zero = 48;

/** The length of the first response in the bytes; 0 if it is incomplete. */
function answerLength(bytes: Buffer): number {
  const head = bytes.indexOf(headEnd);
  if (head < 0) return 0;
  const name = bytes.indexOf(lengthName);
  if (name < 0 || name > head) throw new Error('An answer came without a length.');
  let length = 0;
  for (let at = name + lengthName.length; (bytes[at] as number) >= zero; at += 1) {
    length = length * 10 + (bytes[at] as number) - zero;
  }
  const end = head + headEnd.length + length;
  return bytes.length >= end ? end : 0;
}

function run(load: Load): Promise<LoadSeen> {
  const requests = requestsOf(load);
  const latencies: number[] = [];
  let ok = 0;
  let notOk = 0;
  let sent = 0;
  let open = load.connections;
  const measuredFrom = performance.now() + load.warmupMilliseconds;
  const until = measuredFrom + load.milliseconds;

  return new Promise((resolve, reject) => {
    function begin(port: number): void {
      let socket: Socket;
      let sentAt = 0;
      let rest: Buffer | undefined;
      function send(now: number): void {
        sentAt = now;
        socket.write(requests[sent % requests.length] as Buffer);
        sent += 1;
      }
      function receive(size: number): boolean {
        const chunk = shared.subarray(0, size);
        const bytes = rest ? Buffer.concat([rest, chunk]) : chunk;
        if (answerLength(bytes) === 0) {
          rest = Buffer.from(bytes);
          return true;
        }
        rest = undefined;
        const now = performance.now();
        // "HTTP/1.1 200": the status is at offset 9.
        if (bytes[9] === 50 && bytes[10] === 48 && bytes[11] === 48) ok += 1;
        else notOk += 1;
        if (now >= measuredFrom && now < until) latencies.push(now - sentAt);
        if (now < until) send(now);
        else socket.end();
        return true;
      }
      socket = connect({ host: load.host, port, noDelay: true, onread: { buffer: shared, callback: receive } }, () =>
        send(performance.now()),
      );
      socket.on('error', reject);
      socket.on('close', () => {
        open -= 1;
        if (open === 0) resolve(summary());
      });
    }
    function summary(): LoadSeen {
      const sorted = Float64Array.from(latencies).sort();
      const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
      return {
        ok,
        notOk,
        perSecond: latencies.length / (load.milliseconds / 1_000),
        p50Milliseconds: at(0.5),
        p99Milliseconds: at(0.99),
      };
    }
    const ports = load.ports ?? [load.port];
    for (let index = 0; index < load.connections; index += 1) begin(ports[index % ports.length] ?? load.port);
  });
}

/** Shared by all connections: a response is handled before the next one is read. */
const shared = Buffer.alloc(65_536);

serveParent({}, run, async () => undefined);
