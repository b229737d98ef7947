// Errors that nobody catches, in test files of their own.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const runFiles = fileURLToPath(new URL('run-files.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'grosz-test-'));
after(() => rmSync(folder, { recursive: true }));

/** What the first test of a file does; another one follows. */
function aFile(name: string, does: string): string {
  const file = join(folder, `${name}.test.mjs`);
  const tests = `test('the first of ${name}', async () => { ${does}; await new Promise(setImmediate); });\ntest('another', () => {});`;
  writeFileSync(file, `import { suite, test } from 'node:test';\nsuite('${name}', () => {\n${tests}\n});\n`);
  return file;
}

function ran(files: readonly string[]): Promise<{ code: unknown; output: string }> {
  const { NODE_TEST_CONTEXT, ...env } = process.env;
  return new Promise((resolve) => {
    execFile(process.execPath, [runFiles, ...files], { env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    );
  });
}

const faults = [
  ['a rejection', "Promise.reject(new Error('Stray.'))"],
  ['an error of a callback', "setImmediate(() => { throw new Error('Stray.'); })"],
] as const;

suite('an error that nobody catches', () => {
  // Guarantee: it fails the run, whether its file has a process of its own or shares one, and names the test.
  for (const [name, does] of faults)
    test(name, async () => {
      const quiet = aFile('quiet', '');
      assert.equal((await ran([quiet])).code, 0);
      const stray = aFile('stray', does);
      for (const files of [[stray], [quiet, stray], [stray, quiet]]) {
        const { code, output } = await ran(files);
        assert.equal(code, 1, output);
        assert.match(output, /✖ the first of stray.*\s+Error: Stray\./);
        assert.match(output, /✔ another/);
      }
    });
});
