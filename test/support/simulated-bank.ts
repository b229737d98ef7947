// For tests: a bank on a new file, with a clock that the test moves and waits that take no time.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Callback, ChargeRequest, Instrument, OnCallback } from '../../src/acquirer/port.ts';
import { money, Secret } from '../../src/kernel/index.ts';
import { openLog, systemRandom } from '../../src/runtime/index.ts';
import { openSimulator, type Simulator } from '../../src/simulators/bank/simulator.ts';
import { TestClock } from './clock.ts';
import { atEnd } from './closers.ts';

export { atEnd } from './closers.ts';

export const silent = openLog({ level: 'silent' });

/** A folder that is removed when the test file ends. */
export function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'grosz-bank-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface TestBank {
  readonly bank: Simulator;
  readonly clock: TestClock;
  readonly file: string;
  /** How long each response would have taken, in milliseconds. */
  readonly waits: number[];
  /** Callbacks that arrived, in order. */
  readonly callbacks: Callback[];
  readonly onCallback: OnCallback;
}

export function aBank(file = join(aFolder(), 'bank.sqlite'), clock = new TestClock()): TestBank {
  const waits: number[] = [];
  const callbacks: Callback[] = [];
  const bank = openSimulator({
    file,
    clock,
    random: systemRandom(),
    log: silent,
    pagesUrl: 'http://127.0.0.1:3010/bank',
    wait: async (milliseconds) => void waits.push(milliseconds),
  });
  atEnd(() => bank.close());
  return { bank, clock, file, waits, callbacks, onCallback: async (callback) => void callbacks.push(callback) };
}

export function pln(minor: number) {
  return money(BigInt(minor), 'PLN');
}

export const blik = (code: string): Instrument => ({ kind: 'blik', code: new Secret(code), aliases: [] });

export const card = (number = '4111111111111111', expiry = '12/30'): Instrument => ({
  kind: 'card',
  card: { number: new Secret(number), expiry: new Secret(expiry), code: new Secret('123') },
});

export const recurring = (value: string, attempt = 1, iteration = 1): Instrument => ({
  kind: 'recurring',
  value: new Secret(value),
  iteration,
  attempt,
  blik: null,
});

let made = 0;

export function aKey(): string {
  made += 1;
  return `KEY-${made}`;
}

export function aCharge(overrides: Partial<ChargeRequest> = {}): ChargeRequest {
  return {
    key: aKey(),
    merchant: 'MERCHANT-1',
    initiator: 'payer',
    amount: pln(1_000),
    instrument: blik('777123'),
    description: 'Order 1',
    returnUrl: 'http://127.0.0.1:3000/pay/1?from=bank',
    deadlineMilliseconds: 10_000,
    ...overrides,
  };
}

export function byKey(key: string) {
  return { key, deadlineMilliseconds: 1_000 };
}

export function aRefund(chargeKey: string, minor: number, key = aKey()) {
  return { key, chargeKey, amount: pln(minor), deadlineMilliseconds: 5_000 };
}

/** The id in a link to the bank's pages. */
export function linkIdOf(answer: { kind: string; link?: string | null }): string {
  return answer.link?.split('/').at(-1) ?? '';
}
