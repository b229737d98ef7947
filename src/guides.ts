// The guides of docs/ as parts of the reference: each section stands with the endpoints that it is about.

import { readFile } from 'node:fs/promises';
import type { Guides } from '../contract/openapi.ts';

/** The sections of docs/api.md by the tag that they belong to; '' is the introduction. Others are left out. */
const places: Record<string, string> = {
  Tokens: 'Access',
  Conventions: '',
  'Creating a transaction': 'Transactions',
  'Paying by redirect': 'Transactions',
  'Paying on-site': 'Transactions',
  'Test values': '',
  Notifications: 'Notifications',
  Events: 'Notifications',
  Idempotency: 'Idempotency',
  Refunds: 'Refunds',
  Balance: 'Balance',
  Payouts: 'Balance',
  'Payout settings': 'Balance',
  'Recurring payments': 'Recurring',
  'The virtual clock': 'Sandbox',
  Sellers: 'Marketplace',
  Errors: '',
  Limits: '',
};

/** Whole guides by their tag. */
const wholes: Record<string, string> = {
  'embed.md': 'Transactions',
  'marketplace.md': 'Marketplace',
  'wallet.md': 'Wallet',
};

/** The guide of the panel's document. */
const panelGuide = 'panel.md';

const docs = new URL('../docs/', import.meta.url);

function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** Where a link of docs/ leads in the reference; undefined: nowhere. */
function targetOf(link: string): string | undefined {
  if (/^(https?:|\/)/.test(link)) return link;
  const [file = '', anchor = ''] = link.split('#', 2);
  if (file === panelGuide) return '/docs/panel/';
  const whole = wholes[file];
  if (whole) return `#tag/${slugOf(whole)}`;
  if (file !== '' && file !== 'api.md') return undefined;
  const section = Object.keys(places).find((heading) => slugOf(heading) === anchor);
  if (section === undefined) return undefined;
  return places[section] ? `#tag/${slugOf(places[section])}` : `#description/${anchor}`;
}

/** Links lead to the same text in the reference; what is not there keeps only its words. Pictures are left out. */
function relink(markdown: string): string {
  return markdown.replaceAll(/!?\[([^\]]+)\]\(([^)\s]+)\)/g, (all, words: string, link: string) => {
    if (all.startsWith('!')) return '';
    const target = targetOf(link);
    return target === undefined ? words : `[${words}](${target})`;
  });
}

/** The reference has its own contents. */
function withoutContents(markdown: string): string {
  return markdown.replaceAll(/^- \[[^\]]+\]\(#[^)]+\)\n?/gm, '');
}

interface Section {
  readonly heading: string;
  readonly text: string;
}

/** The parts of a guide that begin with a heading of the second level; before the first one comes its beginning. */
function sectionsOf(markdown: string): readonly Section[] {
  return markdown.split(/^## /m).map((part, index) => {
    const end = part.indexOf('\n');
    // Without empty lines around it; spaces before the first line mean code. The title of the guide is left out.
    const text = part.slice(end + 1).replaceAll(/^\n+|\s+$/g, '');
    return { heading: index === 0 ? '' : part.slice(0, end), text };
  });
}

const read = (file: string) => readFile(new URL(file, docs), 'utf8');

async function wholeOf(file: string): Promise<string[]> {
  return sectionsOf(await read(file)).map(({ heading, text }) =>
    relink(heading === '' ? withoutContents(text) : `## ${heading}\n\n${text}`),
  );
}

/** The reference lists the endpoints itself. */
const listOfEndpoints = '## Endpoint ids';

/** The guide of the panel, for its own document. */
export async function readPanelGuides(): Promise<Guides> {
  const parts = (await wholeOf(panelGuide)).filter((part) => !part.startsWith(listOfEndpoints));
  return { introduction: '', tags: new Map([['Panel', parts.join('\n\n')]]) };
}

/** Reads docs/ for the merchant's document. */
export async function readGuides(): Promise<Guides> {
  const tags = new Map<string, string[]>();
  const introduction: string[] = [];
  for (const { heading, text } of sectionsOf(await read('api.md'))) {
    const tag = places[heading];
    if (tag === undefined) continue;
    const title = heading === tag ? '' : `${tag === '' ? '#' : '##'} ${heading}\n\n`;
    const part = relink(`${title}${text}`);
    if (tag === '') introduction.push(part);
    else tags.set(tag, [...(tags.get(tag) ?? []), part]);
  }
  for (const [file, tag] of Object.entries(wholes)) tags.set(tag, [...(tags.get(tag) ?? []), ...(await wholeOf(file))]);
  return {
    introduction: introduction.join('\n\n'),
    tags: new Map([...tags].map(([tag, parts]) => [tag, parts.join('\n\n')])),
  };
}
