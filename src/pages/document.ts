// Small pages without a script: the start page, a friendly 404, the error codes.

import { hash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { Html, html, type Part } from './html.ts';

const style = `:root{color-scheme:light dark;--ink:#16211c;--faint:#54635b;--line:#d5dcd8;--ground:#fff;--accent:#0b6b4b}
@media(prefers-color-scheme:dark){:root{--ink:#e9efec;--faint:#a3b1aa;--line:#36413b;--ground:#141a17;--accent:#6fd0a8}}
body{font:16px/1.55 system-ui,sans-serif;margin:0;background:var(--ground);color:var(--ink)}
main{max-width:46rem;margin:0 auto;padding:2.5rem 1.25rem}h1{font-size:1.75rem;line-height:1.2;margin:0 0 .75rem}
a{color:var(--accent)}ul{list-style:none;padding:0;margin:1.5rem 0}li{border-top:1px solid var(--line);padding:.75rem 0}
li span,.faint{color:var(--faint);display:block}section{border-top:1px solid var(--line);padding:.5rem 0}
section:target{background:#fd04}h2{font:600 1.05rem ui-monospace,monospace;margin:.5rem 0}`;

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
};

/** A page with this title and content. */
export function documentText(title: string, content: Part): string {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${new Html(style)}</style></head><body><main>
${content}</main></body></html>
`.text;
}

export function sendDocument(reply: FastifyReply, status: number, text: string, cache: string): FastifyReply {
  return reply.code(status).headers(headers).header('cache-control', cache).send(text);
}
