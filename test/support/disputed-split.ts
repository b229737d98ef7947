// A payment over several sellers that is refunded and disputed, and what each of them has by it.

import assert from 'node:assert/strict';
import type { Callback, DisputeStage } from '../../src/acquirer/index.ts';
import { sayDispute } from './disputes.ts';
import { aChild, aPaidSplit, aPartner, refundSplit, type TestPartner } from './marketplace.ts';
import type { Reconciling } from './reconciling.ts';
import { fund } from './refunds.ts';
import { handleCallback } from './rooms.ts';

export interface DisputedSplit {
  readonly partner: TestPartner;
  readonly id: string;
  /** What the partner and the sellers have more than before the payment, less what they owe. */
  more(): Promise<bigint[]>;
  say(stage: DisputeStage, minor: bigint, key?: string): Promise<void>;
  /** Of the first seller's goods, or of these. */
  refund(body?: object): Promise<string>;
  /** Of one seller's goods. */
  refundOf(seller: number, amount: number): Promise<string>;
  ask(refundId: string, what: 'hold' | 'release' | 'cancel'): Promise<void>;
  /** Sends what goes back; the bank says nothing about it, or that it was paid. */
  send(answers?: 'unknown' | 'approved'): Promise<void>;
  told(refundId: string, result: Extract<Callback, { kind: 'refund' }>['result']): Promise<void>;
}

interface Paid {
  /** By seller; 100.00 of each of two. */
  readonly amounts?: readonly number[];
  /** What the partner takes of each. */
  readonly commission?: number;
  /** What each seller has besides. */
  readonly funds?: bigint;
}

export async function aDisputedSplit(
  here: Reconciling,
  { amounts = [10_000, 10_000], commission = 0, funds = 50_000n }: Paid = {},
): Promise<DisputedSplit> {
  here.bank.answers = 'approved';
  const partner = await aPartner(
    here.service,
    amounts.map(() => ({})),
  );
  const all = [partner, ...partner.sellers];
  if (funds > 0n) for (const seller of partner.sellers) await fund(here.service, seller, funds);
  const nets = () =>
    Promise.all(
      all.map(async ({ id: of }) => {
        const [available, owed] = [`merchant:${of}:available`, `merchant:${of}:owed`];
        return -(await here.balanceOf(available)) - (await here.balanceOf(owed));
      }),
    );
  const before = await nets();
  const more = commission === 0 ? {} : { commission };
  const children = amounts.map((amount, seller) => aChild(partner, seller, amount, more));
  const id = await aPaidSplit(here.service, partner, children);
  const refund = async (body: object) => {
    const answer = await refundSplit(here.service, partner, id, body);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.refundId;
  };
  const refundOf = (seller: number, amount: number) =>
    refund({ childTransactions: [{ merchantId: partner.sellers[seller]?.id, amount }] });
  return {
    partner,
    id,
    more: async () => (await nets()).map((minor, index) => minor - (before[index] ?? 0n)),
    say: (stage, minor, key = 'dp_1') => sayDispute(here.world, id, stage, minor, { key }),
    refund: (body) => (body ? refund(body) : refundOf(0, amounts[0] ?? 0)),
    refundOf,
    ask: async (refundId, what) => {
      const answer = await here.service.ask('POST', `/refunds/${refundId}/${what}`, { token: partner.token });
      assert.equal(answer.status, 200, answer.text);
    },
    send: async (answers = 'approved') => {
      here.bank.answers = answers;
      here.world.clock.advance({ seconds: 6 });
      await here.moveRefunds();
    },
    told: (key, result) => handleCallback(here.world, { kind: 'refund', key, result }),
  };
}
