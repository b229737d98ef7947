// What the bank could not resolve, and what an operator decides about it.

import { type Row, readBigint, readInstant, readText } from '../platform/index.ts';
import { confirmAmount, type Decision } from './decision.ts';

export interface ParkedItem {
  readonly id: string;
  readonly kind: string;
  readonly amountMinor: bigint;
  readonly parkedAt: Temporal.Instant;
  readonly why: string;
}

/** Reads `id`, `kind`, `amount_minor`, `parked_at` and `parked_why`. */
export function readParkedItem(row: Row): ParkedItem {
  return {
    id: readText(row, 'id'),
    kind: readText(row, 'kind'),
    amountMinor: readBigint(row, 'amount_minor'),
    parkedAt: readInstant(row, 'parked_at'),
    why: readText(row, 'parked_why'),
  };
}

export interface Parking {
  /** What waits for an operator, oldest first, bounded. */
  list(): Promise<ParkedItem[]>;
  /**
   * Carries the decision out as if the bank had said it; false when nothing with that id is parked here. Throws for another
   * amount than was asked for.
   */
  decide(id: string, decision: Decision): Promise<boolean>;
}

/** `find` answers only what is parked; `decide` carries out what was decided about it. */
export function openParking<Item extends ParkedItem>(room: {
  list(): Promise<Item[]>;
  find(id: string): Promise<Item | undefined>;
  decide(parked: Item, decision: Decision): Promise<unknown>;
}): Parking {
  return {
    list: () => room.list(),
    async decide(id, decision) {
      const parked = await room.find(id);
      if (!parked) return false;
      confirmAmount(decision, parked.amountMinor);
      await room.decide(parked, decision);
      return true;
    },
  };
}
