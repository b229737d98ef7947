// Assets of the page: one stylesheet, a few small scripts, icons of the methods. Read once, at startup.

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { findLogo } from '../../accounts/index.ts';
import { routeOtherMethods } from '../../http/index.ts';
import { methods, picturePath } from '../../methods/index.ts';
import type { PageTools } from '../tools.ts';
import { colorStyle, rgbFrom } from './color.ts';
import type { Theme } from './frame.ts';

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

/** What is for dark devices applies always or never. */
function inTheme(css: string, theme: Theme | undefined): string {
  if (theme === undefined) return css;
  return css
    .replaceAll(/@media ?\(prefers-color-scheme: ?dark\)/g, theme === 'dark' ? '@media all' : '@media not all')
    .replaceAll('color-scheme: light dark', `color-scheme: ${theme}`);
}

function styleIn(theme?: Theme): Asset {
  const name = theme === undefined ? 'pay' : `pay-${theme}`;
  return asset(`/assets/pay/${name}.css`, 'text/css; charset=utf-8', inTheme(read('pay.css'), theme));
}

const styles = { auto: styleIn(), light: styleIn('light'), dark: styleIn('dark') };

/** A module whose imports, given here, are named by their own addresses: with them its address changes too. */
function moduleOf(file: string, imports: readonly Asset[] = []): Asset {
  const text = imports.reduce(
    (code, used) => code.replaceAll(`'./${used.path.split('/').at(-1)}'`, `'${addressOf(used)}'`),
    read(file),
  );
  // Loaded by two addresses, a module would have two states.
  if (/from '\.\//.test(text)) throw new Error(`web/pay/${file} imports a file that is not named here.`);
  return asset(`/assets/pay/${file}`, 'text/javascript; charset=utf-8', text);
}

const pageScript = moduleOf('page.js');
const fieldsScript = moduleOf('fields.js');
const followScript = moduleOf('follow.js', [pageScript]);
const sendScript = moduleOf('send.js', [fieldsScript, followScript, pageScript]);
const script = moduleOf('pay.js', [fieldsScript, followScript, pageScript, sendScript]);
const cardFieldsScript = moduleOf('card-fields.js', [pageScript, sendScript]);
const walletScript = moduleOf('wallet.js', [followScript, pageScript]);
const frameScript = moduleOf('frame.js', [followScript, pageScript, sendScript]);
const parts = [pageScript, fieldsScript, followScript, sendScript];
/** For merchants' pages, at a fixed address. */
const embedScript = asset('/embed.js', 'text/javascript; charset=utf-8', read('embed.js'));
const icon = asset('/assets/pay/icon.svg', 'image/svg+xml; charset=utf-8', read('icon.svg'));
const pictures = methods.map((one) =>
  asset(picturePath(one), 'image/svg+xml; charset=utf-8', read(`methods/${one.method}.svg`)),
);

const styleUrls = { auto: addressOf(styles.auto), light: addressOf(styles.light), dark: addressOf(styles.dark) };

export function styleUrl(theme: Theme | undefined): string {
  return styleUrls[theme ?? 'auto'];
}

export const scriptUrl = addressOf(script);
export const cardFieldsScriptUrl = addressOf(cardFieldsScript);
export const walletScriptUrl = addressOf(walletScript);
export const frameScriptUrl = addressOf(frameScript);
/** What the script imports: browsers fetch it at once, not one after the other. */
export const scriptPartUrls = parts.map(addressOf);

/** The style of a page in the merchant's color. */
export function colorUrl(color: string, theme?: Theme): string {
  return `/assets/pay/colors/${color.slice(1)}${theme ? `-${theme}` : ''}.css`;
}

const year = 'public, max-age=31536000, immutable';
const day = 'public, max-age=86400';
const fiveMinutes = 'public, max-age=300';

export function registerAssets(scope: FastifyInstance, { db }: Pick<PageTools, 'db'>): void {
  for (const item of [...Object.values(styles), script, ...parts, cardFieldsScript, walletScript, frameScript])
    scope.get(item.path, (request, reply) => send(request, reply, item, year));
  for (const item of [icon, ...pictures]) scope.get(item.path, (request, reply) => send(request, reply, item, day));
  registerEmbedScript(scope);
  scope.get<{ Params: { file: string } }>('/assets/pay/colors/:file', (request, reply) => {
    const [, digits = '', theme] = /^(\w{6})(?:-(light|dark))?\.css$/.exec(request.params.file) ?? [];
    const color = rgbFrom(digits);
    if (!color) return reply.callNotFound();
    const item = asset('', styles.auto.type, inTheme(colorStyle(color), theme as Theme | undefined));
    return send(request, reply, item, year);
  });
  scope.get<{ Params: { hash: string } }>('/assets/logos/:hash', async ({ params: { hash } }, reply) => {
    const logo = /^[0-9a-f]{64}$/.test(hash) ? await findLogo(db.sql, hash) : undefined;
    if (!logo) return reply.callNotFound();
    return sendFile(reply, logo.type, year).send(Buffer.from(logo.bytes));
  });
  for (const path of ['/assets/pay/colors/:file', '/assets/logos/:hash']) routeOtherMethods(scope, path, ['GET']);
}

/** Merchants' pages name it by a fixed address: browsers ask again soon, and are told whether it changed. */
function registerEmbedScript(scope: FastifyInstance): void {
  const tag = `"${hash('sha256', embedScript.bytes, 'hex').slice(0, 20)}"`;
  scope.get(embedScript.path, (request, reply) => {
    reply
      .header('etag', tag)
      .header('vary', 'accept-encoding')
      .header('access-control-allow-origin', '*')
      .header('cross-origin-resource-policy', 'cross-origin');
    const seen = String(request.headers['if-none-match'] ?? '').replaceAll('W/', '');
    if (seen.split(/\s*,\s*/).includes(tag)) return reply.code(304).header('cache-control', fiveMinutes).send();
    return send(request, reply, embedScript, fiveMinutes);
  });
  routeOtherMethods(scope, embedScript.path, ['GET']);
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
