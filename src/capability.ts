// What a room can provide. The server, the engine, `grosz verify`, `grosz parked` and the bank's callbacks loop over
// the list in capabilities.ts and know no room by name.

import type { FastifyInstance } from 'fastify';
import type { Finding } from '../contract/codes/findings.ts';
import type { WorkName } from '../contract/codes/works.ts';
import type { Merchant } from './accounts/index.ts';
import type { Callback } from './acquirer/index.ts';
import type { Parking } from './banking/index.ts';
import type { Verifying } from './database/index.ts';
import type { Route } from './http/index.ts';
import type { Work } from './runtime/index.ts';

export interface Capability {
  readonly name: string;
  /** Endpoints of the contract. */
  readonly routes?: readonly Route<Merchant>[];
  /** Pages and files that are not part of the contract. */
  readonly register?: (app: FastifyInstance) => Promise<void> | void;
  /** Headers that it reads; a request with one of them twice is refused. */
  readonly singleHeaders?: readonly string[];
  /** Background work that becomes due. */
  readonly works?: readonly Work<WorkName>[];
  /**
   * Handles a result pushed by this acquirer, durable when it resolves; returns false if the key is not this room's. About
   * a key of another acquirer it changes nothing.
   */
  readonly callback?: (callback: Callback, acquirer: string) => Promise<boolean>;
  /** Parked items, which the bank could not resolve. */
  readonly parked?: Parking;
  /** The kinds of journals that it posts: one of another kind is nobody's. */
  readonly journalKinds?: readonly string[];
  /** Each row that contradicts others or the ledger. */
  readonly verify?: (verifying: Verifying) => Promise<Finding[]>;
  /** Stops what the room runs in the background. */
  readonly close?: () => Promise<void>;
}
