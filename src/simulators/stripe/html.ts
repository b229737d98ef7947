// The pages of the fake as HTML: nothing inline, usable without a script and with a keyboard.

import { hash } from 'node:crypto';
import type { Stripe } from 'stripe';
import { decimalText, escapeHtml } from '../../kernel/index.ts';

export const style = `
:root {
  color-scheme: light dark;
  --ink: #1a1f36; --paper: #f6f8fa; --card: #ffffff; --line: #d5dbe1; --faint: #5b6472;
  --go: #4b45c6; --on-go: #ffffff; --stop: #a3213b; --sign: #fff4d6; --on-sign: #5c3d00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #eef1f6; --paper: #12151c; --card: #1b202b; --line: #394152; --faint: #aab3c2;
    --go: #8f8aff; --on-go: #12151c; --stop: #ff9aab; --sign: #3b2d08; --on-sign: #ffe3a3;
  }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
.sign { margin: 0; padding: 0.625rem 1.25rem; background: var(--sign); color: var(--on-sign); text-align: center; font-size: 0.875rem; }
main { max-width: 34rem; margin: 0 auto; padding: 2rem 1.25rem; }
main.wide { max-width: 60rem; }
section, .box { margin: 0 0 1.5rem; padding: 1.5rem; background: var(--card); border: 1px solid var(--line); border-radius: 0.75rem; }
h1 { margin: 0 0 1rem; font-size: 1.375rem; line-height: 1.3; }
h2 { margin: 0 0 0.75rem; font-size: 1.0625rem; }
p { margin: 0 0 1rem; }
.amount { font-size: 2rem; font-weight: 600; font-variant-numeric: tabular-nums; margin: 0 0 0.25rem; }
.faint { color: var(--faint); }
dl { margin: 0; }
dl div { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; justify-content: space-between; padding: 0.5rem 0; border-top: 1px solid var(--line); }
dt { color: var(--faint); }
dd { margin: 0; overflow-wrap: anywhere; font-family: ui-monospace, monospace; font-size: 0.875rem; }
.choices { display: flex; flex-wrap: wrap; gap: 0.75rem; margin: 1.25rem 0 0; }
.choices form { flex: 1 1 10rem; }
button { width: 100%; min-height: 3rem; padding: 0.5rem 1.25rem; border: 2px solid var(--go); border-radius: 0.5rem; font: inherit; font-weight: 600; cursor: pointer; background: var(--go); color: var(--on-go); }
button.stop { background: transparent; border-color: var(--stop); color: var(--stop); }
:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px; }
input:focus-visible { outline-width: 2px; outline-offset: 0; }
body.element { background: transparent; min-height: 0; }
.fields { display: grid; grid-template-columns: 1fr 1fr; gap: 0.75rem; padding: 0.25rem; }
.fields .whole { grid-column: 1 / -1; }
label { display: block; font-size: 0.875rem; color: var(--faint); }
input { display: block; width: 100%; min-height: 2.875rem; margin: 0.25rem 0 0; padding: 0.5rem 0.75rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--card); color: var(--ink); font: inherit; font-variant-numeric: tabular-nums; }
input[aria-invalid="true"] { border-color: var(--stop); }
.fault { grid-column: 1 / -1; margin: 0; color: var(--stop); font-size: 0.875rem; }
.fault:empty { display: none; }
`;

export const styleVersion = hash('sha256', style, 'hex').slice(0, 16);

interface Document {
  readonly title: string;
  readonly body: string;
  readonly script?: string;
  readonly kind?: 'page' | 'wide' | 'element';
}

function documentHtml({ title, body, script, kind = 'page' }: Document): string {
  const sign = '<p class="sign">A fake for tests, not Stripe. No money moves here.</p>';
  const main = kind === 'element' ? body : `${sign}<main${kind === 'wide' ? ' class="wide"' : ''}>${body}</main>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="/_fake/style.css?v=${styleVersion}">
${script ? `<script src="${script}" defer></script>` : ''}
</head>
<body${kind === 'element' ? ' class="element"' : ''}>${main}</body>
</html>
`;
}

