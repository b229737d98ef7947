// Only its owner can access the data folder, whatever the umask was and whoever changed it since.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { openDataFolder } from '../../src/data-files.ts';
import { inTurn } from '../../src/embedded/lock.ts';
import { runHere } from '../support/command.ts';
import { aDataDir, quietPort, startGrosz } from '../support/process.ts';

const modeOf = (path: string) => statSync(path).mode & 0o777;

/**
 * What others may do with the folder or its contents. The group of the embedded server may traverse it to its own
 * files.
 */
function openings(dataDir: string): string[] {
  const { mode, gid } = statSync(dataDir);
  const passes =
    (mode & 0o777) === 0o710 && statSync(join(dataDir, 'postgres')).gid === gid && gid !== process.getgid?.();
  const folder = (mode & 0o077) === 0 || passes ? [] : [`. ${(mode & 0o777).toString(8)}`];
  const files = readdirSync(dataDir).filter((name) => (modeOf(join(dataDir, name)) & 0o077) !== 0);
  return [...folder, ...files.map((name) => `${name} ${modeOf(join(dataDir, name)).toString(8)}`)];
}

suite('the data folder', () => {
  // Guarantee: nobody else on the machine can read payments, keys, passwords or logs.
  test('is closed to others at the first start, and again at a later one', async () => {
    const dataDir = aDataDir();
    chmodSync(dataDir, 0o755);
    const environment = { DATA_DIR: dataDir, PORT: String(await quietPort()) };
    const first = startGrosz(['start'], environment);
    await first.until(/Ctrl-C stops it/);
    assert.deepEqual(openings(dataDir), []);
    const names = readdirSync(dataDir);
    for (const name of ['bank.sqlite', 'shop.sqlite', 'grosz.log', 'postgres.log', 'vault.key', 'demo.json'])
      assert.ok(names.includes(name), `${name}: ${names}`);
    if (process.getuid?.() === 0) {
      const nobody = { uid: 65_534, gid: 65_534 };
      for (const name of ['bank.sqlite', 'grosz.log', 'vault.key'])
        assert.notEqual(spawnSync('cat', [join(dataDir, name)], nobody).status, 0, name);
      assert.notEqual(spawnSync('ls', [dataDir], nobody).status, 0);
    }
    // So that SQLite's log files are left over.
    first.kill('SIGKILL');
    await first.ended;
    chmodSync(dataDir, 0o755);
    for (const name of readdirSync(dataDir)) if (name !== 'postgres') chmodSync(join(dataDir, name), 0o644);
    const second = startGrosz(['start'], environment);
    await second.until(/Ctrl-C stops it/);
    assert.deepEqual(openings(dataDir), []);
    await second.stop();
  });

  // Guarantee: a start does not lock out the server that another process is creating as another user.
  test('is closed only while nobody makes or starts its server', async () => {
    const dataDir = aDataDir();
    await inTurn(dataDir, 0, async () => {
      chmodSync(dataDir, 0o710);
      await assert.rejects(openDataFolder(dataDir, 0), /Another process has been starting or stopping/);
      assert.equal(modeOf(dataDir), 0o710);
    });
    await openDataFolder(dataDir, 0);
    assert.equal(modeOf(dataDir), 0o700);
  });

  // Guarantee: a mistyped DATA_DIR never closes a folder that others use.
  test('is refused when it is open to others and holds something else', async () => {
    const dataDir = join(aDataDir(), 'shared');
    mkdirSync(dataDir);
    chmodSync(dataDir, 0o755);
    writeFileSync(join(dataDir, 'somebody-elses.txt'), '');
    const { code, stderr } = await runHere(['start'], { DATA_DIR: dataDir, PORT: String(await quietPort()) });
    assert.equal(code, 1);
    assert.equal(
      stderr,
      `The data folder ${dataDir} is open to other users and contains foreign files. ` +
        `Set DATA_DIR to a separate folder, or close it: chmod 700 ${dataDir}\n`,
    );
    assert.equal(modeOf(dataDir), 0o755);
  });

  // Guarantee: in a folder that another user could write to, nothing of that user's is taken for ours: neither a key
  // that the user knows, nor a link through which a file elsewhere would be changed and written to.
  const planted: [name: string, plant: (file: string, elsewhere: string) => void][] = [
    ['grosz.log', (file, elsewhere) => symlinkSync(elsewhere, file)],
  ];
  if (process.getuid?.() === 0) {
    planted.push([
      'vault.key',
      (file) => {
        writeFileSync(file, '', { mode: 0o600 });
        chownSync(file, 65_534, 65_534);
      },
    ]);
  }
  for (const [name, plant] of planted) {
    test(`is refused when others could write and left ${name} there`, async () => {
      const folder = aDataDir();
      const [dataDir, elsewhere] = [join(folder, 'data'), join(folder, 'elsewhere')];
      mkdirSync(dataDir);
      chmodSync(dataDir, 0o777);
      writeFileSync(elsewhere, '');
      chmodSync(elsewhere, 0o644);
      plant(join(dataDir, name), elsewhere);
      await assert.rejects(openDataFolder(dataDir, 0), (error: Error) => {
        const first = `Other users can write to the data folder ${dataDir}, and ${name} in it `;
        assert.ok(error.message.startsWith(first), error.message);
        return true;
      });
      assert.deepEqual([modeOf(dataDir), modeOf(elsewhere)], [0o777, 0o644]);
    });
  }

  // Guarantee: a folder of our own that was opened by mistake is closed, and the start continues.
  test('is closed when others could write and left nothing there', async () => {
    const dataDir = aDataDir();
    writeFileSync(join(dataDir, 'vault.key'), '', { mode: 0o600 });
    chmodSync(dataDir, 0o777);
    await openDataFolder(dataDir, 0);
    assert.deepEqual(openings(dataDir), []);
  });
});
