import type { Callback } from '../acquirer/index.ts';
import type { Tools } from '../tools.ts';

export interface ReconciliationTools
  extends Pick<Tools, 'db' | 'clock' | 'wall' | 'ids' | 'random' | 'acquirer' | 'log' | 'metrics' | 'config'> {
  /** Passes a result of the bank on to the room of its payment or refund. */
  applyResult(callback: Callback): Promise<void>;
}
