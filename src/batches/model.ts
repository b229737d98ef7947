// The domain types of this room, independent of SQL and the wire.

import type { RowOf } from '../database/index.ts';
import type { batchTable, handoverTable, payoutFileTable } from './table.ts';

export type { BatchState } from '../../contract/codes/batches.ts';
export type { Way } from './table.ts';

export type Batch = Omit<RowOf<typeof batchTable>, 'isLive'>;
/** A file without its bytes. */
export type PayoutFile = Omit<RowOf<typeof payoutFileTable>, 'bytes'>;
export type Handover = RowOf<typeof handoverTable>;

/** Who signs: a person of the panel. */
export interface Signer {
  readonly id: string;
  readonly email: string;
}
