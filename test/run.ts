// `npm test`: types, lint, then every test on a real PostgreSQL that is started for this run.
// `npm test -- FILES` runs only those files. Options among them are for Node, for example `--inspect-brk`.

import { execFile, spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ensureChromium } from './support/chromium.ts';
import { openTestServer } from './support/server.ts';

/** Compiling the same code again in every process took half of the time of most of them. */
const compileCache = fileURLToPath(new URL('../node_modules/.cache/grosz', import.meta.url));

const runFiles = fileURLToPath(new URL('./support/run-files.ts', import.meta.url));

const isOption = (argument: string) => argument.startsWith('-');
const options = process.argv.slice(2).filter(isOption);
const chosen = process.argv.slice(2).filter((argument) => !isOption(argument));
/** Those beside the code are the shortest, so they come last. */
const everything = ['test/**/*.test.ts', '{src,contract,sdk}/**/*.test.ts'];

/** The longest files start first, so that none of them runs alone at the end. */
const longest = [
  'test/prove/share.test.ts',
  'test/browser/marketplace.test.ts',
  'test/recurring/three-years.test.ts',
  'test/browser/pay-states.test.ts',
  'test/race/recurring.test.ts',
  'test/transactions/faults.test.ts',
  'test/crash/payments.test.ts',
  'test/start/start.test.ts',
  'test/start/nodes.test.ts',
  'test/browser/pay.test.ts',
  'test/browser/embed.test.ts',
  'test/browser/pay-once.test.ts',
  'test/crash/refunds.test.ts',
  'test/browser/shop.test.ts',
  'test/platform/hostile.test.ts',
];

function filesOf(patterns: readonly string[]): string[] {
  return patterns.flatMap((pattern) => {
    const found = globSync(pattern).sort();
    if (found.length === 0) throw new Error(`There is no test file ${pattern}.`);
    return found;
  });
}

function longestFirst(files: readonly string[]): string[] {
  const gone = longest.filter((file) => !files.includes(file));
  if (gone.length > 0) throw new Error(`There is no test file ${gone}.`);
  return [...longest, ...files.filter((file) => !longest.includes(file))];
}

/** Far longer than any run takes: a run that hangs is ended and reports what it was doing. */
const minutesAtMost = 60;

function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): void {
  const { status, signal } = spawnSync(program, args, { stdio: 'inherit', env, timeout: minutesAtMost * 60_000 });
  if (signal) throw new Error(`${program} ${args[0] ?? ''} was ended after ${minutesAtMost} minutes.`);
  if (status !== 0) throw new Error(`${program} ${args[0] ?? ''} failed.`);
}

/** Resolves when it has passed; its output is printed in one piece, because others run meanwhile. */
function check([program, ...args]: readonly [string, ...string[]]): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { timeout: minutesAtMost * 60_000, maxBuffer: 2 ** 28 }, (error, stdout, stderr) => {
      process.stdout.write(stdout);
      process.stderr.write(stderr);
      if (error) reject(new Error(`${[program, ...args].join(' ')} failed.`));
      else resolve();
    });
  });
}

/** All at once; throws when all have ended, so that every fault is printed. */
async function checkAll(): Promise<void> {
  const ended = await Promise.allSettled([
    check(['tsc', '--noEmit']),
    check(['tsc', '--noEmit', '-p', 'web/panel']),
    check(['tsc', '--noEmit', '-p', 'web/pay']),
    check(['biome', 'check', '--error-on-warnings']),
  ]);
  const faults = ended.flatMap((one) => (one.status === 'rejected' ? [String(one.reason.message)] : []));
  if (faults.length > 0) throw new Error(faults.join('\n'));
}

let failed = false;
try {
  if (options.length > 0 && chosen.length === 0) throw new Error(`Name the files to run with ${options.join(' ')}.`);
  const files = chosen.length > 0 ? filesOf(chosen) : longestFirst(filesOf(everything));
  if (chosen.length === 0) await checkAll();
  if (files.some((file) => file.includes('test/browser/'))) ensureChromium();
  const postgres = await openTestServer();
  try {
    const env = { ...process.env, TEST_DATABASE_URL: postgres.url, NODE_COMPILE_CACHE: compileCache };
    run(process.execPath, [runFiles, ...options, ...files], env);
  } finally {
    await postgres.stop();
  }
} catch (error) {
  failed = true;
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
}
process.exit(failed ? 1 : 0);
