// Assets of the page: one stylesheet, one small script, icons of the methods. Read once, at startup.

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { channels, findLogo } from '../../accounts/index.ts';
import { routeOtherMethods } from '../../platform/index.ts';
import type { PageTools } from '../tools.ts';
import { colorStyle, rgbFrom } from './color.ts';

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

/** The style of a page in the merchant's color. */
export function colorUrl(color: string): string {
  return `/assets/pay/colors/${color.slice(1)}.css`;
}

/** The icon of a channel's group, as in `GET /transactions/bank-groups`. */
export function pictureUrl(channelId: number): string {
  const groupId = channels.find(({ id }) => id === channelId)?.groupId ?? 0;
  return `/assets/methods/${groupId}.svg`;
}

const year = 'public, max-age=31536000, immutable';
const day = 'public, max-age=86400';

export function registerAssets(scope: FastifyInstance, { db }: Pick<PageTools, 'db'>): void {
  for (const item of [style, script, walletScript])
    scope.get(item.path, (request, reply) => send(request, reply, item, year));
  for (const item of [icon, ...pictures]) scope.get(item.path, (request, reply) => send(request, reply, item, day));
  scope.get<{ Params: { file: string } }>('/assets/pay/colors/:file', (request, reply) => {
    const color = rgbFrom(/^(\w{6})\.css$/.exec(request.params.file)?.[1] ?? '');
    if (!color) return reply.callNotFound();
    const item = asset('', style.type, colorStyle(color));
    return send(request, reply, item, year);
  });
  scope.get<{ Params: { hash: string } }>('/assets/logos/:hash', async ({ params: { hash } }, reply) => {
    const logo = /^[0-9a-f]{64}$/.test(hash) ? await findLogo(db.sql, hash) : undefined;
    if (!logo) return reply.callNotFound();
    return sendFile(reply, logo.type, year).send(Buffer.from(logo.bytes));
  });
  for (const path of ['/assets/pay/colors/:file', '/assets/logos/:hash']) routeOtherMethods(scope, path, ['GET']);
}

function sendFile(reply: FastifyReply, type: string, keep: string): FastifyReply {
  return (
    reply
      .header('content-type', type)
      .header('cache-control', keep)
      .header('x-content-type-options', 'nosniff')
      // An image opened by itself is a document too: nothing in it may run.
      .header('content-security-policy', "default-src 'none'; sandbox")
  );
}

function send(request: FastifyRequest, reply: FastifyReply, item: Asset, keep: string): FastifyReply {
  const zips = String(request.headers['accept-encoding'] ?? '').includes('gzip');
  if (zips) reply.header('content-encoding', 'gzip');
  return sendFile(reply, item.type, keep)
    .header('vary', 'accept-encoding')
    .send(zips ? item.zipped : item.bytes);
}
