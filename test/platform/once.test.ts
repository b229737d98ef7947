import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { readOrMake } from '../../src/runtime/index.ts';

suite('a file that is created once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'grosz-once-'));
  after(() => rmSync(folder, { recursive: true }));

  // Guarantee: a key is never overwritten: what was encrypted with the first one could no longer be decrypted.
  test('concurrent calls agree on one text, and nothing else is left', async () => {
    const file = join(folder, 'key');
    const seen = await Promise.all(Array.from({ length: 50 }, (_, index) => readOrMake(file, () => `key ${index}\n`)));
    assert.equal(new Set(seen).size, 1);
    assert.equal(readFileSync(file, 'utf8'), seen[0]);
    assert.deepEqual(readdirSync(folder), ['key']);
    assert.equal(statSync(file).mode & 0o777, 0o600);
  });

  // Guarantee: an existing file is never replaced, whatever it contains.
  test('what is there stays', async () => {
    const file = join(folder, 'there');
    writeFileSync(file, '');
    assert.equal(await readOrMake(file, () => 'another'), '');
    assert.equal(readFileSync(file, 'utf8'), '');
  });

  // Guarantee: if it cannot be created, the error says why.
  test('a folder that is not there', async () => {
    await assert.rejects(
      readOrMake(join(folder, 'nowhere', 'key'), () => 'key'),
      { code: 'ENOENT' },
    );
  });
});
