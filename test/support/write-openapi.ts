// `npm run openapi`: writes the committed copy of the API's description, docs/openapi.json.

import { mkdirSync, writeFileSync } from 'node:fs';
import { openApi } from '../../contract/openapi.ts';
import { version } from '../../src/version.ts';

export const openApiFile = new URL('../../docs/openapi.json', import.meta.url);

/** The text of the copy: with the base URL of a first start, so that it is the same on every machine. */
export function openApiText(): string {
  return `${JSON.stringify(openApi('http://127.0.0.1:3000', version), null, 2)}\n`;
}

if (import.meta.main) {
  mkdirSync(new URL('.', openApiFile), { recursive: true });
  writeFileSync(openApiFile, openApiText());
}
