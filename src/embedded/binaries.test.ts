// The binaries of the embedded PostgreSQL as npm installs them.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { restoreLinks } from './binaries.ts';

suite('restoreLinks', () => {
  // Guarantee: the first start works even if npm ran no install scripts: libraries are found under the names that the
  // programs load.
  test('makes what the package lists, and leaves what is there', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'grosz-links-'));
    try {
      const lib = join(folder, 'native', 'lib');
      await mkdir(lib, { recursive: true });
      await writeFile(join(lib, 'libicu.so.60.2'), 'library');
      await symlink('elsewhere', join(lib, 'libicu.so'));
      const links = ['libicu.so.60', 'libicu.so'].map((name) => ({
        source: 'native/lib/libicu.so.60.2',
        target: `native/lib/${name}`,
      }));
      await writeFile(join(folder, 'native', 'pg-symlinks.json'), JSON.stringify(links));
      for (let start = 0; start < 2; start += 1) await restoreLinks(join(folder, 'native'));
      assert.equal(await readFile(join(lib, 'libicu.so.60'), 'utf8'), 'library');
      assert.deepEqual(
        [await readlink(join(lib, 'libicu.so.60')), await readlink(join(lib, 'libicu.so'))],
        ['libicu.so.60.2', 'elsewhere'],
      );
      await restoreLinks(join(folder, 'nothing'));
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
