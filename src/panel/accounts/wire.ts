// Accounts on the operators' screen, to wire.

import { decimalFromMinor } from '../../kernel/index.ts';
import type { AccountLine } from './read.ts';

export function serializeLine({ balanceMinor, createdAt, ...line }: AccountLine) {
  return { ...line, balance: decimalFromMinor(balanceMinor), createdAt: createdAt.toString() };
}
