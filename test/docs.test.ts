// The documentation matches the code: settings, commands, codes, folders, tables, works, metrics, URLs, links.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { endpoints } from '../contract/endpoints.ts';
import { panelEndpoints } from '../contract/panel/endpoints.ts';
import * as sdk from '../sdk/verify.ts';
import { batchesFailures } from '../src/batches/index.ts';
import { dataFiles } from '../src/data-files.ts';
import { allFailures } from '../src/failures.ts';
import { identityFailures } from '../src/identity/index.ts';
import { bankAccountFailures } from '../src/payouts/index.ts';
import { openMetrics } from '../src/runtime/index.ts';
import { treasuryFailures } from '../src/treasury/index.ts';
import { aWorld, roomsOf } from './support/service.ts';
import { operationsFile, operationsText } from './support/write-settings.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...globSync('docs/**/*.md', { cwd: root }).sort()];

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** Names on the list that the document does not contain in backticks. */
function missingIn(document: string, names: readonly string[]): string[] {
  const text = textOf(document);
  return names.filter((name) => !text.includes(`\`${name}\``));
}

/** The lines of a guide that are commands. */
function commandsOf(file: string): string[] {
  const outside = textOf(file).replaceAll(/^```.*?^```/gms, '');
  return outside.split('\n').filter((line) => line.startsWith('    '));
}

/** The variables that commands set. */
function setIn(lines: readonly string[]): string[] {
  return lines.flatMap((line) => [...line.matchAll(/(?:^|\s)([A-Z][A-Z_]+)=/g)].map(([, name = '']) => name));
}

suite('operations.md', () => {
  // Guarantee: operators find every setting of this version, with its default and meaning.
  test('has the table of settings that the code has: npm run settings', () => {
    assert.equal(readFileSync(operationsFile, 'utf8'), operationsText());
  });

  // Guarantee: and every command.
  test('names every command', () => {
    const help = spawnSync(process.execPath, [join(root, 'src/main.ts'), '--help'], { encoding: 'utf8' }).stdout;
    const commands = [...help.matchAll(/^ {2}([a-z]+) +[A-Z]/gm)].map(([, name]) => `grosz ${name}`);
    assert.ok(commands.length >= 10);
    const text = textOf('docs/operations.md');
    assert.deepEqual(
      commands.filter((command) => !text.includes(`| \`${command}`)),
      [],
    );
  });

  // Guarantee: whoever backs up or cleans the data folder knows every file in it.
  test('names every file of the data folder', () => {
    const isWhole = (file: string) => !/-(shm|wal)$|\.(making|new)$/.test(file);
    const names = dataFiles.filter(isWhole).map((file) => (file === 'postgres' ? 'postgres/' : file));
    assert.deepEqual(missingIn('docs/operations.md', names), []);
  });

  // Guarantee: metrics in the documentation have the names that the service uses.
  test('names every metric of ours', async () => {
    const names = (await openMetrics(() => ({ total: 0 })).registry.getMetricsAsJSON()).map(({ name }) => name);
    const ours = names.filter((name) => !/^grosz_(process|nodejs)_/.test(name));
    assert.ok(ours.length >= 6);
    assert.deepEqual(missingIn('docs/operations.md', ours), []);
  });
});

/** The ids that a document explains, as `id method path`, sorted. */
function endpointRowsOf(file: string): string[] {
  return [...textOf(file).matchAll(/^\| ([A-Z]\d+[a-z]?) \| `([A-Z]+) (\/[^`]*)` \|/gm)]
    .map(([, id, method, path]) => `${id} ${method} ${path}`)
    .sort();
}

function rowsOf(all: readonly { readonly id: string; readonly method: string; readonly path: string }[]): string[] {
  return all.map(({ id, method, path }) => `${id} ${method} ${path}`).sort();
}

suite('panel.md', () => {
  // Guarantee: ids of the panel's endpoints, used in comments and metrics, are explained, and stand nowhere else.
  test('names every endpoint of the panel by its id', () => {
    assert.deepEqual(endpointRowsOf('docs/panel.md'), rowsOf(panelEndpoints));
  });
});

/** The error codes that a document explains, sorted. */
function codeRowsOf(file: string): string[] {
  return [...textOf(file).matchAll(/^\| `[a-z_]+` \| \d{3} \|.*$/gm)].map(([row]) => row).sort();
}

function codeRows(failures: typeof allFailures): string[] {
  return failures.map(({ code, usual: { status, message } }) => `| \`${code}\` | ${status} | ${message} |`).sort();
}

