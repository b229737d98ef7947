// The reference as plain text: what its page shows until the script has loaded, and to readers without it.

import type { Endpoint } from '../contract/endpoint.ts';
import { type Html, html } from './pages/index.ts';

/** Marked code of a description becomes code; other markup is rare enough to be read as it is. */
function inline(text: string): (Html | string)[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}

/** A title, what the reader should know, and the endpoints by tag. */
export function outlineOf(introduction: Html, endpoints: readonly Endpoint[]): Html {
  const sections = [...Map.groupBy(endpoints, ({ tag }) => tag)].map(([tag, ofTag]) => {
    const items = ofTag.map(
      ({ summary, method, path, description }) => html`<dt>${summary}</dt>
<dd><code>${method} ${path}</code>${description && html`<br>${inline(description)}`}</dd>
`,
    );
    return html`<h2>${tag}</h2>
<dl>${items}</dl>
`;
  });
  return html`<div class="outline">
${introduction}
${sections}</div>`;
}

/** Of the merchant's API. */
export function merchantIntroduction(baseUrl: string): Html {
  return html`<h1>Grosz API</h1>
<p>Payments, refunds and recurring charges over HTTP, from your server, at <code>${baseUrl}</code>. Get a token with
<code>POST /oauth/auth</code>, create a transaction with <code>POST /transactions</code>, send the payer to its
<code>transactionPaymentUrl</code>, and wait for the notification.</p>
<p>Requests can be tried here once the page has loaded. The same as a document: <a href="/openapi.json">OpenAPI</a>. What
each <a href="/docs/errors">error code</a> means. The <a href="/docs/panel/">panel's own endpoints</a>.</p>
<noscript><p>Without JavaScript this list is all; every field is in the document.</p></noscript>`;
}

/** Of the panel's own endpoints. */
export const panelIntroduction = html`<h1>Grosz panel API</h1>
<p>The endpoints of the panel's own pages, with its session cookie. They may change with any version: programs use the
<a href="/docs/">merchant's API</a>. The same as a document: <a href="/openapi-panel.json">OpenAPI</a>.</p>`;
