// A payment file of 100,000 payments, as pain.001 and as Elixir-0: the time and the memory of writing it, in a process of its
// own. The payments are made one by one while they are written, as if they came from the database.

import { type Child, startChild } from './support/child.ts';
import { say } from './support/figures.ts';

export interface PaymentFileSeen {
  readonly bytes: number;
  readonly seconds: number;
  /** Of the processor: on a busy machine, how long it would take on an idle one. */
  readonly busySeconds: number;
  /** More than before the file. */
  readonly megabytes: number;
  readonly digest: string;
}

export interface PaymentFileAsked {
  readonly profile: string;
  readonly payments: number;
}

const usualSize = 100_000;
const megabytesAtMost = 64;
const withinMilliseconds = 120_000;
const secondsAtMost = { 'iso20022-sepa': 5, 'iso20022-pl': 5, elixir0: 3 } as const;

/** Each in a new process: memory that was used once stays with it. */
async function write(asked: PaymentFileAsked): Promise<PaymentFileSeen> {
  const url = new URL('./payment-files/write.ts', import.meta.url);
  const { child, ready }: { child: Child<object, object>; ready: PaymentFileSeen } = await startChild(
    url,
    asked,
    [],
    withinMilliseconds,
  );
  await child.end();
  return ready;
}

export async function measurePaymentFiles([given = String(usualSize)]: readonly string[]): Promise<boolean> {
  const payments = Number(given);
  let isRight = true;
  for (const [profile, atMost] of Object.entries(secondsAtMost)) {
    const [one, again] = [await write({ profile, payments }), await write({ profile, payments })];
    const seconds = (one.seconds * usualSize) / payments;
    process.stdout.write(`${profile}: ${payments.toLocaleString('en')} payments, ${Math.round(one.bytes / 1e6)} MB\n`);
    isRight =
      [
        say(
          seconds <= atMost,
          `100,000 within ${atMost} s`,
          `${one.seconds.toFixed(2)} s, ${one.busySeconds.toFixed(2)} s of it busy`,
        ),
        say(one.megabytes <= megabytesAtMost, `at most ${megabytesAtMost} MB more`, `${Math.round(one.megabytes)} MB`),
        say(one.digest === again.digest, 'the same bytes once more', `SHA-256 ${one.digest.slice(0, 12)}`),
      ].every(Boolean) && isRight;
  }
  return isRight;
}
