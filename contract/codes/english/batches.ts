// The states of batches, in English.

import type { batchStates } from '../batches.ts';

export const batchStateWords: Readonly<Record<(typeof batchStates)[number], string>> = {
  draft: 'draft',
  approved: 'approved',
  made: 'made',
  handed_over: 'handed over',
  settled: 'settled',
  canceled: 'canceled',
};
