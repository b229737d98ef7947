// The layout of every page: what is to be paid next to what is to be done.

import { type Language, languageNames, languages } from '../../../contract/languages.ts';
import type { CardFields } from '../../acquirer/index.ts';
import { amountText } from '../../kernel/index.ts';
import type { PayerView } from '../../transactions/index.ts';
import { Html, html, type Part } from '../html.ts';
import type { PageTools } from '../tools.ts';
import { colorUrl, frameScriptUrl, scriptPartUrls, scriptUrl, styleUrl, walletScriptUrl } from './assets.ts';
import type { Frame, FrameState, Theme } from './frame.ts';
import { followOf, markOf } from './rules.ts';
import { type Words, words } from './words/index.ts';

/** What every view needs. */
export interface Scene {
  readonly language: Language;
  readonly text: Words;
  /** Whether no real money moves: the page says so, and shows test values. */
  readonly sandbox: boolean;
  /** The method in the URL of this page: kept by the links to other languages. */
  readonly method: number | 'all' | undefined;
  /** What the foot says about the operator. */
  readonly operator: (language: Language) => Html;
}

/** A scene for a transaction. */
export interface PayScene extends Scene {
  readonly view: PayerView;
  /** `/pay/{id}.{key}` */
  readonly path: string;
  readonly amount: string;
  /** The name of the session object that devices of the wallet vendor provide. */
  readonly walletObject: string;
  /** Scripts of a page that offers the wallet. */
  readonly walletHead: Html;
  /** Undefined: the page stands alone. */
  readonly frame: Frame | undefined;
}

/** How pages access the wallet of the payer's device. */
export type WalletScene = Pick<PayScene, 'walletObject' | 'walletHead'>;

/** The vendor's own script comes first: it may provide the session object. */
export function walletScene(walletObject: string, scripts: readonly string[]): WalletScene {
  const tags = scripts.map((url) => html`<script defer src="${url}"></script>\n`);
  return { walletObject, walletHead: html`${tags}<script type="module" src="${walletScriptUrl}"></script>\n` };
}

/** The same for every page of the service. */
export type House = Pick<Scene, 'sandbox' | 'operator'>;

export function sceneIn(house: House, language: Language, method?: Scene['method']): Scene {
  return { ...house, language, text: words[language], method };
}

export function payScene(
  scene: Scene,
  view: PayerView,
  path: string,
  wallet: WalletScene,
  frame?: Frame | undefined,
): PayScene {
  return { ...scene, ...wallet, view, path, frame, amount: amountText(view.transaction.amount, scene.language) };
}

/** The address of this payment's page, or of what it shows with this query; in a frame it stays there. */
export function pageUrl({ path, frame }: Pick<PayScene, 'path' | 'frame'>, query = ''): string {
  if (frame) return `${path}/embed?${frame.query}${query && `&${query}`}`;
  return query === '' ? path : `${path}?${query}`;
}

export interface Step {
  readonly title: string;
  /** What happened last, for the title of the window. */
  readonly news?: string | undefined;
  /** The symbol above it; a step with a form has none. */
  readonly mood?: 'good' | 'returned' | 'over' | 'failed' | 'wait' | 'bank';
  readonly content: Part;
  /** Whether it can be done on a phone instead: there is a code to scan. */
  readonly elsewhere?: true;
  /** In the head; only what works without a script. */
  readonly head?: Html;
  /** Whom a page with the card fields of an acquirer lets in. */
  readonly origins?: CardFields['origins'];
}

/** Parts that are the same on every page of a language are rendered once and cached as one string. */
export function perLanguage(make: (text: Words, language: Language) => Html): (language: Language) => Html {
  const made = new Map<Language, Html>();
  return (language) => {
    let piece = made.get(language);
    if (!piece) {
      // Through bytes, which flattens the rope that concatenation leaves.
      piece = new Html(Buffer.from(make(words[language], language).text).toString('utf8'));
      made.set(language, piece);
    }
    return piece;
  };
}

