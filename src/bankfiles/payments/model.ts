// What a payment file is made of: facts that do not change any more.

import type { FileCurrency } from '../model.ts';

/** The file as a whole. Header and checks need the number of payments and their sum, so both are known beforehand. */
export interface PaymentBatch {
  /** At most 35 characters; the bank refuses one that it has seen. */
  readonly messageId: string;
  readonly createdAt: Temporal.Instant;
  /** The day on which the bank shall pay, such as 2026-11-19. */
  readonly executeOn: string;
  readonly currency: FileCurrency;
  readonly payments: number;
  readonly sumMinor: bigint;
  readonly payerName: string;
  readonly payerIban: string;
}

export interface Payment {
  /** The id of what is paid: the bank gets it as end-to-end id, and in the title. */
  readonly reference: string;
  readonly amountMinor: bigint;
  readonly payeeName: string;
  readonly payeeIban: string;
  /** Begins with our reference (`titleOf`), since a statement may contain nothing else of it. */
  readonly title: string;
}
