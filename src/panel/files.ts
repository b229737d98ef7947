// Serves the panel's page and its files. Until they are built, the page says so and reloads itself.

import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuseWrongMethod } from '../http/index.ts';
import type { Tools } from '../tools.ts';
import { panelFolder } from './build.ts';

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
};

interface File {
  readonly type: string;
  readonly bytes: Buffer;
  readonly zipped: Buffer;
}

interface Panel {
  readonly page: string;
  /** By name. Only what is in this map is served, so no name can lead out of the folder. */
  readonly files: ReadonlyMap<string, File>;
}

const year = 'public, max-age=31536000, immutable';
const nonceMark = '__NONCE__';

/** Scripts only from our files; styles also from libraries that put the page's nonce on them. */
function policyWith(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function sendPage(reply: FastifyReply, nonce: string, text: string): FastifyReply {
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': policyWith(nonce),
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    })
    .send(text);
}

const preparing = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="1"><title>Grosz</title><style nonce="${nonceMark}">
:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;display:grid;place-items:center;min-height:90vh}
</style></head><body><p role="status">The panel is being prepared.</p></body></html>
`;

async function readPanel(folder: string): Promise<Panel> {
  const assets = join(folder, 'assets');
  const names = (await readdir(assets)).filter((name) => !name.endsWith('.gz'));
  const files = await Promise.all(
    names.map(async (name) => {
      const type = types[extname(name)] ?? 'application/octet-stream';
      const [bytes, zipped] = await Promise.all([readFile(join(assets, name)), readFile(join(assets, `${name}.gz`))]);
      return [name, { type, bytes, zipped }] as const;
    }),
  );
  return { page: await readFile(join(folder, 'index.html'), 'utf8'), files: new Map(files) };
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: File): FastifyReply {
  reply.headers({
    'content-type': file.type,
    'cache-control': year,
    vary: 'accept-encoding',
    // A picture opened by itself is a document too: nothing in it may run.
    'content-security-policy': "default-src 'none'",
  });
  if (!String(request.headers['accept-encoding'] ?? '').includes('gzip')) return reply.send(file.bytes);
  return reply.header('content-encoding', 'gzip').send(file.zipped);
}

type FileTools = Pick<Tools, 'config' | 'log' | 'random'>;

/** The panel's files, once they are built. */
export class PanelFiles {
  #panel: Panel | undefined;
  #making: Promise<void> | undefined;
  readonly #tools: Pick<FileTools, 'config' | 'log'>;

  constructor(tools: Pick<FileTools, 'config' | 'log'>) {
    this.#tools = tools;
  }

  get panel(): Panel | undefined {
    return this.#panel;
  }

  /** Builds and reads them, unless that is done. If it fails, the next request for the page tries again. */
  prepare(): Promise<void> {
    this.#making ??= this.#read().catch((error: unknown) => {
      this.#making = undefined;
      this.#tools.log.error({ err: error }, 'the panel could not be built');
    });
    return this.#making;
  }

  async #read(): Promise<void> {
    this.#panel = await readPanel(await panelFolder(this.#tools.config));
  }
}

/** Registers the panel's page and its files. */
export function registerPanelFiles(app: FastifyInstance, { random }: FileTools, files: PanelFiles): void {
  const page = async (_request: FastifyRequest, reply: FastifyReply) => {
    void files.prepare();
    const nonce = random.bytes(16).toBase64();
    return sendPage(reply, nonce, (files.panel?.page ?? preparing).replaceAll(nonceMark, nonce));
  };
  app.get('/panel', page);
  app.get<{ Params: { '*': string } }>('/panel/*', async (request, reply) => {
    if (!request.params['*'].startsWith('api/')) return page(request, reply);
    // As everywhere else in the API: the methods of an endpoint that has others, or that there is none.
    refuseWrongMethod(app, request, reply);
    return reply.callNotFound();
  });
  app.get<{ Params: { name: string } }>('/panel/assets/:name', async (request, reply) => {
    const file = files.panel?.files.get(request.params.name);
    return file ? sendFile(request, reply, file) : reply.callNotFound();
  });
}
