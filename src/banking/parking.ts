// Parked items, which the bank could not resolve, and an operator's decisions about them.

import { readMessage } from '../../contract/codes/message.ts';
import {
  type HistoryStep,
  isOnlySeen,
  type ParkedKind,
  type ParkReason,
  parkReasons,
} from '../../contract/codes/parking.ts';
import { type Row, readBigint, readInstant, readJson, readText } from '../database/index.ts';
import { confirmAmount, type Decision } from './decision.ts';

export interface ParkedItem {
  readonly id: string;
  readonly kind: ParkedKind;
  readonly amountMinor: bigint;
  readonly parkedAt: Temporal.Instant;
  readonly why: ParkReason;
  /** What happened to it before, oldest first. */
  readonly history?: readonly ParkedStep[] | undefined;
}

/** One step of the history of what is parked: the amounts afterwards, and what was booked. */
export interface ParkedStep {
  readonly at: Temporal.Instant;
  readonly step: HistoryStep;
  readonly bankMinor: bigint | null;
  readonly ourMinor: bigint | null;
  readonly movedMinor: bigint;
}

/** Reads `id`, `kind`, `amount_minor`, `parked_at`, `parked_why` and, of a reason that has any, its `parameters`. */
export function readParkedItem(row: Row): ParkedItem {
  return {
    id: readText(row, 'id'),
    kind: readText(row, 'kind') as ParkedKind,
    amountMinor: readBigint(row, 'amount_minor'),
    parkedAt: readInstant(row, 'parked_at'),
    why: readMessage(
      parkReasons,
      readText(row, 'parked_why'),
      row.parameters ? (readJson(row, 'parameters') as object) : {},
    ),
  };
}

export interface Parking {
  /** Items waiting for an operator, oldest first, bounded. */
  list(): Promise<ParkedItem[]>;
  /**
   * Applies the decision as if the bank had reported it; returns false if nothing with that id is parked here. Throws
   * if the amount differs from the requested one.
   */
  decide(id: string, decision: Decision): Promise<boolean>;
}

/** What waits in all rooms, oldest first. */
export async function listAllParked(parkings: readonly Parking[]): Promise<ParkedItem[]> {
  const items = (await Promise.all(parkings.map((parking) => parking.list()))).flat();
  return items.toSorted((one, other) => Temporal.Instant.compare(one.parkedAt, other.parkedAt));
}

/** `find` returns parked items only; `decide` applies the decision. */
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
      confirmAmount(decision, parked.amountMinor, parked.kind === 'dispute' || isOnlySeen(parked.why));
      await room.decide(parked, decision);
      return true;
    },
  };
}
