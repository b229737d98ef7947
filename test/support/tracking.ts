// node:test follows every promise that a process makes, to know which test made it: a fifth of the CPU of many tests. The
// tests of an asynchronous suite find it that way, so promises are followed while a file is loaded, and no longer when
// its tests run. What nobody catches then still fails the file, and is said here with the test that ran.

import { createHook } from 'node:async_hooks';
import { before, beforeEach } from 'node:test';
import { inspect } from 'node:util';

interface Hook {
  enable(): Hook;
  disable(): Hook;
}

/** That of node:test. */
let following: Hook | undefined;

let running = 'no test';

function say(error: unknown): void {
  process.stderr.write(`Nobody caught this while "${running}" ran: ${inspect(error)}\n`);
}

/** It is the first that a test process enables, with its first test or hook; nothing else leads to it. */
function catchHook(): void {
  const hooks: Hook = Object.getPrototypeOf(createHook({}));
  const { enable } = hooks;
  hooks.enable = function (this: Hook) {
    following = this;
    hooks.enable = enable;
    process.on('uncaughtException', say);
    process.on('unhandledRejection', say);
    return enable.call(this);
  };
}

if (process.env.NODE_TEST_CONTEXT) catchHook();

/** Before a file is loaded. */
export function followPromises(): void {
  following?.enable();
}

/** To be called where the hooks of a file are made: in its suite, or at the root. */
export function untilTestsRun(): void {
  before(() => void following?.disable());
  beforeEach(({ name }) => {
    running = name;
  });
}
