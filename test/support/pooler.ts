// A minimal connection pooler in transaction mode: a server connection belongs to a client only during a transaction,
// the client's startup parameters are ignored, and prepared statements stay where they were created.

import { createServer, type Socket } from 'node:net';
import pg from 'pg';
import { atEnd } from './service.ts';

/** Splits a stream into messages of the protocol: a letter, four bytes of length, and the rest. */
class Frames {
  #bytes = Buffer.alloc(0);

  take(chunk: Buffer): Buffer[] {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    const frames: Buffer[] = [];
    while (this.#bytes.length >= 5 && this.#bytes.length >= 1 + this.#bytes.readUInt32BE(1)) {
      const size = 1 + this.#bytes.readUInt32BE(1);
      frames.push(this.#bytes.subarray(0, size));
      this.#bytes = this.#bytes.subarray(size);
    }
    return frames;
  }
}

/** Welcome: authenticated, UTF-8, ready for queries. */
function welcome(): Buffer {
  const message = (type: string, body: Buffer) => {
    const head = Buffer.alloc(5);
    head.write(type);
    head.writeUInt32BE(4 + body.length, 1);
    return Buffer.concat([head, body]);
  };
  return Buffer.concat([
    message('R', Buffer.alloc(4)),
    message('S', Buffer.from('client_encoding\0UTF8\0')),
    message('Z', Buffer.from('I')),
  ]);
}

/** A connection to the server, authenticated by pg; after that we use its bytes. */
class Backend {
  readonly #stream: pg.Connection['stream'];
  owner: Client | undefined;

  constructor(client: pg.Client, onIdle: (backend: Backend) => void) {
    this.#stream = client.connection.stream;
    const frames = new Frames();
    this.#stream.removeAllListeners('data').on('data', (chunk: Buffer) => {
      for (const frame of frames.take(chunk)) {
        this.owner?.socket.write(frame);
        if (frame.toString('latin1', 0, 1) === 'Z' && frame.toString('latin1', 5, 6) === 'I') onIdle(this);
      }
    });
  }

  write(bytes: Buffer): void {
    this.#stream.write(bytes);
  }
}

class Client {
  readonly socket: Socket;
  readonly waiting: Buffer[] = [];
  backend: Backend | undefined;

  constructor(socket: Socket) {
    this.socket = socket;
  }
}

/** The URL of a pooler with this many connections to the database; it ends with the test file. */
export async function aPooler(databaseUrl: string, size = 2): Promise<string> {
  const idle: Backend[] = [];
  const clients = new Set<Client>();
  const serve = () => {
    for (const client of clients) {
      if (client.waiting.length === 0) continue;
      client.backend ??= idle.pop();
      if (!client.backend) return;
      client.backend.owner = client;
      for (const bytes of client.waiting.splice(0)) client.backend.write(bytes);
    }
  };
  const free = (backend: Backend) => {
    if (backend.owner) backend.owner.backend = undefined;
    backend.owner = undefined;
    idle.push(backend);
    serve();
  };
  for (let made = 0; made < size; made += 1) {
    const client = new pg.Client({ connectionString: databaseUrl });
    client.on('error', () => undefined);
    await client.connect();
    atEnd(async () => void client.connection.stream.destroy());
    idle.push(new Backend(client, free));
  }
  const server = createServer((socket) => {
    const client = new Client(socket);
    clients.add(client);
    const frames = new Frames();
    socket.on('error', () => undefined);
    socket.on('close', () => clients.delete(client));
    socket.once('data', () => {
      socket.write(welcome());
      socket.on('data', (chunk: Buffer) => {
        // Terminate is for the pooler, not for the server.
        client.waiting.push(...frames.take(chunk).filter((frame) => frame.toString('latin1', 0, 1) !== 'X'));
        serve();
      });
    });
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  atEnd(async () => {
    server.close();
    for (const { socket } of clients) socket.destroy();
  });
  const place = server.address();
  if (place === null || typeof place === 'string') throw new Error('The pooler has no port.');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(place.port);
  return url.toString();
}
