// Several processes on one bank file: the API in one, the engine in another, as in a real installation.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { TestClock } from '../../../test/support/clock.ts';
import { aBank, aCharge, aFolder, card, linkIdOf } from '../../../test/support/simulated-bank.ts';
import { systemClock } from '../../runtime/index.ts';

const program = join(import.meta.dirname, '../../../test/support/bank-process.ts');
const count = 400;

async function child(file: string, minor: number): Promise<{ answers: string[]; callbacks: string[] }> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, file, String(minor), String(count)]);
  return JSON.parse(stdout);
}

// Guarantee: the first request decides; a key is never captured twice, and a locked file turns nobody away.
test('two processes that charge the same keys concurrently capture each once', async () => {
  const file = join(aFolder(), 'new', 'bank.sqlite');
  const [one, other] = await Promise.all([child(file, 1_000), child(file, 2_000)]);
  assert.deepEqual(one.answers, other.answers);
  assert.ok(one.answers.every((answer) => answer === '1000' || answer === '2000'));
  const { captures } = aBank(file).bank.record();
  const byKey = new Map(captures.map(({ key, amount }) => [key, String(amount.minor)]));
  assert.equal(captures.length, count);
  assert.deepEqual(
    one.answers,
    Array.from({ length: count }, (_, index) => byKey.get(`shared-${index}`)),
  );
});

// Guarantee: two engines do not send everything twice.
test('two processes share the callbacks that are due', async () => {
  const { bank, file } = aBank(undefined, new TestClock(systemClock.now().toString()));
  const links = await Promise.all(
    Array.from({ length: 300 }, async () => linkIdOf(await bank.charge(aCharge({ instrument: card() })))),
  );
  await Promise.all(links.map((linkId) => bank.choose(linkId, 'confirm')));
  const [one, other] = await Promise.all([child(file, 1_000), child(file, 2_000)]);
  assert.equal(one.callbacks.length + other.callbacks.length, 300);
  assert.equal(new Set([...one.callbacks, ...other.callbacks]).size, 300);
});

// Guarantee: a fault switched on in one process also applies in the others.
test('faults are shared by all who have the file open', async () => {
  const first = aBank();
  const second = aBank(first.file, first.clock);
  first.bank.setFaults({ lostAnswer: { probability: 1, seed: 1 } });
  assert.deepEqual(await second.bank.charge(aCharge()), { kind: 'unknown' });
  second.bank.setFaults({});
  assert.equal((await first.bank.charge(aCharge())).kind, 'approved');
});
