// `/`: what this is and where to go, and the 404 that browsers see.

import type { FastifyInstance } from 'fastify';
import type { Tools } from '../tools.ts';
import { documentText, sendDocument } from './document.ts';
import { html } from './html.ts';

export interface Link {
  readonly name: string;
  readonly url: string;
  readonly about: string;
}

function linksOf({ config }: Pick<Tools, 'config'>, more: readonly Link[]): Link[] {
  const mail = { name: 'Mail catcher', url: '/mail', about: 'The mails that this sandbox would have sent.' };
  return [
    { name: 'API reference', url: '/docs', about: 'Every endpoint with examples; try requests in the browser.' },
    { name: 'Error codes', url: '/docs/errors', about: 'What each code means and what to change.' },
    ...more,
    { name: 'Panel', url: '/panel', about: 'For staff: transactions, refunds, balances, settings.' },
    ...(config.mode === 'sandbox' && config.mail === undefined ? [mail] : []),
    { name: 'OpenAPI document', url: '/openapi.json', about: 'For generating clients.' },
  ];
}

/** `more` is read with every request: the demo shop starts after the server. */
export function registerStartPage(app: FastifyInstance, tools: Pick<Tools, 'config'>, more: readonly Link[]): void {
  const sandbox = tools.config.mode === 'sandbox';
  app.get('/', async (_request, reply) => {
    const items = linksOf(tools, more).map(
      ({ name, url, about }) => html`<li><a href="${url}">${name}</a><span>${about}</span></li>\n`,
    );
    const content = html`<h1>Grosz</h1>
<p>A payment service: transactions, refunds, recurring payments and wallet payments over HTTP, a pay page for payers, and
every grosz in a double-entry ledger.</p>
${sandbox && html`<p class="faint">This is a sandbox: no real money moves here.</p>`}
<ul>${items}</ul>`;
    return sendDocument(reply, 200, documentText('Grosz', content), 'no-cache');
  });
}

/** Nothing of the address is repeated: it may be anything. */
export const notFoundDocument = documentText(
  'Not found - Grosz',
  html`<h1>There is nothing at this address</h1>
<p>Check the address. A payment is opened by the whole link that the shop or its mail gave you.</p>
<p><a href="/">To the start page</a></p>`,
);
