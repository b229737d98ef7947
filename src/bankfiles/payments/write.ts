// A payment file, piece by piece, however many payments it has. The same facts are always the same bytes.

import { encoderOf } from '../encoding.ts';
import { elixir0 } from './elixir0.ts';
import { PaymentFileFault } from './fault.ts';
import type { Layout } from './layout.ts';
import type { Payment, PaymentBatch } from './model.ts';
import { pain001 } from './pain001.ts';
import type { BankProfile, PaymentFormat } from './profile.ts';
import { endProblem, judgeBatch, judgePayment, orderProblem } from './rules.ts';

const layouts: Readonly<Record<PaymentFormat, (profile: BankProfile, batch: PaymentBatch) => Layout>> = {
  'pain.001.001.03': pain001,
  'pain.001.001.09': pain001,
  'elixir-0': (_, batch) => elixir0(batch),
};

const pieceLength = 65_536;

/**
 * The bytes of the file. Payments come in the order of their references. Throws a `PaymentFileFault` at what is wrong, at
 * the latest before the last bytes: what came before is not a whole file and must not be used.
 */
export async function* writePaymentFile(
  profile: BankProfile,
  given: PaymentBatch,
  payments: AsyncIterable<Payment>,
): AsyncGenerator<Uint8Array> {
  const { written: batch, problems } = judgeBatch(profile, given);
  if (problems[0]) throw new PaymentFileFault(problems[0]);
  const { encode } = encoderOf(profile.encoding);
  const layout = layouts[profile.format](profile, batch);
  let text = layout.head;
  let found = 0;
  let foundMinor = 0n;
  let before = '';
  for await (const payment of payments) {
    found += 1;
    foundMinor += payment.amountMinor;
    const judged = judgePayment(profile, batch, payment);
    const problem = judged.problems[0] ?? orderProblem(before, payment.reference);
    if (problem) throw new PaymentFileFault(problem, found);
    before = payment.reference;
    // Before the payment is added, so that there always is something left for the end.
    if (text.length >= pieceLength) {
      yield encode(text);
      text = '';
    }
    text += layout.payment(judged.written);
  }
  const problem = endProblem(batch, found, foundMinor);
  if (problem) throw new PaymentFileFault(problem);
  yield encode(text + layout.tail);
}
