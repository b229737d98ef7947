// The form of mails to payers: as text, and as HTML with the same content.

import { escapeHtml, localeOf } from '../../kernel/index.ts';

export interface MailText {
  readonly language: string;
  readonly subject: string;
  readonly greeting: string;
  readonly intro: string;
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** A list below the facts, with a heading. */
  readonly list?: { readonly title: string; readonly rows: readonly (readonly [name: string, value: string])[] };
  /** A button below. */
  readonly link?: { readonly text: string; readonly url: string };
  readonly after: string;
  /** In small print. */
  readonly automatic: string;
}

export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export function renderMail(given: MailText): RenderedMail {
  const mail = inLines(given);
  return { subject: oneLine(mail.subject), text: textOf(mail), html: htmlOf(mail) };
}

const lineEnds = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** Marks that change the direction of a text: with them it reads as something else. */
const directions = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

function inLine(text: string): string {
  return text.replaceAll(lineEnds, ' ').replaceAll(directions, '');
}

/** Every text in one line: a name or description with line ends could pass for a part of the mail. */
function inLines({ subject, intro, facts, list, after, automatic, ...others }: MailText): MailText {
  const inRows = (rows: MailText['facts']) => rows.map(([name, value]) => [inLine(name), inLine(value)] as const);
  return {
    ...others,
    subject: inLine(subject),
    intro: inLine(intro),
    facts: inRows(facts),
    ...(list && { list: { title: list.title, rows: inRows(list.rows) } }),
    after: inLine(after),
    automatic: inLine(automatic),
  };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function textOf({ language, greeting, intro, facts, list, link, after, automatic }: MailText): string {
  const colon = language === 'fr' ? '\u00a0:' : ':';
  const lines = facts.map(([name, value]) => `${name}${colon} ${oneLine(value)}`);
  const rows = list?.rows.map(([name, value]) => `- ${[oneLine(name), value].filter(Boolean).join(`${colon} `)}`) ?? [];
  const lists = list ? [[`${list.title}${colon}`, ...rows].join('\n')] : [];
  const links = link ? [`${link.text}${colon}\n${link.url}`] : [];
  return [greeting, intro, lines.join('\n'), ...lists, ...links, after, automatic].join('\n\n');
}

/**
 * Mail programs ignore style sheets, so styles are inline; those that have a dark mode read this one rule. The others
 * show the light colors, which are all set, so that none of them meets a ground that it was not made for.
 */
const darkStyle =
  '@media (prefers-color-scheme: dark){body{background:#141a17!important;color:#e9efec!important}' +
  '.faint{color:#a3b1aa!important}.line{border-color:#36413b!important}' +
  '.button{background:#62d5b2!important;color:#05231a!important}}';

function htmlOf({ language, subject, greeting, intro, facts, list, link, after, automatic }: MailText): string {
  const rows = facts.map(
    ([name, value]) =>
      `<tr><th scope="row" class="faint" style="text-align:left;vertical-align:top;padding:4px 16px 4px 0;font-weight:normal;color:#4a5565">${escapeHtml(name)}</th>` +
      `<td style="padding:4px 0;font-weight:bold;overflow-wrap:anywhere">${escapeHtml(value)}</td></tr>`,
  );
  const button = link
    ? `<p style="margin:24px 0"><a class="button" href="${escapeHtml(link.url)}" style="display:inline-block;padding:12px 24px;border-radius:8px;background:#0b6650;color:#ffffff;text-decoration:none;font-weight:bold">${escapeHtml(link.text)}</a></p>\n`
    : '';
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escapeHtml(subject)}</title><style>${darkStyle}</style></head>
<body style="margin:0;padding:24px;background:#ffffff;color:#17212f;font:16px/1.5 sans-serif">
<div style="max-width:560px">
<p>${escapeHtml(greeting)}</p>
<p>${escapeHtml(intro)}</p>
<table role="table" style="border-collapse:collapse">
${rows.join('\n')}
</table>
${list ? listOf(list) : ''}${button}<p>${escapeHtml(after)}</p>
<p class="faint" style="color:#4a5565">${escapeHtml(automatic)}</p>
</div>
</body>
</html>
`;
}

function listOf({ title, rows }: NonNullable<MailText['list']>): string {
  const lines = rows.map(
    ([name, value]) =>
      `<tr><th scope="row" class="line" style="text-align:left;padding:8px 16px 8px 0;font-weight:normal;border-top:1px solid #d8dfe8">${escapeHtml(name)}</th>` +
      `<td class="line" style="text-align:right;white-space:nowrap;padding:8px 0;border-top:1px solid #d8dfe8">${escapeHtml(value)}</td></tr>`,
  );
  return `<table role="table" style="border-collapse:collapse;width:100%;margin-top:16px">
<caption class="faint" style="text-align:left;padding:8px 0;color:#4a5565">${escapeHtml(title)}</caption>
${lines.join('\n')}
</table>
`;
}

/** `10 March 2026 at 14:05`, in a time zone. */
export function dateText(at: Temporal.Instant, zone: string, language: string): string {
  const options = { dateStyle: 'long', timeStyle: 'short', timeZone: zone } as const;
  return new Intl.DateTimeFormat(localeOf(language), options).format(at.epochMilliseconds);
}
