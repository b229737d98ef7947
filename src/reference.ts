// The reference page at /docs and the contract at /openapi.json; those of the panel's own endpoints at /docs/panel and
// /openapi-panel.json.

import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { endpoints } from '../contract/endpoints.ts';
import { authorize } from '../contract/oauth.ts';
import { openApi, panelOpenApi } from '../contract/openapi.ts';
import { panelEndpoints } from '../contract/panel/endpoints.ts';
import { readGuides, readPanelGuides } from './guides.ts';
import { refuseOtherMethods } from './http/index.ts';
import { merchantIntroduction, outlineOf, panelIntroduction } from './outline.ts';
import { Html, html } from './pages/index.ts';
import { demoCredential } from './sandbox/index.ts';
import type { Tools } from './tools.ts';
import { version } from './version.ts';

/** Everything that the page loads is served by us; it can call no other host. */
const policy =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; frame-ancestors 'none'";

/** A page about this service only: none of the vendor's tools, links, fonts or telemetry. */
const configuration = {
  favicon: '/assets/pay/icon.svg',
  withDefaultFonts: false,
  operationTitleSource: 'summary',
  documentDownloadType: 'json',
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  telemetry: false,
  customCss: '.darklight-reference a { display: none; }',
} as const;

const scriptPath = '/docs/js/scalar.js';

interface Credential {
  readonly clientId: string;
  readonly clientSecret: string;
}

interface Shown {
  readonly title: string;
  /** Where the page reads its document. */
  readonly url: string;
  /** What can be read before the script has loaded, or without it; the script replaces it. */
  readonly outline: Html;
}

const outlineStyle = `:root{color-scheme:light dark}.outline{font:16px/1.55 system-ui,sans-serif;max-width:52rem;margin:0 auto;padding:2.5rem 1.25rem}
.outline h1{font-size:1.75rem}.outline h2{font-size:1.2rem;margin:2rem 0 .5rem}.outline dt{font-weight:600;margin-top:.75rem}
.outline dd{margin:0}.outline code{font:.9em ui-monospace,monospace;overflow-wrap:anywhere}`;

