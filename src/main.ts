// Where the process begins and ends: the only place with its environment, signals and exit code.

import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Whatever this process makes is for its owner alone: logs, the bank's record, keys.
process.umask(0o077);
// What a start has compiled is kept for the next, which then takes half the time. Beside the packages and not in the
// machine's folder for temporary files, where another user could place code. Where it cannot be written there is none.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/grosz', import.meta.url)));
const { faultText, runLine } = await import('./command/line.ts');
const { startLoop } = await import('./platform/index.ts');

/** Closer together they are one signal, sent twice by a program that signals both its child and its group. */
const insistsAfterMilliseconds = 500;

/** The first signal ends the work cleanly; a later one ends the process at once. */
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

/** npm that is asked to end asks its shell, and the shell ends without telling us: then we have another parent. */
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

const print = (text: string) => void process.stdout.write(`${text}\n`);

runLine(process.argv.slice(2), { environment: process.env, print, ended: untilAsked() }).then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${faultText(error)}\n`);
    process.exit(1);
  },
);