suite('api.md', () => {
  // Guarantee: developers find the status and message of every code, and none that they never get.
  test('has the table of codes, line for line', () => {
    const ofPeople = [...identityFailures, ...bankAccountFailures, ...treasuryFailures, ...batchesFailures];
    const others = allFailures.filter((failure) => !ofPeople.includes(failure));
    assert.deepEqual(codeRowsOf('docs/api.md'), codeRows(others));
    assert.deepEqual(codeRowsOf('docs/panel.md'), codeRows(ofPeople));
  });

  // Guarantee: a client knows how long a body may be before it is refused.
  test('has the limit of every body', () => {
    const [, row = ''] = /^\| body \| (.*) \|$/m.exec(textOf('docs/api.md')) ?? [];
    for (const { id, method, bodyBytesAtMost } of endpoints) {
      const limit = bodyBytesAtMost === undefined || method !== 'POST' ? '' : `${bodyBytesAtMost / 1_024} KiB`;
      const [said = ''] = row.split(';').filter((part) => new RegExp(`\\b${id}\\b`).test(part));
      assert.equal(/[\d,]+ [KM]iB/.exec(said)?.[0] ?? '', limit.replace('1024 KiB', '1 MiB'), id);
    }
  });

  // Guarantee: ids such as E1, used in comments and metrics, are explained; the guide is for merchants' developers only.
  test('names every endpoint by its id, and none of the panel', () => {
    assert.deepEqual(endpointRowsOf('docs/api.md'), rowsOf(endpoints));
  });

  // Guarantee: the receiver that merchants copy does what it is for: it marks the order as paid.
  test('its receiver marks an order as paid', () => {
    const text = textOf('docs/api.md');
    const [, receiver = ''] = /```ts receiver\n(.*?)```/s.exec(text) ?? [];
    assert.match(receiver, /tr_crc[^\n]*= notification\.fields/);
    assert.match(receiver, /order\.paid = true/);
    assert.match(text, /No body parser may run before it/);
    assert.match(text, /An empty body is `\{\}` and refunds everything/);
  });

  // Guarantee: commands can be pasted from top to bottom: each variable is set before it is used.
  for (const [file, before] of [
    ['README.md', []],
    ['docs/api.md', []],
    ['docs/marketplace.md', []],
    ['docs/wallet.md', ['docs/api.md']],
    ['docs/embed.md', ['docs/api.md']],
  ] as const) {
    test(`${file} sets its variables before it uses them`, () => {
      const known = new Set(['PWD', 'PATH', ...before.flatMap((one) => setIn(commandsOf(one)))]);
      const faults: string[] = [];
      for (const line of commandsOf(file)) {
        for (const [, name = ''] of line.matchAll(/\$\{?([A-Z][A-Z_]+)/g))
          if (!known.has(name)) faults.push(`$${name}: ${line}`);
        for (const name of setIn([line])) known.add(name);
      }
      assert.deepEqual(faults, []);
    });
  }

  // Guarantee: the receiver that merchants copy uses what the SDK exports.
  test('its receiver imports what the SDK exports', () => {
    const [, names = ''] = /import \{([^}]+)\} from '\.\/sdk\/verify\.ts'/.exec(textOf('docs/api.md')) ?? [];
    const imported = names.split(',').map((name) => name.trim());
    assert.ok(imported.includes('verifyNotification'));
    assert.deepEqual(
      imported.filter((name) => !(name in sdk)),
      [],
    );
  });
});

