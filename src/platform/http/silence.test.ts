import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { Connections, keepAlive, lookEveryMilliseconds } from './silence.ts';

suite('silent connections', () => {
  const connections = new Connections();
  const server = createServer((socket) => socket.on('data', (piece) => socket.write(piece)));

  before(async () => {
    server.on('connection', (socket) => connections.add(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(() => server.close());

  async function aClient(): Promise<{ socket: Socket; echo(): Promise<unknown>; closed: Promise<unknown> }> {
    const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
    await Promise.all([once(socket, 'connect'), once(server, 'connection')]);
    const echo = () => {
      socket.write('x');
      return once(socket, 'data');
    };
    return { socket, echo, closed: once(socket, 'close') };
  }

  const look = (times: number) => {
    for (let looked = 0; looked < times; looked += 1) connections.closeSilent();
  };

  // Guarantee: a connection that nobody uses is closed in the end, and never while something still moves on it.
  test('only those on which nothing moves are closed', async () => {
    const [silent, busy] = [await aClient(), await aClient()];
    await Promise.all([silent.echo(), busy.echo()]);
    look(6);
    await busy.echo();
    look(1);
    await silent.closed;
    look(5);
    await busy.echo();
    look(6);
    assert.equal(busy.socket.destroyed, false);
    look(1);
    await busy.closed;
  });

  // Guarantee: a client that trusts our word never sends into a connection that we are closing.
  test('clients are told of less time than there is', async () => {
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const client = await aClient();
    const [socket] = await accepted;
    await client.echo();
    let looks = 0;
    for (; looks < 100 && !socket.destroyed; looks += 1) connections.closeSilent();
    const told = Number(keepAlive.replace('timeout=', '')) * 1_000;
    // Something may have moved right before the first look.
    assert.ok(told < (looks - 1) * lookEveryMilliseconds, `${told} and ${looks} looks`);
    await client.closed;
  });
});
