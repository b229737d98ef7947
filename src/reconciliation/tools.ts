import type { HandleCallback } from '../acquirer/index.ts';
import type { Nodes } from '../database/index.ts';
import type { Tools } from '../tools.ts';

export interface ReconciliationTools
  extends Pick<
    Tools,
    'db' | 'clock' | 'wall' | 'ids' | 'random' | 'vault' | 'acquirers' | 'log' | 'metrics' | 'config'
  > {
  /** Which processes are alive: a run ends with its process. */
  readonly nodes: Pick<Nodes, 'self' | 'isDead'>;
  /** Passes a result of the bank on to the room of its payment or refund. */
  readonly applyResult: HandleCallback;
}
