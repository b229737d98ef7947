// Why a payment file cannot be written.

import type { Message } from '../../../contract/codes/message.ts';
import type { paymentFileFaults } from '../../../contract/codes/payment-files.ts';
import { shownIn } from '../fault.ts';

export type PaymentFileProblem = Message<typeof paymentFileFaults>;

export class PaymentFileFault extends Error {
  readonly problem: PaymentFileProblem;
  /** The number of the payment, from 1; undefined if it concerns the whole file. */
  readonly payment: number | undefined;

  constructor(problem: PaymentFileProblem, payment?: number) {
    super(problem.code);
    this.name = 'PaymentFileFault';
    this.problem = shownIn(problem);
    this.payment = payment;
  }
}
