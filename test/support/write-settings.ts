// `npm run settings`: writes the table of settings into docs/operations.md.

import { readFileSync, writeFileSync } from 'node:fs';
import { settings } from '../../src/config.ts';

export const operationsFile = new URL('../../docs/operations.md', import.meta.url);

const head = '| setting | default | meaning |\n|---|---|---|\n';

/** The page with the table as the code has it. */
export function operationsText(): string {
  const rows = settings.map(({ name, usual, help }) => `| \`${name}\` | ${usual} | ${help} |\n`);
  const page = readFileSync(operationsFile, 'utf8');
  const start = page.indexOf(head);
  if (start < 0) throw new Error('docs/operations.md has no table of settings.');
  const rest = page.slice(start + head.length).replace(/^(\|.*\n)*/, '');
  return page.slice(0, start) + head + rows.join('') + rest;
}

if (import.meta.main) writeFileSync(operationsFile, operationsText());
