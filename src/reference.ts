// The reference page at /docs and the contract at /openapi.json.

import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { openApi } from '../contract/openapi.ts';
import { readGuides } from './guides.ts';
import { refuseOtherMethods } from './platform/index.ts';
import { demoCredential } from './sandbox/index.ts';
import type { Tools } from './tools.ts';
import { version } from './version.ts';

/** Everything that the page loads is served by us; it can call no other host. */
const policy =
  "default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; frame-ancestors 'none'";

/** A page about this service only: none of the vendor's tools, links, fonts or telemetry. */
const configuration = {
  url: '/openapi.json',
  pageTitle: 'Grosz API',
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

/** In the demo the credential of its merchant is filled in. */
function pageOf(scriptTag: string, credential: Credential | undefined): string {
  const filled = credential && {
    securitySchemes: {
      credential: {
        flows: {
          clientCredentials: { 'x-scalar-client-id': credential.clientId, clientSecret: credential.clientSecret },
        },
      },
    },
  };
  const settings = { ...configuration, authentication: { preferredSecurityScheme: 'credential', ...filled } };
  // Nothing in it can end the element.
  const json = JSON.stringify(settings).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${configuration.pageTitle}</title>
<link rel="icon" href="${configuration.favicon}">
</head>
<body>
<div id="app"></div>
<script src="js/scalar.js?v=${scriptTag}"></script>
<script>Scalar.createApiReference('#app', ${json})</script>
</body>
</html>
`;
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
  const document = once(() =>
    readGuides().then((guides) =>
      partOf('application/json; charset=utf-8', JSON.stringify(openApi(tools.config.baseUrl, version, guides))),
    ),
  );
  const script = once(readScript);
  app.get('/openapi.json', async (request, reply) => send(request, reply, await document(), checkEachTime));
  refuseOtherMethods(app, '/openapi.json', ['GET']);
  const withPolicy = (reply: FastifyReply) => reply.header('content-security-policy', policy);
  app.get('/docs', async (_request, reply) => withPolicy(reply).redirect('/docs/', 301));
  app.get('/docs/', async (request, reply) => {
    const credential = await demoCredential(tools.config, request.headers);
    const page = await partOf('text/html; charset=utf-8', pageOf((await script()).tag, credential));
    return send(request, withPolicy(reply), page, credential ? 'no-store' : checkEachTime);
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
  await pages.register(scalar, { routePrefix: '/docs', configuration });
  const { headers, rawPayload } = await pages.inject(scriptPath);
  await pages.close();
  return partOf(String(headers['content-type']), rawPayload);
}
