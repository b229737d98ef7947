// What every format consists of.

import type { Payment } from './model.ts';

export interface Layout {
  readonly head: string;
  readonly payment: (payment: Payment) => string;
  readonly tail: string;
}
