// Start and end of the process: the only place that reads the environment, handles signals and sets the exit code.

import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Files that this process creates (logs, the bank's record, keys) are readable only by their owner.
process.umask(0o077);
// Caches compiled code, which halves the time of the next start. Next to the packages and not in the temporary folder,
// where another user could plant code. If it cannot be written, there is no cache.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/grosz', import.meta.url)));
// Loading takes a second, on a busy machine several.
if (/^start( --fresh)?$/.test(process.argv.slice(2).join(' '))) process.stdout.write('Starting Grosz.\n');
const { ask } = await import('./command/ask.ts');
const { faultText, runLine } = await import('./command/line.ts');
const { sizeThreadPool, startLoop } = await import('./runtime/index.ts');
sizeThreadPool(process.env);

/**
 * Signals closer together than this count as one, sent twice by a program that signals both its child and its group.
 */
const insistsAfterMilliseconds = 500;

/** The first signal shuts down cleanly; a later one ends the process immediately. */
function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    let askedAt: number | undefined;
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        askedAt ??= performance.now();
        if (performance.now() - askedAt >= insistsAfterMilliseconds) process.exit(130);
        resolve();
      });
    }
  });
}

const looksEveryMilliseconds = 500;

/** When npm is told to stop, it stops its shell, and the shell ends without telling us: then our parent changes. */
function untilNpmEnded(): Promise<void> {
  const parent = process.ppid;
  return new Promise((resolve) => {
    const watch = startLoop(
      looksEveryMilliseconds,
      async () => {
        if (process.ppid === parent) return;
        resolve();
        void watch.stop();
      },
      () => undefined,
    );
  });
}

function untilAsked(): Promise<void> {
  const signal = untilSignal();
  return process.env.npm_lifecycle_event === undefined ? signal : Promise.race([signal, untilNpmEnded()]);
}

// A pipe that was closed, such as that of `npm start | tee` after Ctrl-C, must not end us before the database has stopped.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const print = (text: string) => void process.stdout.write(`${text}\n`);

runLine(process.argv.slice(2), { environment: process.env, print, ask, ended: untilAsked() }).then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${faultText(error)}\n`);
    process.exit(1);
  },
);
