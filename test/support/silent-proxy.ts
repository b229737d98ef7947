// A TCP proxy in front of PostgreSQL. Its open connections can go silent, as after a failover or behind a firewall that
// dropped their state, while new ones work.

import { connect, createServer, type Socket } from 'node:net';
import { atEnd } from './service.ts';

/**
 * answers lost: what the client sends arrives, the server's responses do not. swallowed: what the client sends is
 * acknowledged and discarded. dropped: nothing is read any more, so nothing is acknowledged once the buffers are full.
 */
export type Silence = 'answers lost' | 'swallowed' | 'dropped';
export const silences: readonly Silence[] = ['answers lost', 'swallowed', 'dropped'];

export interface SilentProxy {
  /** The URL of the database through the proxy. */
  readonly url: string;
  /** Makes all open connections silent; returns how many. */
  silence(how: Silence): number;
  /** Breaks all connections and accepts no new ones, until the returned function is called. */
  cut(): () => void;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
}

function fallSilent({ client, server }: Pair, how: Silence): void {
  server.unpipe(client);
  if (how === 'answers lost') return void server.resume();
  client.unpipe(server);
  if (how === 'dropped') client.pause();
  else client.resume();
}

/** When one end closes, the other follows; a silent one does not end by itself. */
function join(pair: Pair, open: Set<Pair>): void {
  const { client, server } = pair;
  open.add(pair);
  client.pipe(server);
  server.pipe(client);
  for (const [one, other] of [
    [client, server],
    [server, client],
  ] as const) {
    one.on('error', () => undefined);
    one.on('close', () => {
      open.delete(pair);
      other.destroy();
    });
  }
}

/** Listens in front of this database until the test file ends. */
export async function aSilentProxy(databaseUrl: string): Promise<SilentProxy> {
  const target = new URL(databaseUrl);
  const open = new Set<Pair>();
  let away = false;
  const server = createServer((client) => {
    if (away) return void client.destroy();
    join({ client, server: connect(Number(target.port), '127.0.0.1') }, open);
  });
  const listening = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  atEnd(async () => {
    server.close();
    for (const pair of open) pair.client.destroy();
  });
  const place = server.address();
  if (place === null || typeof place === 'string') throw new Error('The proxy has no port.');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(place.port);
  return {
    url: url.toString(),
    cut() {
      away = true;
      for (const pair of open) pair.client.destroy();
      return () => {
        away = false;
      };
    },
    silence(how) {
      const pairs = [...open];
      open.clear();
      for (const pair of pairs) fallSilent(pair, how);
      atEnd(async () => {
        for (const { client, server: behind } of pairs) {
          client.destroy();
          behind.destroy();
        }
      });
      return pairs.length;
    },
  };
}
