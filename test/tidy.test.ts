// The rules of the code base: what may import what, who writes which table, and which calls are banned.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { channelIds } from '../contract/methods.ts';
import { everything, filesOf, recordedDurations } from './support/tiers.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * The folders, lowest first, and what each may import. Other folders are imported only through their index.ts.
 * Everything above http may also import the types of src/tools.ts. The files of src/ itself and src/command are
 * on top.
 */
const base = ['contract', 'kernel', 'runtime', 'database', 'http', 'outbound'];
const upToTransactions = [
  ...base,
  'ledger',
  'notifications',
  'acquirer',
  'banking',
  'cards',
  'accounts',
  'wallet',
  'methods',
  'transactions',
];
const law: Record<string, readonly string[]> = {
  contract: [],
  kernel: [],
  asn1: [],
  bankfiles: ['contract', 'kernel'],
  runtime: ['contract', 'kernel'],
  database: ['contract', 'kernel', 'runtime'],
  http: ['contract', 'kernel', 'runtime', 'database'],
  outbound: ['contract', 'kernel', 'runtime'],
  embedded: ['runtime'],
  ledger: base,
  notifications: [...base, 'ledger'],
  acquirer: base,
  stripe: [...base, 'acquirer'],
  banking: [...base, 'ledger', 'acquirer'],
  cards: base,
  accounts: [...base, 'ledger', 'notifications', 'acquirer'],
  identity: [...base, 'notifications', 'accounts'],
  wallet: [...base, 'asn1', 'ledger', 'notifications', 'acquirer', 'accounts'],
  methods: [...base, 'notifications', 'acquirer', 'cards', 'wallet'],
  transactions: [...base, 'ledger', 'notifications', 'acquirer', 'banking', 'cards', 'accounts', 'wallet', 'methods'],
  refunds: upToTransactions,
  recurring: upToTransactions,
  disputes: [...upToTransactions, 'refunds'],
  marketplace: [...upToTransactions, 'refunds'],
  settlements: [...base, 'ledger', 'notifications', 'accounts'],
  payouts: [...base, 'bankfiles', 'ledger', 'notifications', 'accounts', 'settlements'],
  treasury: [...base, 'bankfiles'],
  batches: [...base, 'bankfiles', 'treasury', 'notifications', 'accounts', 'identity', 'payouts'],
  reconciliation: [...base, 'ledger', 'acquirer', 'banking'],
  statements: [...base, 'ledger', 'banking', 'bankfiles', 'treasury'],
  verification: [...base, 'ledger'],
  engine: ['runtime', 'database'],
  simulators: [...base, 'embedded', 'asn1', 'notifications', 'acquirer', 'accounts', 'wallet'],
  sandbox: [...upToTransactions, 'refunds', 'recurring', 'marketplace', 'engine', 'simulators'],
  pages: [...upToTransactions, 'refunds', 'recurring', 'marketplace', 'engine', 'sandbox'],
  panel: [
    ...upToTransactions,
    'identity',
    'refunds',
    'recurring',
    'disputes',
    'marketplace',
    'settlements',
    'payouts',
    'treasury',
    'batches',
    'reconciliation',
    'statements',
    'verification',
    'engine',
    'sandbox',
    'pages',
  ],
};

/** What the lowest folders may import from npm and Node: nothing with side effects. */
const packages: Record<string, readonly string[]> = { kernel: [], contract: ['typebox'] };

/** Folders whose SQL is for a separate database. */
const ownDatabase = ['src/simulators/bank/', 'src/simulators/stripe/'];

/** Tables that no file of sql/ creates, with the file that writes them. */
const beforeMigrations: Record<string, string> = { migration: 'src/database/migrate.ts' };

interface Ban {
  readonly what: RegExp;
  readonly instead: string;
  /** Path prefixes that are exempt. */
  readonly except?: readonly string[];
  /** Path prefixes that are checked. */
  readonly where?: readonly string[];
}

