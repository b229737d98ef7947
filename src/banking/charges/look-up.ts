// Charges with an unknown result: the bank is asked by key, never charged again under a new one.

import type { Acquirer } from '../../acquirer/index.ts';
import type { Tools } from '../../tools.ts';
import { cancelAtBank, findAtBank, refuseChallenge } from '../ask.ts';
import { askDue } from '../look-up.ts';
import { type Finding, type Patience, parkIfOld, readEndedFinding, readFinding } from '../rules.ts';
import type { Charge, ChargePurpose, LookUpFacts } from './model.ts';
import { type ChargeResult, isOpen } from './rules.ts';
import { type AnyRoom, type Settle, settleEach } from './settle.ts';
import { claimDueCharges, type DueCharge } from './store.ts';

export interface LookUpTools extends Pick<Tools, 'acquirers' | 'clock' | 'db' | 'log'> {
  partOf(purpose: ChargePurpose): ChargePart;
}

/** A room's part in its charges, and how its results are settled. */
export interface ChargePart {
  readonly room: AnyRoom;
  readonly settle: Settle;
}

/** Looks up due charges of a purpose; returns how many. */
export function lookUpCharges(tools: LookUpTools, purpose: ChargePurpose): Promise<number> {
  return askDue(
    tools.clock,
    (now, leaseUntil, atMost) => claimDueCharges(tools.db.sql, purpose, now, leaseUntil, atMost),
    (due) => lookUpOf(tools, tools.partOf(purpose), due),
  );
}

async function lookUpOf(tools: LookUpTools, { room, settle }: ChargePart, due: readonly DueCharge[]): Promise<void> {
  const facts = await room.findForLookUp(due.map(({ charge }) => charge));
  const asked = due.flatMap(({ charge, dueAt }, index) => {
    const about = facts[index];
    return about ? [{ charge, about, at: tools.clock.momentOf(dueAt) }] : [];
  });
  await settleEach(
    tools,
    settle,
    asked.map(async ({ charge, about, at }) => ({
      chargeId: charge.id,
      result: await lookUp(tools.acquirers.named(charge.acquirer), charge, about, room.patience, at),
      lookedAt: at,
    })),
  );
}

/** What the bank says about a charge by now. */
async function lookUp(
  acquirer: Acquirer,
  charge: Charge,
  facts: LookUpFacts,
  patience: Patience,
  now: Temporal.Instant,
): Promise<ChargeResult> {
  const { id: key, state, checks, createdAt: askedAt } = charge;
  if (!isOpen(state)) return readEndedFinding(await findAtBank(acquirer, key), checks);
  if (facts.unwanted) return parkIfOld(await cancelAtBank(acquirer, key, { kind: 'canceled' }), askedAt, now);
  const found = readFinding(await findAtBank(acquirer, key), { ...charge, askedAt }, patience, now);
  return parkIfOld(await follow(acquirer, charge, found, facts), askedAt, now);
}

async function follow(
  acquirer: Acquirer,
  { id: key, initiator }: Charge,
  found: Finding,
  facts: LookUpFacts,
): Promise<ChargeResult> {
  switch (found.kind) {
    case 'overdue':
      return cancelAtBank(acquirer, key, { kind: 'declined', reason: 'timed out' });
    case 'absent':
      return facts.absent();
    case 'waiting':
      return found.link !== null && initiator === 'merchant' ? refuseChallenge(acquirer, key) : found;
    default:
      return found;
  }
}
