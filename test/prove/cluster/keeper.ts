// What Patroni and HAProxy do, in miniature: one address that leads to the primary, checks of its health, and a
// promotion that first ends the old primary for certain.

import { connect, createServer, type Socket } from 'node:net';
import { type Loop, pause, startLoop } from '../../../src/runtime/index.ts';
import { atEnd } from '../../support/service.ts';
import type { PostgresServer } from './servers.ts';

const checkEveryMilliseconds = 500;
/** The primary is dead after so many failed checks in a row. */
const failuresAtMost = 3;
const promoteTries = 600;

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
}

export class Keeper {
  #primary: PostgresServer;
  #standbys: PostgresServer[];
  readonly #open = new Set<Pair>();
  #port = 0;
  #failures = 0;
  #moving: Promise<void> | undefined;
  #checks: Loop | undefined;
  promotions = 0;

  constructor(primary: PostgresServer, standbys: readonly PostgresServer[]) {
    this.#primary = primary;
    this.#standbys = [...standbys];
  }

  get primary(): PostgresServer {
    return this.#primary;
  }

  get standby(): PostgresServer {
    const [standby] = this.#standbys;
    if (!standby) throw new Error('There is no standby.');
    return standby;
  }

  /** The database as the nodes see it, whichever server is the primary. */
  get url(): string {
    const url = new URL(this.#primary.url);
    url.port = String(this.#port);
    return url.toString();
  }

  async start(): Promise<void> {
    const proxy = createServer((client) => this.#join(client));
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    this.#port = (proxy.address() as { port: number }).port;
    this.#checks = startLoop(
      checkEveryMilliseconds,
      () => this.#check(),
      () => undefined,
    );
    atEnd(async () => {
      await this.#checks?.stop();
      proxy.close();
      this.#breakAll();
    });
  }

  /** Open connections fall silent, both ways, as behind a firewall that dropped their state; new ones work. */
  dropPackets(): void {
    for (const pair of this.#open) {
      pair.client.unpipe(pair.server);
      pair.server.unpipe(pair.client);
      pair.client.resume();
      pair.server.resume();
    }
    this.#open.clear();
  }

  /** A planned move: the primary ends cleanly, then the most advanced standby takes over. */
  async switchOver(): Promise<void> {
    this.#moving ??= this.#move(() => this.#primary.stop());
    await this.#moving;
  }

  /** Waits until every server is back and follows the primary. */
  async whole(): Promise<void> {
    for (let tries = 0; tries < promoteTries; tries += 1) {
      await this.#moving;
      const following = await this.#primary.ask('select count(*) from pg_stat_replication').catch(() => '0');
      if (Number(following) === this.#standbys.length && !this.#moving) return;
      await pause(100);
    }
    throw new Error('The cluster is not whole again.');
  }

  async #check(): Promise<void> {
    if (this.#moving) return;
    const alive = await this.#primary.ask('select 1').catch(() => undefined);
    this.#failures = alive ? 0 : this.#failures + 1;
    if (this.#failures < failuresAtMost || this.#moving) return;
    this.#moving = this.#move(() => this.#primary.fence());
    await this.#moving;
  }

  async #move(end: () => Promise<void>): Promise<void> {
    const old = this.#primary;
    try {
      this.#breakAll();
      await end();
      await old.fence();
      const next = await this.#mostAdvanced();
      await next.ask('select pg_promote(false)');
      for (let tries = 0; (await next.ask('select pg_is_in_recovery()')) === 'true'; tries += 1) {
        if (tries === promoteTries) throw new Error(`${next.name} was not promoted.`);
        await pause(50);
      }
      const others = this.#standbys.filter((one) => one !== next);
      for (const other of others) await other.follow(next);
      this.#primary = next;
      this.#failures = 0;
      this.promotions += 1;
      this.#breakAll();
      old.copyFrom(next);
      await old.start();
      this.#standbys = [...others, old];
    } finally {
      this.#moving = undefined;
    }
  }

  /** Every acknowledged commit is on at least one standby: the one that received most has them all. */
  async #mostAdvanced(): Promise<PostgresServer> {
    const positions = await Promise.all(
      this.#standbys.map(async (standby) => ({
        standby,
        at: BigInt(
          await standby.ask("select pg_wal_lsn_diff(pg_last_wal_receive_lsn(), '0/0')::bigint").catch(() => '-1'),
        ),
      })),
    );
    const [most] = positions.sort((one, two) => (one.at < two.at ? 1 : -1));
    if (!most || most.at < 0n) throw new Error('No standby answers.');
    return most.standby;
  }

  #join(client: Socket): void {
    const server = connect(this.#primary.port, '127.0.0.1');
    const pair = { client, server };
    this.#open.add(pair);
    client.pipe(server);
    server.pipe(client);
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('error', () => undefined);
      one.on('close', () => {
        this.#open.delete(pair);
        other.destroy();
      });
    }
  }

  #breakAll(): void {
    for (const { client, server } of this.#open) {
      client.destroy();
      server.destroy();
    }
  }
}
