// Assets of the page: one stylesheet, one small script, icons of the methods. Read once, at startup.

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { channels } from '../../accounts/index.ts';

const folder = new URL('../../../web/pay/', import.meta.url);

interface Asset {
  readonly path: string;
  readonly type: string;
  readonly bytes: Buffer;
  readonly zipped: Buffer;
}

function asset(path: string, type: string, text: string): Asset {
  const bytes = Buffer.from(text);
  return { path, type, bytes, zipped: gzipSync(bytes, { level: 9 }) };
}

/** The URL changes with the content, so that browsers may cache it forever. */
function addressOf({ path, bytes }: Asset): string {
  return `${path}?v=${hash('sha256', bytes, 'hex').slice(0, 12)}`;
}

function read(file: string): string {
  return readFileSync(new URL(file, folder), 'utf8');
}

const style = asset('/assets/pay/pay.css', 'text/css; charset=utf-8', read('pay.css'));
const script = asset('/assets/pay/pay.js', 'text/javascript; charset=utf-8', read('pay.js'));
const walletScript = asset('/assets/pay/wallet.js', 'text/javascript; charset=utf-8', read('wallet.js'));
const icon = asset('/assets/pay/icon.svg', 'image/svg+xml; charset=utf-8', read('icon.svg'));
const pictures = channels.map(({ groupId }) =>
  asset(`/assets/methods/${groupId}.svg`, 'image/svg+xml; charset=utf-8', read(`methods/${groupId}.svg`)),
);

export const styleUrl = addressOf(style);
export const scriptUrl = addressOf(script);
export const walletScriptUrl = addressOf(walletScript);
export const scriptZippedBytes = script.zipped.length;

/** The icon of a channel's group, as in `GET /transactions/bank-groups`. */
export function pictureUrl(channelId: number): string {
  const groupId = channels.find(({ id }) => id === channelId)?.groupId ?? 0;
  return `/assets/methods/${groupId}.svg`;
}

const year = 'public, max-age=31536000, immutable';
const day = 'public, max-age=86400';

export function registerAssets(scope: FastifyInstance): void {
  for (const item of [style, script, walletScript])
    scope.get(item.path, (request, reply) => send(request, reply, item, year));
  for (const item of [icon, ...pictures]) scope.get(item.path, (request, reply) => send(request, reply, item, day));
}

function send(request: FastifyRequest, reply: FastifyReply, item: Asset, keep: string): FastifyReply {
  const zips = String(request.headers['accept-encoding'] ?? '').includes('gzip');
  if (zips) reply.header('content-encoding', 'gzip');
  return (
    reply
      .header('content-type', item.type)
      .header('cache-control', keep)
      .header('vary', 'accept-encoding')
      // An image opened by itself is a document too: nothing in it may run.
      .header('content-security-policy', "default-src 'none'")
      .send(zips ? item.zipped : item.bytes)
  );
}