const mark = html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><circle cx="16" cy="16" r="15"/><path d="M21.5 11.2a7 7 0 1 0 .9 8.3V16h-6"/></svg>`;

const lock = html`<svg class="lock" viewBox="0 0 16 16" aria-hidden="true"><path d="M4.5 7V5a3.5 3.5 0 0 1 7 0v2M3 7h10v7H3z"/></svg>`;

const symbols: Readonly<Record<NonNullable<Step['mood']>, Html>> = {
  good: html`<svg class="symbol" viewBox="0 0 64 64" aria-hidden="true"><circle cx="32" cy="32" r="30"/><path d="M19 33l9 9 18-19"/></svg>`,
  returned: html`<svg class="symbol" viewBox="0 0 64 64" aria-hidden="true"><circle cx="32" cy="32" r="30"/><path d="M26 20l-9 9 9 9M17 29h19a10 10 0 0 1 0 20h-7"/></svg>`,
  over: html`<svg class="symbol" viewBox="0 0 64 64" aria-hidden="true"><circle cx="32" cy="32" r="30"/><path d="M23 23l18 18M41 23L23 41"/></svg>`,
  failed: html`<svg class="symbol" viewBox="0 0 64 64" aria-hidden="true"><circle cx="32" cy="32" r="30"/><path d="M32 17v20M32 45v2"/></svg>`,
  wait: html`<svg class="symbol" viewBox="0 0 64 64" aria-hidden="true"><circle cx="32" cy="32" r="30"/><path class="turn" d="M32 2a30 30 0 0 1 30 30"/><path d="M25 18h14a2 2 0 0 1 2 2v24a2 2 0 0 1-2 2H25a2 2 0 0 1-2-2V20a2 2 0 0 1 2-2zM30 41h4"/></svg>`,
  bank: html`<svg class="symbol" viewBox="0 0 64 64" aria-hidden="true"><circle cx="32" cy="32" r="30"/><path d="M18 27l14-9 14 9v2H18zM23 29v12M29 29v12M35 29v12M41 29v12M18 45h28"/></svg>`,
};

/** A page without a transaction: not found, failed. */
export function plainPage(scene: Scene, step: Step): string {
  return page(scene, step, step.title, html`<main class="sheet alone">${stepHtml(step, '')}</main>`);
}

/** For the page's script: where the payment is, how to detect that the page is outdated, and how often to ask. */
function facts({ path, view }: PayScene): Html {
  const follow = followOf(view);
  return html` data-path="${path}" data-mark="${markOf(view)}"${follow && html` data-follow="${follow}"`}`;
}

/** What is new on it comes first. */
function titleOf({ news, title }: Step): string {
  return news === undefined ? title : `${news}: ${title}`;
}

/** A page of a transaction. Only a marketplace transaction has a cart. */
export function payPage(scene: PayScene, step: Step, cart: Html | undefined): string {
  const { text, view, amount, language } = scene;
  const { description, title, status } = view.transaction;
  const { color, logoHash } = view.merchant.page;
  const sheet = html`<main class="sheet"${facts(scene)}>
<section class="summary" aria-label="${text.summary}">
${logoHash !== null && html`<img class="logo" src="/assets/logos/${logoHash}" alt="">\n`}<p class="merchant">${view.merchant.name}</p>
<p class="amount"><span>${status === 'pending' ? text.amount : text.sum}</span> <strong${lengthClass(amount)}>${amount}</strong></p>
<dl>
<div><dt>${text.description}</dt><dd>${description}</dd></div>
<div><dt>${text.number}</dt><dd class="code">${title}</dd></div>
</dl>
${cart}</section>
${stepHtml(step, networkNote(language), step.elsewhere && phoneCode(scene))}
</main>`;
  return page(scene, step, `${titleOf(step)} · ${view.merchant.name}`, sheet, colorLink(color));
}

function colorLink(color: string | null, theme?: Theme): Part {
  return color !== null && html`<link rel="stylesheet" href="${colorUrl(color, theme)}">\n`;
}

/** The step alone: amount and order stand in the page around the frame. The frame's script tells that page the state. */
export function framePage(scene: PayScene, frame: Frame, step: Step, frameState: FrameState): string {
  const { language, view, sandbox } = scene;
  const state = Object.entries(frameState).map(([name, value]) => html` data-${name}="${value}"`);
  const main = html`<main class="sheet alone"${facts(scene)} data-page="${pageUrl(scene)}" data-origin="${frame.origin}"${state}>
${stepHtml(step, networkNote(language), sandbox && testNote(language))}
</main>
`;
  const head = html`${colorLink(view.merchant.page.color, frame.theme)}${step.head}<script type="module" src="${frameScriptUrl}"></script>\n`;
  return html`${beforeTitle(frame.theme)(language)}${titleOf(step)}</title>\n${head}</head>
