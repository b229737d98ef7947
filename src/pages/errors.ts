// `/docs/errors`: every error code with its cause and fix. The `docUrl` of an error links here.

import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { listFailures, refuseOtherMethods } from '../platform/index.ts';
import { Html, html } from './html.ts';

const path = '/docs/errors';

const style = `body{font:16px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:46rem;padding:0 1rem;color-scheme:light dark}
section{border-top:1px solid #8884;padding:.5rem 0}section:target{background:#fd04}h2{font:600 1.1rem ui-monospace,monospace;margin:.5rem 0}`;

const policy = `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** One section per code: several statuses may share one. */
function sections(): Html[] {
  const byCode = Map.groupBy(listFailures(), ({ code }) => code);
  return [...byCode].map(([code, [first, ...others]]) => {
    const statuses = [first, ...others].map((failure) => failure?.status).join(' or ');
    return section(code, `Status ${statuses}. ${first?.message ?? ''}`, first?.fix ?? '');
  });
}

function section(code: string, cause: string, fix: string): Html {
  return html`<section id="${code}"><h2>${code}</h2><p>${cause}</p><p>${fix}</p></section>\n`;
}

function page(): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Error codes - Grosz API</title><style>${new Html(style)}</style></head><body>
<h1>Error codes</h1>
<p>Every error has <code>errorCode</code>, <code>errorMessage</code> (what is wrong), <code>fieldName</code>,
<code>devMessage</code> (what to change) and <code>docUrl</code>, which leads to its code below. A payment that the bank
declined is no error of the request: the response has status 200 and <code>payment_failed</code>, with the bank's reason,
in <code>payments.errors</code>.</p>
${sections()}</body></html>
`.text;
}

export function registerErrorsPage(app: FastifyInstance): void {
  const text = page();
  app.get(path, async (_request, reply) =>
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', policy)
      .header('cache-control', 'public, max-age=3600')
      .send(text),
  );
  refuseOtherMethods(app, path, ['GET']);
}
