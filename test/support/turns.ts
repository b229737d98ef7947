// How long a node's event loop is held up: a real process, asked over HTTP by one kind of caller at a time.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { aDataDir } from './process.ts';
import { atEnd, type TestWorld } from './service.ts';

const script = fileURLToPath(new URL('./turn-process.ts', import.meta.url));

export interface TurnNode {
  readonly url: string;
  /** The CPU milliseconds of the longest turn of its loop while this runs, and of what it leaves to be written. */
  longestTurn(run: () => Promise<unknown>): Promise<number>;
}

/** A node on the database and the keys of a test's world, with the real clock. */
export async function aTurnNode(world: TestWorld, settings: Readonly<Record<string, string>> = {}): Promise<TurnNode> {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env;
  const child = fork(script, [], {
    execArgv: [],
    env: {
      PATH,
      HOME,
      NODE_COMPILE_CACHE,
      MODE: 'sandbox',
      DATA_DIR: aDataDir(),
      DATABASE_URL: world.databaseUrl,
      BANK_FILE: world.bankFile,
      VAULT_KEYS: `test:${Buffer.from(world.vaultKey).toString('base64')}`,
      ALLOW_HTTP_CALLBACKS: 'true',
      ALLOW_PRIVATE_CALLBACKS: 'true',
      LOG_LEVEL: 'silent',
      ...settings,
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  atEnd(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });
  const url = String(await nextMessage(child));
  return {
    url,
    async longestTurn(run) {
      await untilMessage(child, 'begin');
      await run();
      return Number(await untilMessage(child, 'end'));
    },
  };
}

function untilMessage(child: ChildProcess, message: string): Promise<unknown> {
  const answer = nextMessage(child);
  child.send(message);
  return answer;
}

async function nextMessage(child: ChildProcess): Promise<unknown> {
  const over = new AbortController();
  const ended = once(child, 'exit', over).then(([code]) => {
    throw new Error(`The node ended with ${code}.`);
  });
  ended.catch(() => undefined);
  try {
    return (await Promise.race([once(child, 'message', over), ended]))[0];
  } finally {
    over.abort();
  }
}