function moneyText(amount: number, currency: string): string {
  return `${decimalText(BigInt(amount))} ${currency.toUpperCase()}`;
}

/** What the payer is asked: 3-D Secure, the bank of Przelewy24, or saving a card. */
export interface Question {
  readonly title: string;
  readonly amount: number | null;
  readonly currency: string;
  readonly description: string | null;
  readonly id: string;
}

const button = (choice: string, text: string, look: string) =>
  `<form method="post"><input type="hidden" name="choice" value="${choice}"><button class="${look}">${text}</button></form>`;

export function questionHtml({ title, amount, currency, description, id }: Question): string {
  const paid = amount === null ? '' : `<p class="amount">${escapeHtml(moneyText(amount, currency))}</p>`;
  const about = description === null ? '' : `<p class="faint">${escapeHtml(description)}</p>`;
  const body = `<div class="box"><h1>${escapeHtml(title)}</h1>${paid}${about}
<dl><div><dt>Intent</dt><dd>${escapeHtml(id)}</dd></div></dl>
<div class="choices">${button('approve', 'Approve', 'go')}${button('refuse', 'Refuse', 'stop')}</div></div>`;
  return documentHtml({ title, body });
}

export function messageHtml(title: string, message: string): string {
  return documentHtml({
    title,
    body: `<div class="box"><h1>${escapeHtml(title)}</h1><p>${escapeHtml(message)}</p></div>`,
  });
}

export interface Home {
  readonly settings: readonly (readonly [string, string])[];
  readonly waiting: readonly Stripe.PaymentIntent[];
  readonly now: string;
}

export function homeHtml({ settings, waiting, now }: Home): string {
  const rows = settings
    .map(([name, value]) => `<div><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd></div>`)
    .join('');
  const list = waiting.map(waitingHtml).join('') || '<p class="faint">Nobody waits.</p>';
  const body = `<h1>Fake of Stripe</h1>
<section><h2>Payers who wait</h2>${list}</section>
<section><h2>Settings of the service</h2><dl>${rows}</dl></section>
<p class="faint">Its clock says ${escapeHtml(now)}. The rest is JSON: see docs/fake-stripe.md.</p>`;
  return documentHtml({ title: 'Fake of Stripe', body, kind: 'wide' });
}

function waitingHtml(intent: Stripe.PaymentIntent): string {
  const what = intent.next_action?.type === 'blik_authorize' ? 'BLIK' : '3-D Secure or Przelewy24';
  const form = (choice: string, text: string, look: string) =>
    `<form method="post" action="/_fake/payers/${encodeURIComponent(intent.id)}"><input type="hidden" name="choice" value="${choice}"><button class="${look}">${text}</button></form>`;
  return `<div class="box"><p class="amount">${escapeHtml(moneyText(intent.amount, intent.currency))}</p>
<p class="faint">${what}. ${escapeHtml(intent.description ?? '')} ${escapeHtml(intent.id)}</p>
<div class="choices">${form('approve', 'Approve', 'go')}${form('customer_declined', 'Refuse', 'stop')}</div></div>`;
}

/** The card fields, inside the frame that the script puts into the page of the shop. */
export function elementHtml(): string {
  const field = (name: string, label: string, hint: string, whole: boolean) =>
    `<div${whole ? ' class="whole"' : ''}><label for="${name}">${label}</label><input id="${name}" name="${name}" inputmode="numeric" autocomplete="off" placeholder="${hint}" aria-describedby="fault"></div>`;
  const body = `<form class="fields" novalidate>${field('number', 'Card number', '4242 4242 4242 4242', true)}
${field('expiry', 'Expiration date', 'MM / YY', false)}${field('cvc', 'Security code', 'CVC', false)}
<p class="fault" id="fault" role="alert"></p></form>`;
  return documentHtml({ title: 'Card fields', body, script: '/_fake/element.js', kind: 'element' });
}
