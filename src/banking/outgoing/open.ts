import type { WorkName } from '../../../contract/codes/works.ts';
import type { Callback } from '../../acquirer/index.ts';
import type { Sql } from '../../database/index.ts';
import type { Waiting, Work } from '../../runtime/index.ts';
import type { Tools } from '../../tools.ts';
import { openParking, type Parking } from '../parking.ts';
import type { Outgoing, OutgoingResult, OutgoingSettlement, OutgoingStep, Purpose } from './model.ts';
import { type OpenPurpose, type OutgoingPurpose, openPurpose } from './purpose.ts';
import { sendOutgoing } from './send.ts';
import { openSettle, type PurposeOf, type SettleTools, settleIn } from './settle.ts';
import { findParked, isLostByDispute, listParked, outgoingDue, updateUnparked } from './store.ts';

/** Money of a payer that is not sent, because the payer got it by disputes. */
export type Unsent = Pick<Outgoing, 'acquirer' | 'chargeKey' | 'amountMinor'>;
/** Ends the disputes that took it: what we had of the payer's money is no loss. Throws if there is none, or one is open. */
export type CoverDisputes = (sql: Sql, unsent: Unsent) => Promise<void>;

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
  let cover: CoverDisputes = () => Promise.reject(new Error('No room has said what a dispute is.'));
  const coverDisputes: CoverDisputes = (inside, unsent) => cover(inside, unsent);
  return {
    name: 'outgoing refunds',
    /** Takes a room's part, once, when the room is opened. */
    add: <Subject, Step extends OutgoingStep>(room: OutgoingPurpose<Subject, Step>) => {
      purposes.set(room.purpose, openPurpose(room));
    },
    /** Takes what the room of disputes does about money that is not sent, once, when it is opened. */
    addCover: (given: CoverDisputes) => {
      cover = given;
    },
    coverDisputes,
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
    parked: parkedOutgoing(tools, purposeOf, settle, coverDisputes),
  };
}

/** Captured means that the money went to the payer. What has ended was parked only to be seen. */
function parkedOutgoing(
  tools: SettleTools,
  purposeOf: PurposeOf,
  settle: (settlement: OutgoingSettlement) => Promise<unknown>,
  cover: CoverDisputes,
): Parking {
  const { sql } = tools.db;
  return openParking({
    list: () => listParked(sql),
    find: (id) => findParked(sql, id),
    async decide(item, decision) {
      const { id, purpose, state, why } = item;
      const isDisputed = purpose === 'surplus' && why.code === 'return_disputed';
      if (state === 'done') await updateUnparked(sql, id);
      else if (decision !== 'not-captured') await settle({ key: id, result: { kind: 'approved' } });
      else if (isDisputed && (await isLostByDispute(sql, item))) {
        await tools.db.atomic((inside) => withdraw(tools, purposeOf, inside, id, cover));
      } else await settle({ key: id, result: purposeOf(purpose).notPaid });
    },
  });
}

/** The outgoing refund is locked before the disputes. */
async function withdraw(
  tools: SettleTools,
  purposeOf: PurposeOf,
  sql: Sql,
  key: string,
  cover: CoverDisputes,
): Promise<void> {
  const settled = await settleIn(tools, purposeOf, sql, { key, result: { kind: 'withdraw' } });
  if (settled?.step.kind === 'withdrawn') await cover(sql, settled.outgoing);
}

export function dueOutgoing({ db, clock }: Pick<Tools, 'clock' | 'db'>): Promise<Waiting> {
  return outgoingDue.waiting(db.sql, clock.now());
}
