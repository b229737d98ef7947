import type { BatchState } from '../../../../../contract/codes/batches.ts';
import type { Tone } from '../../ui/status.tsx';

/** What waits for somebody stands out. */
export const toneOf: Readonly<Record<BatchState, Tone>> = {
  draft: 'wait',
  approved: 'wait',
  made: 'wait',
  handed_over: 'info',
  settled: 'good',
  canceled: 'plain',
};
