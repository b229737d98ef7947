import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prefersCsv } from './accept.ts';

// Guarantee: a file comes to those who ask for it, and JSON to everybody else.
test('whether CSV is preferred', () => {
  const table: readonly (readonly [accept: string | undefined, csv: boolean])[] = [
    [undefined, false],
    ['', false],
    ['*/*', false],
    ['application/json', false],
    ['text/csv', true],
    ['Text/CSV; charset=utf-8', true],
    ['text/*', true],
    ['text/csv, */*', false],
    ['text/csv, */*;q=0.5', true],
    ['text/csv;q=0', false],
    ['text/csv;q=x', false],
    ['text/csv;q=0.9, application/json', false],
    ['text/csv, application/json;q=0.9', true],
    ['application/xml', false],
    [`text/csv,${'x'.repeat(1_000)}`, false],
  ];
  for (const [accept, csv] of table) assert.equal(prefersCsv(accept), csv, accept ?? 'none');
});