suite('architecture.md', () => {
  // Guarantee: every room is on the map.
  test('names every folder of src', () => {
    const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    assert.deepEqual(
      missingIn(
        'docs/architecture.md',
        folders.map(({ name }) => `src/${name}`),
      ),
      [],
    );
  });

  test('names every work of the engine', async () => {
    const { works } = await roomsOf(await aWorld());
    const text = textOf('docs/architecture.md');
    assert.deepEqual(
      works.map(({ name }) => name).filter((name) => !text.includes(`| \`${name}\` |`)),
      [],
    );
  });

  // Guarantee: every table is listed with the folder that owns it.
  test('names every table with its owner', () => {
    const migrations = globSync('sql/*.sql', { cwd: root }).map(textOf);
    const created = migrations
      .flatMap((text) => [...text.matchAll(/^create table (?:if not exists )?(\w+)/gim)])
      .map(([, table = '']) => table);
    const rows = textOf('docs/architecture.md')
      .split('\n')
      .filter((line) => /^\| `src\/\w+` \| (`[a-z_]+`(, )?)+ \|$/.test(line));
    for (const table of created) {
      const [row = '', ...others] = rows.filter((line) => line.includes(`\`${table}\``));
      assert.ok(row !== '' && others.length === 0, `${table} must stand in one line of the table of owners`);
      const [, folder = ''] = /^\| `(src\/\w+)`/.exec(row) ?? [];
      const head = textOf(`${folder}/index.ts`).replaceAll(/\n\/\/ ?/g, ' ');
      const [, owned = ''] = /\bOwns: ([^.;]+)/.exec(head) ?? [];
      assert.ok(owned.split(/,\s*/).includes(table), `${folder} does not say that it owns ${table}`);
    }
  });
});

suite('decisions', () => {
  const pages = globSync('docs/decisions/[0-9]*.md', { cwd: root }).sort();
  const sources = globSync('{src,contract,sdk,web,test,bench,sql,examples}/**/*.{ts,tsx,js,sql}', { cwd: root });

  // Guarantee: a number is one decision, and the index has each with its title.
  test('the index lists every page once, in order', () => {
    assert.ok(pages.length >= 20);
    const rows = pages.map((page, index) => {
      const number = String(index + 1).padStart(4, '0');
      const [, title] = new RegExp(`^# ${index + 1}\\. (.+)\n`).exec(textOf(page)) ?? [];
      assert.ok(title && basename(page).startsWith(`${number}-`), `${page} must begin with "# ${index + 1}. "`);
      return `| [${number}](${basename(page)}) | ${title} |`;
    });
    const listed = textOf('docs/decisions/README.md')
      .split('\n')
      .filter((line) => line.startsWith('| ['));
    assert.deepEqual(listed, rows);
  });

  // Guarantee: comments cite only pages and sections of this repository that exist.
  test('every citation leads to a page or a section', () => {
    const numbers = new Set(pages.map((page) => basename(page).slice(0, 4)));
    const cited = sources.flatMap((file) => {
      const text = textOf(file);
      const decisions = [...text.matchAll(/docs\/decisions(\/\d{4}|\.md)?/g)].map(([all, number]) => {
        return number?.startsWith('/') && numbers.has(number.slice(1)) ? '' : `${file}: ${all}`;
      });
      const sections = [...text.matchAll(/(docs\/[a-z-]+\.md)#([a-z0-9-]+)/g)].map(([all, page = '', anchor = '']) => {
        return existsSync(join(root, page)) && anchorsOf(page).includes(anchor) ? '' : `${file}: ${all}`;
      });
      const others = [...text.matchAll(/\b(?:interface|decisions|money-paths|design)\.md\b/gi)].map(
        ([all]) => `${file}: ${all}`,
      );
      return file === 'test/docs.test.ts' ? [] : [...decisions, ...sections, ...others];
    });
    assert.ok(cited.length > 60);
    assert.deepEqual(
      cited.filter((fault) => fault !== ''),
      [],
    );
  });
});

