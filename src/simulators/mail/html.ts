// The pages of the mail catcher: no script, usable with a keyboard and a screen reader.

import { hash } from 'node:crypto';
import { escapeHtml } from '../../kernel/index.ts';

export interface ShownMail {
  readonly id: string;
  readonly from: string;
  /** Where replies go, if not to the sender. */
  readonly replyTo: string;
  readonly to: string;
  readonly subject: string;
  readonly language: string;
  /** Machine-readable, and as text. */
  readonly at: { readonly iso: string; readonly text: string };
  readonly text: string;
  readonly html: string | undefined;
}

function frame(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} - Caught mail - Grosz</title>
<link rel="stylesheet" href="/mail/style.css?v=${styleVersion}">
</head>
<body>
<header><p><a href="/mail">Caught mail</a></p></header>
<main>
${content}
</main>
<footer><p>The demo catches all mail: nothing on these pages has left this machine.</p></footer>
</body>
</html>
`;
}

function time({ iso, text }: ShownMail['at']): string {
  return `<time datetime="${escapeHtml(iso)}">${escapeHtml(text)}</time>`;
}

function langOf({ language }: ShownMail): string {
  return language === '' ? '' : ` lang="${escapeHtml(language)}"`;
}

export function listHtml(mails: readonly ShownMail[]): string {
  if (mails.length === 0) {
    return frame(
      'No mail yet',
      `<h1>No mail yet</h1>
<p>Order in the market of the demo shop, or refund a payment whose payer has an email address: a moment later, the payer's mail appears here.</p>`,
    );
  }
  const rows = mails.map(
    (mail) => `<li>
<p${langOf(mail)}><a href="/mail/${mail.id}">${escapeHtml(mail.subject || '(no subject)')}</a></p>
<p class="facts"><span>to ${escapeHtml(mail.to)}</span> ${time(mail.at)}</p>
</li>`,
  );
  return frame(
    'Inbox',
    `<h1>Caught mail</h1>
<p>The newest first; at most 100 are listed.</p>
<ul>
${rows.join('\n')}
</ul>`,
  );
}

export function mailHtml(mail: ShownMail): string {
  const facts: readonly (readonly [string, string])[] = [
    ['From', escapeHtml(mail.from)],
    ...(mail.replyTo ? [['Reply to', escapeHtml(mail.replyTo)] as const] : []),
    ['To', escapeHtml(mail.to)],
    ['Received', time(mail.at)],
  ];
  const list = facts.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join('\n');
  const formatted =
    mail.html === undefined
      ? ''
      : `<h2>Formatted</h2>
<iframe title="The formatted mail" src="/mail/${mail.id}/html" sandbox></iframe>
`;
  return frame(
    mail.subject,
    `<h1${langOf(mail)}>${escapeHtml(mail.subject || '(no subject)')}</h1>
<dl>
${list}
</dl>
${formatted}<h2>Text</h2>
<pre tabindex="0" aria-label="The text of the mail"${langOf(mail)}>${escapeHtml(mail.text)}</pre>
<p><a href="/mail">All mail</a></p>`,
  );
}

export function missingHtml(): string {
  return frame(
    'No such mail',
    `<h1>No such mail</h1>\n<p>Only the newest 500 are kept. <a href="/mail">All mail</a></p>`,
  );
}

export function strangerHtml(): string {
  return frame(
    'Not from here',
    '<h1>Not from here</h1>\n<p>Caught mail has links that let one into the panel, so it is shown only on the machine ' +
      'of the service, at its loopback address and not through a proxy. Set SMTP_URL to send mail instead.</p>',
  );
}

export const style = `:root {
  color-scheme: light dark;
  --ground: #f3f5f8; --sheet: #ffffff; --ink: #17212f; --faint: #4a5565; --line: #d8dfe8; --link: #0b4f9e; --bar: #17426e; --on-bar: #ffffff;
}
@media (prefers-color-scheme: dark) {
  :root { --ground: #11161d; --sheet: #1b232d; --ink: #e9eef5; --faint: #a9b5c5; --line: #344150; --link: #8cc2ff; --bar: #0e2a48; --on-bar: #e9eef5; }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
header { background: var(--bar); }
header p { margin: 0 auto; padding: 1rem 1.25rem; max-width: 60rem; font-weight: 700; }
header a { color: var(--on-bar); }
main { width: calc(100% - 2rem); max-width: 60rem; margin: 2rem auto; padding: 1.5rem; background: var(--sheet); border: 1px solid var(--line); border-radius: 0.75rem; }
h1 { margin: 0 0 1rem; font-size: 1.375rem; line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin: 1.5rem 0 0.5rem; font-size: 1.0625rem; }
a { color: var(--link); }
ul { margin: 0; padding: 0; list-style: none; }
li { padding: 0.75rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
li p { margin: 0; }
li a { display: inline-block; padding: 0.125rem 0; font-weight: 600; }
.facts { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; color: var(--faint); font-size: 0.9375rem; }
time { white-space: nowrap; font-variant-numeric: tabular-nums; }
dl { margin: 0; }
dl div { display: flex; flex-wrap: wrap; gap: 0 1rem; padding: 0.375rem 0; border-bottom: 1px solid var(--line); }
dt { flex: 0 0 5rem; color: var(--faint); }
dd { margin: 0; overflow-wrap: anywhere; }
iframe { width: 100%; height: 38rem; border: 1px solid var(--line); border-radius: 0.5rem; background: #ffffff; }
pre { margin: 0; padding: 1rem; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid var(--line); border-radius: 0.5rem; font: 0.9375rem/1.5 ui-monospace, monospace; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 3px; }
footer { margin: auto 0 0; }
@media (max-width: 30rem) {
  main { width: 100%; margin: 0; padding: 1rem; border-inline: 0; border-radius: 0; }
}
footer p { max-width: 60rem; margin: 0 auto; padding: 1rem 1.25rem 1.5rem; color: var(--faint); font-size: 0.875rem; }
`;

/** Changes with the content, so that browsers may cache the stylesheet forever. */
const styleVersion = hash('sha256', style, 'hex').slice(0, 16);
