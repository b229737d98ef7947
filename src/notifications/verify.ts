// Checks events and their deliveries, for `grosz verify`.

import type { Finding } from '../../contract/codes/findings.ts';
import { findingsAtMost, type Verifying, verifyPages } from '../database/index.ts';
import { listEventsSince, listPositionGaps, listWrongEvents } from './store.ts';

/** Each event without a position or a delivery, and each delivery that nobody would make. */
export async function verifyNotifications(verifying: Verifying): Promise<Finding[]> {
  const { sql, now, since } = verifying;
  const events = { table: 'event', key: 'id', changed: listEventsSince };
  return [
    ...(await verifyPages(verifying, events, (page) => listWrongEvents(sql, page, now))),
    ...(since ? [] : await listPositionGaps(sql, findingsAtMost)),
  ];
}