<body class="framed">
${main}</body>
</html>
`.text;
}

/** For payers at a desk; the image is loaded when they open it. After the step: the first tab leads to what is to be done. */
function phoneCode({ text, path }: PayScene): Html {
  return html`<details class="phone"><summary class="fold">${text.phone.title}</summary>
<p>${text.phone.text}</p>
<img src="${path}/qr.svg" alt="${text.phone.title}" width="180" height="180" loading="lazy">
</details>
`;
}

/** Amounts stay in one line, on the narrowest phone too. */
function lengthClass({ length }: string): Html | false {
  if (length > 17) return html` class="longest"`;
  return length > 12 && html` class="long"`;
}

/** Where the page's script says that the service cannot be reached, and what is known then. */
const networkNote = perLanguage(
  ({ network }) =>
    html`<p class="network" role="status" data-offline="${network.offline}" data-unreachable="${network.unreachable}" data-not-sent="${network.notSent}"></p>`,
);

function stepHtml({ title, mood, content }: Step, note: Part, more: Part = ''): Html {
  return html`<section class="step ${mood ?? 'plain'}">
${mood && symbols[mood]}
<h1>${title}</h1>
${note}
${content}
${more}</section>`;
}

function beginning(theme: Theme | undefined) {
  return perLanguage(
    (_text, language) => html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${theme ?? 'light dark'}">
<meta name="format-detection" content="telephone=no">
<link rel="icon" href="/assets/pay/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${styleUrl(theme)}">
${scriptPartUrls.map((url) => html`<link rel="modulepreload" href="${url}">\n`)}<script type="module" src="${scriptUrl}"></script>
<title>`,
  );
}

const beginnings = { light: beginning('light'), dark: beginning('dark'), auto: beginning(undefined) };

/** In the theme of the page around a frame. */
function beforeTitle(theme?: Theme): ReturnType<typeof beginning> {
  return beginnings[theme ?? 'auto'];
}

const afterHead = perLanguage(
  (text) => html`</head>
<body>
<header class="bar">
<p class="brand">${mark}Grosz</p>
<p class="secure">${lock}${text.secure}</p>
</header>
`,
);

const testNote = perLanguage((text) => html`<p class="test">${text.testMode}</p>\n`);

/** Who runs the service, its terms, and where payers get help; what the operator did not set is left out. */
export function operatorNote({
  name,
  termsUrl,
  support,
}: PageTools['config']['operator']): (language: Language) => Html {
  return perLanguage((text) => {
    const help = support !== undefined && (support.startsWith('https:') ? support : `mailto:${support}`);
    const parts = [
      name !== undefined && html`<span>${text.operator(name)}</span>\n`,
      termsUrl !== undefined && html`<a href="${termsUrl}">${text.terms}</a>\n`,
      help && html`<a href="${help}">${text.support}</a>\n`,
    ];
    return parts.some(Boolean) ? html`<p class="operator">${parts}</p>\n` : html``;
  });
}

/** Links to this page in every language; they work without a script. */
function languageLinks(method: Scene['method']) {
  const query = method === undefined ? '' : `method=${method}&`;
  return perLanguage((text, present) => {
    const links = languages.map((language) => {
      const current = language === present && html` aria-current="true"`;
      return html`<li><a href="?${query}lang=${language}" lang="${language}" hreflang="${language}"${current}>${languageNames[language]}</a></li>\n`;
    });
    return html`<nav class="languages" aria-label="${text.language}"><ul>\n${links}</ul></nav>\n`;
  });
}

const switches = new Map<Scene['method'], ReturnType<typeof languageLinks>>();

function languageSwitch({ method, language }: Scene): Html {
  let links = switches.get(method);
  if (!links) {
    links = languageLinks(method);
    switches.set(method, links);
  }
  return links(language);
}

function page(scene: Scene, step: Step, title: string, main: Html, head: Part = ''): string {
  const { language, sandbox, operator } = scene;
  const foot = html`<footer>${sandbox && testNote(language)}${languageSwitch(scene)}${operator(language)}</footer>\n</body>\n</html>\n`;
  return html`${beforeTitle()(language)}${title}</title>\n${head}${step.head}${afterHead(language)}${main}${foot}`.text;
}
