import type { eventTypes } from '../../contract/events.ts';
import type { AccountId } from '../kernel/index.ts';
import type { Payload } from './payload.ts';

export type EventType = (typeof eventTypes)[number];

export interface NewEvent {
  /** A ULID; receivers see it as `webhook-id`, the same in every attempt. */
  readonly id: string;
  readonly accountId: AccountId;
  readonly type: EventType;
  /** What it is about, for example the transaction's id. */
  readonly subjectId: string;
  /** Null if no URL was given: the event can be read at GET /events but is not sent. */
  readonly url: string | null;
  readonly payload: Payload;
  readonly createdAt: Temporal.Instant;
  /**
   * The account's secret, if the caller has it: such an event can be sent by the process that writes it, without a
   * claim.
   */
  readonly webhookSecretSealed?: string;
}
