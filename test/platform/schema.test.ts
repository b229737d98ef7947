// The drawing of the schema.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { cloneDatabase } from '../support/database.ts';
import { atEnd } from '../support/service.ts';
import { schemaFile, schemaText } from '../support/write-schema.ts';

// Guarantee: the drawing shows the tables, columns and references that a migrated database has.
test('docs/schema.md is what npm run schema writes', async () => {
  const { url, drop } = await cloneDatabase();
  atEnd(drop);
  assert.equal(readFileSync(schemaFile, 'utf8'), await schemaText(url));
});