/** Whether a range such as `^20.19.0 || >=22.12.0` includes a Node that the README promises. */
function admits(range: string, major: number, minor: number): boolean {
  return range.split('||').some((part) => {
    const [, sign, least = '0', then = '0'] = /^\s*(>=|\^)?\s*v?(\d+)(?:\.(\d+))?/.exec(part) ?? [];
    const isEnough = Number(least) < major || (Number(least) === major && Number(then) <= minor);
    return isEnough && (sign === '>=' || Number(least) === major);
  });
}

suite('README.md', () => {
  // Guarantee: a newcomer with the Node that the README asks for sees no warning about an unsupported engine.
  test('every package accepts the Node that it asks for', () => {
    const [, major = '', minor = ''] = /Node (\d+)\.(\d+) or newer/.exec(textOf('README.md')) ?? [];
    assert.notEqual(major, '');
    const { packages } = JSON.parse(textOf('package-lock.json')) as {
      packages: Record<string, { version?: string; engines?: { node?: string } }>;
    };
    const others = Object.entries(packages).filter(
      ([, { engines }]) => engines?.node && !admits(engines.node, Number(major), Number(minor)),
    );
    assert.deepEqual(
      others.map(([name, { version, engines }]) => `${name} ${version} wants ${engines?.node}`),
      [],
    );
  });
});

suite('scale.md', () => {
  // Guarantee: for every table it is known how it would be distributed.
  test('names every table', () => {
    const created = globSync('sql/*.sql', { cwd: root })
      .flatMap((file) => [...textOf(file).matchAll(/^create (?:unlogged )?table (?:if not exists )?(\w+)/gim)])
      .map(([, table = '']) => table);
    assert.ok(created.length > 40);
    assert.deepEqual(missingIn('docs/scale.md', created), []);
  });
});

suite('security.md', () => {
  // Guarantee: for every promise there is a named test.
  test('every threat names tests, and they exist', () => {
    const [, table = ''] = /^## Threats[^\n]*\n(.*?)^## /ms.exec(textOf('docs/security.md')) ?? [];
    const rows = table.split('\n').filter((line) => line.startsWith('| '));
    assert.ok(rows.length > 30);
    const faults = rows.slice(1).filter((row) => {
      const tests = [...(row.split(' | ').at(-1) ?? '').matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
      return tests.length === 0 || !tests.every((file) => file.endsWith('.test.ts') && existsSync(join(root, file)));
    });
    assert.deepEqual(faults, []);
  });
});

/** As GitHub generates them: lower case, punctuation removed, spaces replaced by hyphens. */
function anchorsOf(file: string): string[] {
  return [...textOf(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

suite('all documents', () => {
  // Guarantee: no link is broken.
  for (const file of documents) {
    test(`${file}: its links`, () => {
      const links = [...textOf(file).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
      const broken = links.filter((link) => {
        if (/^https:\/\//.test(link)) return false;
        const [path = '', anchor] = link.split('#', 2);
        const target = path === '' ? file : normalize(join(dirname(file), path));
        if (!existsSync(join(root, target))) return true;
        return anchor !== undefined && !anchorsOf(target).includes(anchor);
      });
      assert.deepEqual(broken, []);
    });
  }

  // Guarantee: every path that a document mentions with its method is served. (Except those of the acquirer's
  // protocol.)
  test('the addresses they name', () => {
    const known = new Set(
      [...endpoints, ...panelEndpoints].map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`),
    );
    const unknown = documents
      .filter((file) => file !== 'docs/acquirer.md')
      .flatMap((file) =>
        [...textOf(file).matchAll(/`(GET|POST) (\/[^`?\s]*)/g)].map(([, method, path = '']) => ({
          file,
          address: `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`,
        })),
      )
      .filter(({ address }) => !known.has(address))
      .map(({ file, address }) => `${file}: ${address}`);
    assert.deepEqual(unknown, []);
  });
});
