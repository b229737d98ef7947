// The bank's pages as HTML: nothing inline, usable without a script, usable with a keyboard and a screen reader.

import type { Language } from '../../../contract/languages.ts';
import { amountText, escapeHtml } from '../../kernel/index.ts';
import type { BankPage } from './simulator.ts';
import { words } from './words.ts';

export interface Frame {
  readonly language: Language;
  readonly styleUrl: string;
  readonly scriptUrl: string;
}

/** `content` is HTML; `title` is plain text. */
function frame({ language, styleUrl, scriptUrl }: Frame, title: string, content: string, page?: BankPage): string {
  const { notReal } = words[language];
  const bank = page?.bank ?? words[language].bank;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} - ${escapeHtml(bank)}</title>
<link rel="stylesheet" href="${escapeHtml(styleUrl)}">
<script type="module" src="${escapeHtml(scriptUrl)}"></script>
</head>
<body>
<header><p class="bank"><svg viewBox="0 0 32 32" aria-hidden="true"><path d="M5 13l11-7 11 7v2H5zM8 15v9M13.3 15v9M18.7 15v9M24 15v9M5 27h22"/></svg>${escapeHtml(bank)}</p></header>
<main>
<h1>${escapeHtml(title)}</h1>
${content}
</main>
<footer><p>${escapeHtml(notReal)}</p></footer>
</body>
</html>
`;
}

function titleOf(page: BankPage, language: Language): string {
  const { titles, question } = words[language];
  const known: Readonly<Partial<Record<BankPage['kind'], string>>> = titles;
  return known[page.kind] ?? question;
}

function facts(page: BankPage, language: Language): string {
  const text = words[language];
  const rows: [string, string][] = [[text.amount, amountText(page.amount, language)]];
  if (page.merchantName !== null) rows.unshift([text.merchant, page.merchantName]);
  if (page.description !== '') rows.push([text.description, page.description]);
  if (page.cardTail !== null) rows.push([text.card, `•••• ${page.cardTail}`]);
  return `<dl>\n${rows.map(([name, value]) => `<div><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd></div>`).join('\n')}\n</dl>`;
}

/** The question to the payer. The form has no action: it posts to the page's own URL. */
export function questionHtml(view: Frame, page: BankPage): string {
  const text = words[view.language];
  return frame(
    view,
    titleOf(page, view.language),
    `${facts(page, view.language)}
<form method="post">
<p class="network" role="status" data-offline="${escapeHtml(text.network.offline)}" data-unreachable="${escapeHtml(text.network.unreachable)}" data-not-sent="${escapeHtml(text.network.notSent)}"></p>
<p id="question">${escapeHtml(text.question)}</p>
<div class="choices" role="group" aria-labelledby="question">
<button class="confirm" name="choice" value="confirm">${escapeHtml(text.confirm)}</button>
<button class="refuse" name="choice" value="refuse">${escapeHtml(text.refuse)}</button>
</div>
</form>`,
    page,
  );
}

/** The result of the payment, with a link back. */
export function resultHtml(view: Frame, page: BankPage, backUrl: string | undefined): string {
  const text = words[view.language];
  const result = page.state === 'waiting' ? text.question : text[page.state];
  const back =
    backUrl === undefined ? '' : `\n<p><a class="back" href="${escapeHtml(backUrl)}">${escapeHtml(text.back)}</a></p>`;
  return frame(view, result, `${facts(page, view.language)}${back}`, page);
}

export function unknownHtml(view: Frame): string {
  const { unknownTitle, unknownText } = words[view.language];
  return frame(view, unknownTitle, `<p>${escapeHtml(unknownText)}</p>`);
}

export function unreadableHtml(view: Frame): string {
  const { failedTitle, chooseAgain } = words[view.language];
  return frame(view, failedTitle, `<p>${escapeHtml(chooseAgain)}</p>`);
}

export function failedHtml(view: Frame): string {
  const { failedTitle, failedText } = words[view.language];
  return frame(view, failedTitle, `<p>${escapeHtml(failedText)}</p>`);
}
