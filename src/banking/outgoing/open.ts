import type { WorkName } from '../../../contract/codes/works.ts';
import type { Callback } from '../../acquirer/index.ts';
import type { Sql } from '../../database/index.ts';
import type { Waiting, Work } from '../../runtime/index.ts';
import type { Tools } from '../../tools.ts';
import { openParking } from '../parking.ts';
import type { OutgoingResult, OutgoingSettlement, OutgoingStep, Purpose } from './model.ts';
import { type OpenPurpose, type OutgoingPurpose, openPurpose } from './purpose.ts';
import { sendOutgoing } from './send.ts';
import { openSettle, settleIn } from './settle.ts';
import { findParked, listParked, outgoingDue, updateUnparked } from './store.ts';

export type OutgoingRefunds = ReturnType<typeof openOutgoing>;

/** The money that goes back. Rooms above hand in what differs by what it is for. */
export function openOutgoing(tools: Pick<Tools, 'acquirers' | 'clock' | 'db' | 'log'>) {
  const { sql } = tools.db;
  const purposes = new Map<Purpose, OpenPurpose>();
  const purposeOf = (purpose: Purpose): OpenPurpose => {
    const found = purposes.get(purpose);
    if (!found) throw new Error(`No room has said what a ${purpose} is.`);
    return found;
  };
  const settle = openSettle(tools, purposeOf);
  return {
    name: 'outgoing refunds',
    /** Takes a room's part, once, when the room is opened. */
    add: <Subject, Step extends OutgoingStep>(room: OutgoingPurpose<Subject, Step>) => {
      purposes.set(room.purpose, openPurpose(room));
    },
    /** Settles a result inside a larger database transaction. */
    settleIn: (inside: Sql, settlement: OutgoingSettlement) => settleIn(tools, purposeOf, inside, settlement),
    works: [
      {
        name: 'move_refunds',
        run: () => sendOutgoing(tools, purposeOf, settle),
        waiting: () => dueOutgoing(tools),
        nextAt: () => outgoingDue.next(sql),
      },
    ] satisfies Work<WorkName>[],
    callback: async ({ key, result }: Extract<Callback, { kind: 'refund' }>, acquirer: string) => {
      const told: OutgoingResult = result.kind === 'returned' ? { kind: 'cameBack' } : result;
      const settled = await settle({ key, result: told, acquirer });
      const of = settled?.outgoing.acquirer ?? acquirer;
      if (of !== acquirer) tools.log.error({ acquirer, key, of }, 'a callback is about a refund of another acquirer');
      return settled !== undefined;
    },
    /** Captured means that the money went to the payer. What has ended was parked only to be seen. */
    parked: openParking({
      list: () => listParked(sql),
      find: (id) => findParked(sql, id),
      async decide({ id, purpose, state }, decision) {
        if (state === 'done') await updateUnparked(sql, id);
        else {
          const result = decision === 'not-captured' ? purposeOf(purpose).notPaid : ({ kind: 'approved' } as const);
          await settle({ key: id, result });
        }
      },
    }),
  };
}

export function dueOutgoing({ db, clock }: Pick<Tools, 'clock' | 'db'>): Promise<Waiting> {
  return outgoingDue.waiting(db.sql, clock.now());
}
