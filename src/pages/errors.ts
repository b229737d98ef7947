// `/docs/errors`: every error code with its cause and fix. The `docUrl` of an error links here.

import type { FastifyInstance } from 'fastify';
import { refuseOtherMethods } from '../http/index.ts';
import type { FailureKind } from '../kernel/index.ts';
import { documentText, sendDocument } from './document.ts';
import { type Html, html } from './html.ts';

const path = '/docs/errors';

/** One section per code: several statuses may share one. */
function sections(failures: readonly FailureKind[]): Html[] {
  const byCode = Map.groupBy(failures, ({ code }) => code);
  return [...byCode].map(([code, [first, ...others]]) => {
    const statuses = [first, ...others].map((failure) => failure?.usual.status).join(' or ');
    return section(code, `Status ${statuses}. ${first?.usual.message ?? ''}`, first?.usual.fix ?? '');
  });
}

function section(code: string, cause: string, fix: string): Html {
  return html`<section id="${code}"><h2>${code}</h2><p>${cause}</p>${fix && html`<p>${fix}</p>`}</section>\n`;
}

function page(failures: readonly FailureKind[]): string {
  return documentText(
    'Error codes - Grosz API',
    html`<h1>Error codes</h1>
<p>Every error has <code>errorCode</code>, <code>errorMessage</code> (what is wrong), <code>fieldName</code>,
<code>devMessage</code> (what to change, if the message does not say it) and <code>docUrl</code>, which leads to its code below. A payment that the bank
declined is no error of the request: the response has status 200 and <code>payment_failed</code>, with the bank's reason,
in <code>payments.errors</code>.</p>
${sections(failures)}`,
  );
}

export function registerErrorsPage(app: FastifyInstance, failures: readonly FailureKind[]): void {
  const text = page(failures);
  app.get(path, async (_request, reply) => sendDocument(reply, 200, text, 'public, max-age=3600'));
  refuseOtherMethods(app, path, ['GET']);
}