/** In the demo the credential of its merchant is filled in. */
function pageOf({ title, url, outline }: Shown, scriptTag: string, credential: Credential | undefined): string {
  const filled = credential && {
    securitySchemes: {
      credential: {
        flows: {
          clientCredentials: { 'x-scalar-client-id': credential.clientId, clientSecret: credential.clientSecret },
        },
      },
    },
  };
  const settings = {
    ...configuration,
    url,
    pageTitle: title,
    authentication: { preferredSecurityScheme: 'credential', ...filled },
  };
  // Nothing in it can end the element.
  const json = JSON.stringify(settings).replaceAll('<', '\\u003c');
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="${configuration.favicon}">
<style>${new Html(outlineStyle)}</style>
</head>
<body>
<div id="app">${outline}</div>
<script src="${scriptPath}?v=${scriptTag}"></script>
<script>window.Scalar?.createApiReference('#app', ${new Html(json)})</script>
</body>
</html>
`.text;
}

interface Part {
  readonly type: string;
  readonly bytes: Buffer;
  readonly zipped: Buffer;
  readonly tag: string;
}

/** Compressed once, on the thread pool: the script is 4 MB. */
async function partOf(type: string, content: string | Buffer): Promise<Part> {
  const bytes = Buffer.from(content);
  return { type, bytes, zipped: await promisify(gzip)(bytes), tag: hash('sha256', bytes, 'hex').slice(0, 16) };
}

function send(request: FastifyRequest, reply: FastifyReply, part: Part, keep: string): FastifyReply {
  const tag = `"${part.tag}"`;
  reply.header('cache-control', keep).header('etag', tag).header('vary', 'accept-encoding').type(part.type);
  if (request.headers['if-none-match'] === tag) return reply.code(304).send();
  if (!String(request.headers['accept-encoding'] ?? '').includes('gzip')) return reply.send(part.bytes);
  return reply.header('content-encoding', 'gzip').send(part.zipped);
}

const checkEachTime = 'no-cache';
const year = 'public, max-age=31536000, immutable';

function jsonOf(document: object): Promise<Part> {
  return partOf('application/json; charset=utf-8', JSON.stringify(document));
}

interface TokenDocument {
  readonly paths: Readonly<Record<string, { readonly post: TokenOperation }>>;
}

interface TokenOperation {
  readonly requestBody: { readonly content: Readonly<Record<string, { readonly example: object }>> };
}

/** The document with this credential in the examples of the request for a token. */
function withCredential(document: object, { clientId, clientSecret }: Credential): object {
  const { paths } = document as TokenDocument;
  const { post } = paths[authorize.path] as { post: TokenOperation };
  const content = Object.fromEntries(
    Object.entries(post.requestBody.content).map(([type, media]) => [
      type,
      { ...media, example: { ...media.example, client_id: clientId, client_secret: clientSecret } },
    ]),
  );
  const filled = { post: { ...post, requestBody: { ...post.requestBody, content } } };
  return { ...document, paths: { ...paths, [authorize.path]: filled } };
}

export function registerReference(app: FastifyInstance, tools: Tools): void {
  /** Made once; if that fails, the next request tries again. */
  const once = <T>(make: () => Promise<T>) => {
    let made: Promise<T> | undefined;
    return () => {
      made ??= make().catch((error: unknown) => {
        made = undefined;
        throw error;
      });
      return made;
    };
  };
  const { baseUrl } = tools.config;
  const merchants = once(() => readGuides().then((guides) => openApi(baseUrl, version, guides)));
  const panels = once(() => readPanelGuides().then((guides) => panelOpenApi(baseUrl, version, guides)));
  const document = once(async () => jsonOf(await merchants()));
  const panelDocument = once(async () => jsonOf(await panels()));
  const script = once(readScript);
  const withPolicy = (reply: FastifyReply) => reply.header('content-security-policy', policy);
  const credentialFor = ({ headers }: FastifyRequest) => demoCredential(tools.config, headers);

  app.get('/openapi.json', async (request, reply) => send(request, reply, await document(), checkEachTime));
  app.get('/openapi-panel.json', async (request, reply) => send(request, reply, await panelDocument(), checkEachTime));
  // The document as the page reads it: in the demo the request for a token can be sent as it stands.
  app.get('/docs/openapi.json', async (request, reply) => {
    const credential = await credentialFor(request);
    if (!credential) return send(request, reply, await document(), checkEachTime);
    return send(request, reply, await jsonOf(withCredential(await merchants(), credential)), 'no-store');
  });
  for (const path of ['/openapi.json', '/openapi-panel.json', '/docs/openapi.json'])
    refuseOtherMethods(app, path, ['GET']);

  const show = (path: string, shown: Shown) => {
    app.get(path, async (_request, reply) => withPolicy(reply).redirect(`${path}/`, 301));
    app.get(`${path}/`, async (request, reply) => {
      const credential = await credentialFor(request);
      const page = await partOf('text/html; charset=utf-8', pageOf(shown, (await script()).tag, credential));
      return send(request, withPolicy(reply), page, credential ? 'no-store' : checkEachTime);
    });
  };
  show('/docs', {
    title: 'Grosz API',
    url: '/docs/openapi.json',
    outline: outlineOf(merchantIntroduction(baseUrl), endpoints),
  });
  show('/docs/panel', {
    title: 'Grosz panel API',
    url: '/openapi-panel.json',
    outline: outlineOf(panelIntroduction, panelEndpoints),
  });
  // The page names the script by its content, so that browsers may cache it forever.
  app.get<{ Querystring: { v?: string } }>(scriptPath, async (request, reply) => {
    const part = await script();
    return send(request, withPolicy(reply), part, request.query.v === part.tag ? year : checkEachTime);
  });
}

/**
 * The script of the page, which its package keeps in memory several times: 40 MB and a third of a second of CPU. So it is
 * loaded with the first request for it, in a server that listens nowhere.
 */
async function readScript(): Promise<Part> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const pages = Fastify();
  await pages.register(scalar, { routePrefix: '/docs', configuration: { ...configuration, url: '/openapi.json' } });
  const { statusCode, headers, rawPayload } = await pages.inject(scriptPath);
  await pages.close();
  if (statusCode !== 200) throw new Error(`The reference's package does not give its script: ${statusCode}.`);
  return partOf(String(headers['content-type']), rawPayload);
}
