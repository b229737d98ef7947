// `npm run openapi`: writes the committed copies of the API's description, docs/openapi.json, and of the panel's.

import { mkdirSync, writeFileSync } from 'node:fs';
import { openApi, panelOpenApi } from '../../contract/openapi.ts';
import { version } from '../../src/version.ts';

const docs = new URL('../../docs/', import.meta.url);

/** With the base URL of a first start, so that they are the same on every machine. */
const textOf = (make: typeof openApi) => `${JSON.stringify(make('http://127.0.0.1:3000', version), null, 2)}\n`;

export const openApiCopies = [
  { name: 'openapi.json', file: new URL('openapi.json', docs), text: () => textOf(openApi) },
  { name: 'openapi-panel.json', file: new URL('openapi-panel.json', docs), text: () => textOf(panelOpenApi) },
] as const;

if (import.meta.main) {
  mkdirSync(docs, { recursive: true });
  for (const { file, text } of openApiCopies) writeFileSync(file, text());
}