/** The service itself. What runs elsewhere, in browsers and at merchants, does not get the tools. */
const service = ['src/', 'contract/'];
const code = [...service, 'sdk/', 'web/'];
const bans: readonly Ban[] = [
  { what: /\bDate\.now\b/, instead: 'tools.clock or tools.wall', except: ['src/runtime/clock.ts'] },
  { what: /\bnew Date\(\s*\)/, instead: 'tools.clock or tools.wall' },
  { what: /\bMath\.random\b/, instead: 'tools.random', where: [...code, 'test/'] },
  {
    what: /\bset(Timeout|Interval)\b/,
    instead: 'pause, startLoop or within of runtime/loop.ts; tests wait for what happens, not for time',
    // The time limit of test files is a timer that must not keep its process alive; a lease is extended by a mocked one.
    except: ['src/runtime/loop.ts', 'test/support/bounds.ts', 'test/reconciliation/lease.test.ts'],
    where: [...code, 'test/'],
  },
  {
    // A query by id that also names the merchant for an index reads all of the merchant's transactions.
    what: /\b(?:from transaction where |transaction\.)id = .* and (?:transaction\.)?merchant_id = /,
    instead: 'merchant_id is not distinct from, or (merchant_id = any(...)) is true',
  },
  { what: /\bprocess\.env\b/, instead: 'tools.config, read once in main.ts', except: ['src/main.ts'] },
  {
    what: /(?<![.#\w])now\(\)(?!\s*:[^:])|\b(current_(timestamp|date|time)|localtime(stamp)?)\b|\b(clock|statement|transaction)_timestamp\(/i,
    instead: 'a parameter with the time of tools.clock or tools.wall',
    where: [...service, 'sql/'],
  },
  { what: /\bparseFloat\b/, instead: 'minorFromDecimal of the kernel, or Number', where: code },
  { what: /\.toFixed\(/, instead: 'decimalText of the kernel', where: code },
  { what: /(:\s*|<|\bas )any\b(?!\()|\bany\[\]/, instead: 'unknown, and a check', where: code },
  { what: /\bconsole\./, instead: 'tools.log, or print of the command line', where: [...code, 'test/'] },
  { what: /(?<!\.\.)\.only\(/, instead: 'the whole suite', where: [...code, 'test/'] },
];

const listed = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
});
const files = [...new Set(listed.stdout.split('\n'))].filter((file) => file !== '' && isThere(file)).sort();

function isThere(file: string): boolean {
  try {
    readFileSync(join(root, file));
    return true;
  } catch {
    return false;
  }
}

function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** Replaces comments with blanks, line for line; strings are kept, because SQL is in strings. */
function withoutComments(file: string): string {
  const text = textOf(file);
  const blank = (comment: string) => comment.replaceAll(/[^\n]/g, ' ');
  if (file.endsWith('.sql')) return text.replaceAll(/--.*$/gm, blank);
  return text.replaceAll(/\/\*[\s\S]*?\*\/|(?<![:"'`\\/])\/\/.*$/gm, blank);
}

const sources = files.filter((file) => /^(src|contract)\/.*\.ts$/.test(file));
/** Tests next to the code. */
const isTest = (file: string) => /\.test\.ts$/.test(file);

function folderOf(file: string): string {
  const [top = '', folder = ''] = file.split('/');
  if (top !== 'src') return top;
  return file.split('/').length > 2 && folder !== 'command' ? folder : 'top';
}

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typesOnly: boolean;
}

const importShape = /^(?:import|export)\s+(type\s)?(?:[^'"`;]*?\sfrom\s+)?'([^']+)'/gm;
const dynamicShape = /\bimport\(\s*'([^']+)'\s*\)/g;

function importsOf(file: string): Import[] {
  const text = withoutComments(file);
  const found = [
    ...[...text.matchAll(importShape)].map((match) => ({ to: match[2] ?? '', typesOnly: match[1] !== undefined })),
    ...[...text.matchAll(dynamicShape)].map((match) => ({ to: match[1] ?? '', typesOnly: false })),
  ];
  return found.map(({ to, typesOnly }) => ({
    from: file,
    to: to.startsWith('.') ? normalize(join(dirname(file), to)) : to,
    typesOnly,
  }));
}

const imports = sources.filter((file) => !isTest(file)).flatMap(importsOf);
/** What runs in browsers. */
const webImports = files.filter((file) => /^web\/.*\.(ts|tsx|js)$/.test(file)).flatMap(importsOf);
const isLocal = ({ to }: Import) => /^(src|contract|test|bench|web|sdk)\//.test(to);

/** What is wrong with an import; undefined if nothing. */
function faultOf({ from, to, typesOnly }: Import): string | undefined {
  const [mine, theirs] = [folderOf(from), folderOf(to)];
  if (/^(test|bench)\//.test(to) || isTest(to)) return 'code does not import tests';
  if (mine === theirs) return undefined;
  if (to === 'src/tools.ts' && !base.includes(mine))
    return typesOnly || mine === 'top' ? undefined : 'types only: import type';
  if (theirs === 'top') return 'what stands on top is imported by nobody below';
  if (theirs !== 'contract' && to !== `src/${theirs}/index.ts`) return `through its door: src/${theirs}/index.ts`;
  if (mine === 'top' || law[mine]?.includes(theirs)) return undefined;
  return `${mine} may not import ${theirs}; the law is in test/tidy.test.ts`;
}

suite('imports', () => {
  // Guarantee: it is clear what a folder can depend on.
  test('every folder is in the law', () => {
    const folders = new Set(sources.map(folderOf));
    assert.deepEqual(
      [...folders].filter((folder) => folder !== 'top' && !law[folder]),
      [],
    );
  });

  test('the law itself has an order', () => {
    const names = Object.keys(law);
    for (const [name, allowed] of Object.entries(law)) {
      for (const other of allowed) assert.ok(names.indexOf(other) < names.indexOf(name), `${name} above ${other}`);
    }
  });

  test('a folder imports only what stands below it, through its door', () => {
    const faults = imports.filter(isLocal).flatMap((one) => {
      const fault = faultOf(one);
      return fault ? [`${one.from} imports ${one.to}: ${fault}`] : [];
    });
    assert.deepEqual(faults, []);
  });

  // Guarantee: the picture of the rooms matches the code.
  test('the picture in docs/architecture.md shows them, without those that follow from others', () => {
    const direct = new Map<string, Set<string>>();
    for (const { from, to } of imports.filter((one) => isLocal(one) && /^(src|contract)\//.test(one.to))) {
      const [mine, theirs] = [folderOf(from), folderOf(to)];
      if (mine !== theirs && to !== 'src/tools.ts') direct.set(mine, (direct.get(mine) ?? new Set()).add(theirs));
    }
    const reaches = (from: string, to: string): boolean =>
      [...(direct.get(from) ?? [])].some((next) => next === to || reaches(next, to));
    const needed = [...direct].flatMap(([mine, others]) =>
      [...others]
        .filter((theirs) => ![...others].some((other) => other !== theirs && reaches(other, theirs)))
        .map((theirs) => `${theirs} --> ${mine}`),
    );
    const [, picture = ''] = /```mermaid\nflowchart BT\n([\s\S]*?)```/.exec(textOf('docs/architecture.md')) ?? [];
    const drawn = [...picture.matchAll(/^ +([\w &]+) --> ([\w &]+)$/gm)].flatMap(([, from = '', to = '']) =>
      from.split(' & ').flatMap((one) => to.split(' & ').map((other) => `${one} --> ${other}`)),
    );
    assert.deepEqual(drawn.sort(), needed.sort());
  });

  // Guarantee: decisions can be read and tested without a database.
  test('rules.ts imports no SQL', () => {
    const faults = imports.filter(({ from, to }) => /\/rules\.ts$/.test(from) && /\/store(\/[^/]+)?\.ts$/.test(to));
    assert.deepEqual(
      faults.map(({ from, to }) => `${from} imports ${to}`),
      [],
    );
  });

  test('kernel and contract depend on nothing that does something', () => {
    const faults = imports
      .filter((one) => !isLocal(one) && packages[folderOf(one.from)])
      .filter(({ from, to }) => !packages[folderOf(from)]?.some((name) => to === name || to.startsWith(`${name}/`)))
      .map(({ from, to }) => `${from} imports ${to}`);
    assert.deepEqual(faults, []);
  });

  // Guarantee: npm ci --omit=dev has everything that the service imports. Only what builds the panel needs more.
  test('the service imports no development package', () => {
    const { dependencies } = JSON.parse(textOf('package.json'));
    const packageOf = (to: string) => /^(@[^/]+\/)?[^/]+/.exec(to)?.[0] ?? to;
    const faults = imports
      .filter((one) => !isLocal(one) && !/^(node:|examples\/)/.test(one.to) && !isTest(one.from))
      .filter(({ from, to }) => from !== 'src/panel/vite.ts' && !(packageOf(to) in dependencies))
      .map(({ from, to }) => `${from} imports ${to}`);
    assert.deepEqual(faults, []);
  });

  // Guarantee: the files that the panel is built from are those that name its build: a change to one makes a new one.
  test('what the panel in the browser takes from the contract is among what its build is named by', () => {
    const [, listed = ''] = /const ingredients = \[([^\]]+)\]/.exec(textOf('src/panel/build.ts')) ?? [];
    const taken = webImports.filter(({ to, typesOnly }) => to.startsWith('contract/') && !typesOnly);
    assert.ok(taken.length > 0);
    const faults = taken.filter(({ to }) => !listed.includes(`'${to}'`)).map(({ from, to }) => `${from} imports ${to}`);
    assert.deepEqual(faults, []);
  });

  // Guarantee: a file can be read after those that it names, types included, in the service and in the browser.
  test('no file imports itself, over however many others', () => {
    const all = [...imports, ...webImports].filter(isLocal);
    assert.ok(all.some(({ from, typesOnly }) => from.startsWith('web/panel/') && typesOnly));
    const next = Map.groupBy(all, ({ from }) => from);
    const done = new Set<string>();
    const cycles: string[] = [];
    function walk(file: string, way: readonly string[]): void {
      if (way.includes(file)) cycles.push([...way.slice(way.indexOf(file)), file].join(' -> '));
      if (done.has(file) || way.includes(file)) return;
      for (const { to } of next.get(file) ?? []) walk(to, [...way, file]);
      done.add(file);
    }
    for (const file of next.keys()) walk(file, []);
    assert.deepEqual(cycles, []);
  });
});

/** The tables that a folder's index.ts says it owns, in a line `Owns: one, two.` */
function ownedBy(index: string): string[] {
  const said = textOf(index)
    .split('\n')
    .filter((line) => line.startsWith('//'))
    .map((line) => line.slice(2))
    .join(' ');
  const [, names = ''] = /\bOwns: ([^.;]+)/.exec(said) ?? [];
  return names.split(/,\s*/).filter((name) => /^[a-z_]+$/.test(name));
}

suite('tables', () => {
  const created = files
    .filter((file) => file.startsWith('sql/'))
    .flatMap((file) =>
      [...withoutComments(file).matchAll(/\bcreate (?:unlogged )?table (?:if not exists )?(\w+)/gi)].map(
        ([, table = '']) => ({ table, room: file.replace(/^sql\/\d{4}_(\w+)\.sql$/, 'src/$1') }),
      ),
    );
  const tables = [...created.map(({ table }) => table), ...Object.keys(beforeMigrations)];
  const indexes = files.filter((file) => /^src\/[^/]+\/index\.ts$/.test(file));
  const owners = Map.groupBy(
    indexes.flatMap((index) => ownedBy(index).map((table) => ({ table, folder: dirname(index) }))),
    ({ table }) => table,
  );

  // Guarantee: each table has exactly one owner.
  test('every table has exactly one owner', () => {
    for (const table of tables) {
      const folders = owners.get(table)?.map(({ folder }) => folder) ?? [];
      assert.equal(
        folders.length,
        1,
        `${table} is owned by ${folders.join(', ') || 'nobody'}: a line "Owns: ..." in index.ts`,
      );
    }
    const unknown = [...owners.keys()].filter((table) => !tables.includes(table));
    assert.deepEqual(unknown, [], 'owned, but created by no file of sql/');
  });

  // Guarantee: the tables of a room are found in one file, which has its name.
  test('every table is created in the file of its owner', () => {
    const elsewhere = created.filter(({ table, room }) => owners.get(table)?.[0]?.folder !== room);
    assert.deepEqual(elsewhere, []);
  });

  // Guarantee: a table is written only by its owner, in its store.ts or store/; others may read it in a join.
  test('every table is written only in the store of its owner', () => {
    const faults: string[] = [];
    const writes =
      /\b(?:insert\s+into|update(?:\s+only)?|delete\s+from|truncate(?:\s+table)?|merge\s+into|copy)(?:\s+"?|\(')(\w+)/gi;
    for (const file of sources.filter((one) => !isTest(one) && !ownDatabase.some((path) => one.startsWith(path)))) {
      for (const [statement, table = ''] of withoutComments(file).matchAll(writes)) {
        if (!tables.includes(table) || beforeMigrations[table] === file) continue;
        const owner = owners.get(table)?.[0]?.folder ?? 'nobody';
        if (!/\/store(\/[^/]+)?\.ts$/.test(file) || !file.startsWith(`${owner}/`)) {
          faults.push(`${file}: "${statement.replaceAll(/\s+/g, ' ')}" belongs in the store of ${owner}`);
        }
      }
    }
    assert.deepEqual(faults, []);
  });
});

suite('triggers', () => {
  const text = files
    .filter((file) => file.startsWith('sql/') && file.endsWith('.sql'))
    .map(withoutComments)
    .join('\n');
  const owners = new Map(
    files
      .filter((file) => /^src\/[^/]+\/index\.ts$/.test(file))
      .flatMap((index) => ownedBy(index).map((table): [string, string] => [table, folderOf(index)])),
  );
  const bodies = new Map(
    [...text.matchAll(/\bcreate (?:or replace )?function (\w+)\([^)]*\)[^;$]*\$\$([\s\S]*?)\$\$/gi)].map(
      ([, name = '', body = '']): [string, string] => [name, body],
    ),
  );
  const triggers = [
    ...text.matchAll(/\bcreate (?:constraint )?trigger (\w+)\s[^;]*?\son (\w+)\s[^;]*?\bexecute function (\w+)\(/gi),
  ].map(([, trigger = '', table = '', body = '']) => ({ trigger, table, body: bodies.get(body) }));
  const isAbove = (one: string, other: string) => one !== other && !law[other]?.includes(one);

  // Guarantee: a room does no work for rooms above it inside its own writes; they read what happened.
  test('write only tables of the same room or of one below', () => {
    assert.ok(triggers.length > 10);
    const faults = triggers.flatMap(({ trigger, table, body }) => {
      assert.ok(body !== undefined, `${trigger}: its function is in no file of sql/`);
      const room = owners.get(table) ?? '';
      return [...body.matchAll(/\b(?:insert into|update|delete from|merge into) (\w+)/gi)]
        .map(([, written = '']) => written)
        .filter((written) => owners.has(written) && isAbove(owners.get(written) ?? '', room))
        .map((written) => `${trigger} on ${table} of ${room} writes ${written} of ${owners.get(written)}`);
    });
    assert.deepEqual(faults, []);
  });
});

suite('banned calls', () => {
  // Guarantee: time, randomness and settings are passed in, so that tests can control them.
  for (const { what, instead, except = [], where = service } of bans) {
    test(`${what.source.slice(0, 60)}: ${instead}`, () => {
      const faults: string[] = [];
      for (const file of files.filter(
        (one) => /\.(ts|tsx|sql)$/.test(one) && where.some((path) => one.startsWith(path)),
      )) {
        if (file === 'test/tidy.test.ts' || except.some((path) => file.startsWith(path))) continue;
        if (isTest(file) && !where.includes('test/')) continue;
        for (const [index, line] of withoutComments(file).split('\n').entries()) {
          if (what.test(line)) faults.push(`${file}:${index + 1}: use ${instead}: ${line.trim()}`);
        }
      }
      assert.deepEqual(faults, []);
    });
  }
});

suite('platform', () => {
  const platform = ['runtime', 'database', 'http', 'outbound', 'embedded', 'engine'];
  /** What rooms above are called and are about, apart from words that the platform has too. */
  const capabilities =
    /ledger|journal|audit|acquirer|stripe|bank|cards?\b|wallet|refund|recurring|charge|payment|marketplace|seller|reconcil|simulator|demo\b|shop|\bmail|webhook|deliver/i;

  const roomOf = (file: string) => {
    const [, room = ''] = /^(?:src\/(\w+)\/.*\.ts|sql\/\d{4}_(\w+)\.sql)$/.exec(file)?.filter(Boolean) ?? [];
    return room;
  };

  // Guarantee: the platform serves any room: what it must know of one, that room hands in, or the contract says.
  test('knows no capability by name', () => {
    const faults = files
      .filter((file) => platform.includes(roomOf(file)) && !isTest(file))
      .flatMap((file) =>
        withoutComments(file)
          .split('\n')
          .flatMap((line, index) => {
            const fromContract = /^import .* from '(\.\.\/)+contract\//.test(line);
            // The file that SQLite keeps next to a database.
            const [word] = capabilities.exec(line.replaceAll("sqlite-journal'", '')) ?? [];
            return word && !fromContract ? [`${file}:${index + 1} knows "${word}": ${line.trim()}`] : [];
          }),
      );
    assert.deepEqual(faults, []);
  });
});

suite('payment methods', () => {
  const ids = channelIds.join('|');
  const literal = `(?<![\\w.-])['"\`]?\\b(?:${ids})\\b['"\`]?(?![.\\w-])`;
  /** As a key, a case or an id, compared with something, or on a line about channels. */
  const shapes = [
    new RegExp(`^\\s*(?:case )?(?:${ids}):`),
    new RegExp(`[!=]==? ${literal}`),
    new RegExp(`\\bid: ${literal}`),
    new RegExp(`\\{ ?(?:${ids}):`),
    new RegExp(`channel.*${literal}|${literal}.*channel`, 'i'),
  ];

  // Guarantee: a method is added, or its number changed, in one place.
  test('the number of a channel stands only in contract/methods.ts', () => {
    const faults: string[] = [];
    for (const file of files.filter((one) => /^(src|contract|web|bench|sql)\/.*\.(ts|tsx|js|sql)$/.test(one))) {
      if (file === 'contract/methods.ts' || isTest(file)) continue;
      for (const [index, line] of withoutComments(file).split('\n').entries()) {
        if (shapes.some((shape) => shape.test(line)))
          faults.push(`${file}:${index + 1}: ask src/methods, or methods of contract/methods.ts: ${line.trim()}`);
      }
    }
    assert.deepEqual(faults, []);
  });
});

suite('migrations', () => {
  const listed = new Map(
    textOf('sql/SHA256SUMS')
      .trim()
      .split('\n')
      .map((line) => line.split(/\s+/).reverse() as [string, string]),
  );

  // Guarantee: no file changes unnoticed: its checksum is in every database that has run it.
  test('no listed file was edited, renamed or removed', () => {
    for (const [name, sum] of listed) {
      const file = `sql/${name}`;
      assert.ok(files.includes(file), `${file} is gone, see "Migrations" in CONTRIBUTING.md`);
      const now = hash('sha256', textOf(file), 'hex');
      assert.equal(now, sum, `${file} was edited, see "Migrations" in CONTRIBUTING.md`);
    }
  });

  // Guarantee: a new file is protected from the commit that brings it.
  test('every file is listed', () => {
    for (const file of files.filter((one) => one.endsWith('.sql') && one.startsWith('sql/'))) {
      const name = file.slice('sql/'.length);
      assert.ok(listed.has(name), `${name} is not in SHA256SUMS, see "Migrations" in CONTRIBUTING.md`);
    }
  });
});

/** How often each word stands in the code of these files, apart from comments. */
function wordsIn(list: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const file of list) {
    for (const [word] of withoutComments(file).matchAll(/\w+/g)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

suite('exports', () => {
  const code = files.filter((file) => /^(src|contract|web|sdk|examples|test|bench)\/.*\.(ts|tsx|js)$/.test(file));
  const isDoor = (file: string) => /^src\/[^/]+\/index\.ts$/.test(file);

  // Guarantee: what nobody uses is not maintained. By its name, so that a mention anywhere is enough.
  test('none that stands nowhere else', () => {
    const counts = wordsIn(code.filter((file) => !isDoor(file)));
    const declared = /^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm;
    const faults = code
      .filter((file) => /^(src|contract|web\/panel)\//.test(file))
      .flatMap((file) => [...textOf(file).matchAll(declared)].map(([, name = '']) => ({ file, name })))
      .filter(({ name }) => (counts.get(name) ?? 0) < 2)
      .map(({ file, name }) => `${file} exports ${name}`);
    assert.deepEqual(faults, []);
  });

  // Guarantee: a door is as narrow as its visitors.
  test('no room gives what no other file imports', () => {
    const wordsOf = code.map((file) => ({ file, words: new Set(wordsIn([file]).keys()) }));
    for (const door of files.filter(isDoor)) {
      const [, room = ''] = door.split('/');
      const others = wordsOf.filter(({ file }) => !file.startsWith(`src/${room}/`));
      const given = [...withoutComments(door).matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap(([, names = '']) =>
        names.split(',').map((name) => name.replace(/^\s*type |.* as /, '').trim()),
      );
      const faults = given.filter((name) => name !== '' && !others.some(({ words }) => words.has(name)));
      assert.deepEqual(faults, [], door);
    }
  });
});

suite('durations', () => {
  // Guarantee: the longest files begin first, so that a run does not wait for one at its end.
  test('every test file has its seconds', () => {
    assert.deepEqual(Object.keys(recordedDurations()).sort(), filesOf(everything).sort());
  });
});

suite('committed files', () => {
  // Guarantee: a clone works on any machine: no file names this one's folders or the registry it was built from.
  const folders = ['work', 'root', 'home'].join('|');
  const registries = ['npmjs', 'yarnpkg', 'npmmirror', 'taobao'].join('|');
  for (const [what, shape] of [
    ['an absolute path of a machine', new RegExp(`(?<![\\w.~}/-])/(${folders})/`)],
    [
      'the host of a package registry',
      new RegExp(`\\b(${registries})\\.(org|com)\\b|"resolved": ?"http|^registry\\s*=`, 'm'),
    ],
  ] as const) {
    test(`no file names ${what}`, () => {
      const faults = files.filter((file) => !textOf(file).includes('\0') && shape.test(textOf(file)));
      assert.deepEqual(faults, []);
    });
  }
});
