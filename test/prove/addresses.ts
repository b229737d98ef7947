// Refused addresses that opened a socket: saved through the API, and sent to by the guarded client.

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { openOutbound } from '../../src/outbound/index.ts';
import { literals, names, odd } from '../support/address-vectors.ts';
import { aMerchant, aService } from '../support/service.ts';
import type { ProveOptions, Seen } from './figure.ts';

const goalAddresses = 120;
const strict = { allowHttp: false, allowPrivate: false };
const limits = { milliseconds: 2_000, answerBytes: 1_024 };

export async function proveAddresses({ print }: ProveOptions): Promise<Seen[]> {
  const service = await aService({ config: { callbackPolicy: strict } });
  const merchant = await aMerchant(service);
  const refused = [...literals, ...odd];
  const saved: string[] = [];
  for (const url of refused) {
    const body = { amount: 1, description: 'x', callbacks: { notification: { url } } };
    const { status } = await service.ask('POST', '/transactions', { token: merchant.token, body });
    if (status !== 400) saved.push(url);
  }
  const sockets: string[] = [];
  const listen = (message: unknown) => {
    const { socket } = message as { socket: Socket };
    socket.on('connectionAttempt', (address: string) => sockets.push(address));
  };
  const outbound = openOutbound({
    policy: strict,
    resolve: async (name) => [...(names.find(([known]) => known === name)?.[1] ?? ['127.0.0.1'])],
  });
  subscribe('net.client.socket', listen);
  try {
    for (const url of [...refused, ...names.map(([name]) => `https://${name}/`)]) {
      await outbound.post(url, {}, new Uint8Array(), limits);
    }
  } finally {
    unsubscribe('net.client.socket', listen);
    await outbound.close();
  }
  const tried = refused.length + names.length;
  for (const note of [...saved.map((url) => `saved: ${url}`), ...sockets].slice(0, 10)) print(`  ${note}`);
  return [
    {
      figure: 'addresses on the refuse list that opened a socket, or could be saved',
      goal: `0 of ${goalAddresses}`,
      seen: `${sockets.length + saved.length} of ${tried}`,
      met: sockets.length === 0 && saved.length === 0 && tried >= goalAddresses,
    },
  ];
}
