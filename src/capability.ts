// What a room may bring along. The server, the engine, `grosz verify`, `grosz parked` and the bank's callbacks loop over
// the list in capabilities.ts, and know no room by name.

import type { FastifyInstance } from 'fastify';
import type { Merchant } from './accounts/index.ts';
import type { Callback } from './acquirer/index.ts';
import type { Parking } from './banking/index.ts';
import type { Route, Work } from './platform/index.ts';

export interface Capability {
  readonly name: string;
  /** Endpoints of the contract. */
  readonly routes?: readonly Route<Merchant>[];
  /** Pages and files that are not part of the contract. */
  readonly register?: (app: FastifyInstance) => Promise<void> | void;
  /** What waits for time. */
  readonly works?: readonly Work[];
  /** Takes a result that the bank told by itself, durable once it resolves; false when its key is none of this room's. */
  readonly callback?: (callback: Callback) => Promise<boolean>;
  /** What the bank could not resolve. */
  readonly parked?: Parking;
  /** One sentence for each row that is not as the books must be. */
  readonly verify?: () => Promise<string[]>;
  /** Ends what the room runs by itself. */
  readonly close?: () => Promise<void>;
}
