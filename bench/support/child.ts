// Processes of a benchmark: each side runs in its own, so that they share neither garbage collector nor event loop.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { sizeThreadPool } from '../../src/runtime/index.ts';

const answerWithinMilliseconds = 30_000;
const endWithinMilliseconds = 10_000;

export interface Child<Asked, Answered> {
  readonly pid: number;
  ask(message: Asked): Promise<Answered>;
  /** Asks the process to stop, and kills it by its id if it does not. */
  end(): Promise<void>;
}

/** Starts a file of the benchmark and resolves with its first message. */
export async function startChild<Ready, Asked, Answered>(
  file: URL,
  given: object,
  execArgv: readonly string[] = [],
  readyWithinMilliseconds = answerWithinMilliseconds,
): Promise<{ child: Child<Asked, Answered>; ready: Ready }> {
  const env = { ...process.env };
  sizeThreadPool(env);
  const forked = fork(fileURLToPath(file), [JSON.stringify(given)], {
    env,
    execArgv: [...execArgv],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  // However this process ends, its children do not outlive it.
  const kill = () => forked.kill('SIGKILL');
  process.once('exit', kill);
  forked.once('exit', () => process.removeListener('exit', kill));
  const ready = (await nextMessage(forked, readyWithinMilliseconds)) as Ready;
  return {
    ready,
    child: {
      pid: forked.pid ?? 0,
      async ask(message) {
        forked.send(message as object);
        return (await nextMessage(forked)) as Answered;
      },
      async end() {
        if (forked.exitCode !== null || forked.signalCode !== null) return;
        const exited = once(forked, 'exit');
        forked.send({ end: true });
        const timer = setTimeout(kill, endWithinMilliseconds);
        await exited;
        clearTimeout(timer);
      },
    },
  };
}

function nextMessage(forked: ChildProcess, withinMilliseconds = answerWithinMilliseconds): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => done(new Error('A process of the benchmark did not answer.')), withinMilliseconds);
    const onMessage = (message: unknown) => done(undefined, message);
    const onExit = (code: number | null) => done(new Error(`A process of the benchmark ended with ${code}.`));
    function done(error: Error | undefined, message?: unknown): void {
      clearTimeout(timer);
      forked.off('message', onMessage);
      forked.off('exit', onExit);
      if (error) reject(error);
      else resolve(message);
    }
    forked.once('message', onMessage);
    forked.once('exit', onExit);
  });
}

/** Inside a child: the parent's input. */
export function given<T>(): T {
  return JSON.parse(process.argv[2] ?? '{}') as T;
}

/** Inside a child: reports that it is ready, then handles messages until the end. */
export function serveParent<Asked>(
  ready: object,
  answer: (message: Asked) => Promise<object> | object,
  end: () => Promise<unknown>,
): void {
  process.on('message', async (message: Asked | { end: true }) => {
    if (typeof message === 'object' && message !== null && 'end' in message) {
      await end();
      process.exit(0);
    }
    process.send?.(await answer(message as Asked));
  });
  process.send?.(ready);
}

/** Inside a child: the port of a listening server. */
export function portOf(app: FastifyInstance): number {
  const address = app.server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server does not listen on a port.');
  return address.port;
}
