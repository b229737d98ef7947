// What the acquirer says about a dispute of a payment.

import type { DisputeStage } from '../../src/acquirer/index.ts';
import { readText } from '../../src/database/index.ts';
import { money } from '../../src/kernel/index.ts';
import { handleCallback } from './rooms.ts';
import type { TestWorld } from './service.ts';

interface Said {
  readonly key?: string;
  readonly reason?: string;
  readonly respondUntil?: Temporal.Instant | null;
  readonly at?: Temporal.Instant;
}

/** About the charge by which this transaction was paid. */
export async function sayDispute(
  world: TestWorld,
  transactionId: string,
  kind: DisputeStage,
  minor: bigint,
  { key = transactionId, reason = 'fraudulent', respondUntil = null, at }: Said = {},
): Promise<void> {
  const chargeKey = await world.db.sql.one((row) => readText(row, 'id'))`
    select id from charge where transaction_id = ${transactionId} and state = 'correct'`;
  const result = { kind, chargeKey, amount: money(minor, 'PLN'), reason, respondUntil };
  await handleCallback(world, { kind: 'dispute', key, result: at ? { ...result, at } : result });
}
