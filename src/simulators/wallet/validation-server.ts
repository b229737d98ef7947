// The vendor's validation endpoint: mutual TLS, a session per request. It can misbehave, because the service must cope
// with that.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Clock, Random } from '../../runtime/index.ts';
import { readSessionRequest, signSession } from './session.ts';
import type { Vendor } from './vendor.ts';

/** How it responds; `session` is normal. */
export type ValidationBehavior = 'session' | 'redirect' | 'error' | 'too_large' | 'not_json' | 'hang' | 'drop';

export interface ValidationServer {
  readonly port: number;
  /** The value for `WALLET_VALIDATION_HOSTS`. */
  readonly host: string;
  /** Connections so far: a refused URL must not cause one. */
  connections(): number;
  /** How it responds from now on. */
  become(mood: ValidationBehavior): void;
  /** Also ends hanging requests. */
  close(): Promise<void>;
}

export interface ValidationServerOptions {
  readonly vendor: Vendor;
  readonly clock: Clock;
  readonly random: Random;
  /** 0: any free port. */
  readonly port?: number;
  readonly hostName?: string;
}

const requestBytesAtMost = 16 * 1_024;
const tooLargeBytes = 256 * 1_024;

export async function startValidationServer(options: ValidationServerOptions): Promise<ValidationServer> {
  const { vendor, clock, hostName = 'localhost' } = options;
  const identity = vendor.issueServer([hostName], clock.now());
  let mood: ValidationBehavior = 'session';
  let connections = 0;
  const tls = {
    key: identity.privateKey.reveal(),
    cert: identity.certificate,
    ca: vendor.rootPem,
    requestCert: true,
    // Refused with a status instead of a failed handshake, which a merchant can read.
    rejectUnauthorized: false,
  };
  const server = createServer(tls, (request, response) => {
    const { authorized } = request.socket as TLSSocket;
    if (!authorized) answer(response, 403, '{"error":"no merchant identity"}');
    else if (mood === 'session') void answerSession(request, response, options);
    else misbehaviors[mood](request, response);
  });
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    connections += 1;
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    host: `${hostName}:${port}`,
    connections: () => connections,
    become: (next) => {
      mood = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // Including those in the middle of their handshake.
        for (const socket of open) socket.destroy();
      }),
  };
}

async function answerSession(
  request: IncomingMessage,
  response: ServerResponse,
  { vendor, clock, random }: ValidationServerOptions,
): Promise<void> {
  const body = await bodyOf(request).catch(() => undefined);
  const wanted = request.method === 'POST' && body !== undefined ? readSessionRequest(body) : undefined;
  if (!wanted) return answer(response, 400, '{"error":"not a session request"}');
  answer(response, 200, JSON.stringify(signSession(vendor, wanted, clock.now(), random)));
}

/** The body, up to a limit; undefined beyond it. */
async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > requestBytesAtMost) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

type BadMood = Exclude<ValidationBehavior, 'session'>;

const misbehaviors: Readonly<Record<BadMood, (request: IncomingMessage, response: ServerResponse) => void>> = {
  redirect: (_, response) => {
    response.setHeader('location', 'https://localhost/elsewhere');
    answer(response, 302, '');
  },
  error: (_, response) => answer(response, 500, '{"error":"broken"}'),
  too_large: (_, response) => answer(response, 200, JSON.stringify({ padding: 'x'.repeat(tooLargeBytes) })),
  not_json: (_, response) => answer(response, 200, '<html></html>'),
  /** Reads the request and never responds. */
  hang: (request) => request.resume(),
  drop: (request) => request.destroy(),
};

function answer(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}
