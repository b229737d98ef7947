// `npm test`: types, lint, then every test on a real PostgreSQL that is started for this run.
// `npm test -- quick` runs a part of it in about a minute; `npm test -- record` runs everything and writes how long each
// file took, which later runs are ordered by. `npm test -- FILES` runs only those files. Options among them are for Node,
// for example `--inspect-brk`.

import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ensureChromium } from './support/chromium.ts';
import { openTestServer } from './support/server.ts';
import { everything, filesOf, longestFirst, quick, recordedDurations } from './support/tiers.ts';

/** Compiling the same code again in every process took half of the time of most of them. */
const compileCache = fileURLToPath(new URL('../node_modules/.cache/grosz', import.meta.url));

const runFiles = fileURLToPath(new URL('./support/run-files.ts', import.meta.url));

const isOption = (argument: string) => argument.startsWith('-');
const options = process.argv.slice(2).filter(isOption);
const words = process.argv.slice(2).filter((argument) => !isOption(argument));
const tier = words[0] === 'quick' || words[0] === 'record' ? words[0] : undefined;
const chosen = tier === undefined ? words : words.slice(1);

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
  if (tier !== undefined && chosen.length > 0) throw new Error(`${tier} takes no files.`);
  const inTier = filesOf(tier === 'quick' ? quick : everything);
  const files = chosen.length > 0 ? filesOf(chosen) : longestFirst(inTier, recordedDurations());
  if (chosen.length === 0) await checkAll();
  if (files.some((file) => file.includes('test/browser/'))) ensureChromium();
  const postgres = await openTestServer();
  try {
    const env = {
      ...process.env,
      TEST_DATABASE_URL: postgres.url,
      NODE_COMPILE_CACHE: compileCache,
      ...(tier === 'record' && { TEST_RECORD: 'true' }),
    };
    run(process.execPath, [runFiles, ...options, ...files], env);
  } finally {
    await postgres.stop();
  }
} catch (error) {
  failed = true;
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
}
process.exit(failed ? 1 : 0);
