// Random marketplace payments and refunds of them, with a database and a bank, against a model in exact fractions.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import fc from 'fast-check';
import { drawnChildren } from '../support/market-draws.ts';
import { type Action, drawnActions, play, sellers } from '../support/market-story.ts';
import { checkInvariants } from '../support/payments.ts';
import { aService, type Service } from '../support/service.ts';

/** `npm run prove` plays more. */
const runs = 16;
const seed = 20_261_117;

suite('sequences of marketplace refunds', () => {
  let service: Service;

  before(async () => {
    service = await aService();
  });

  // Guarantee: a refund that the bank declines can always be undone, however many cents were refunded before it and
  // whatever the seller has given away since.
  test('cents with commission, declined in turn', async () => {
    const cent: Action = {
      kind: 'items',
      items: [{ child: 0, by: 'id', what: 'amount', shares: [1], offset: 0, dearer: 0 }],
    };
    const away: Action = { kind: 'move', bank: 'is away' };
    const refuse = (pick: number): Action => ({ kind: 'refuse', pick });
    const child = { seller: 2, amount: 100, commissionShare: 500, products: [] };
    const steps = [
      cent,
      cent,
      cent,
      cent,
      away,
      refuse(0),
      refuse(2),
      cent,
      away,
      { kind: 'full' } as const,
      refuse(4),
    ];
    await play(service, [child], steps, new Map());
    await checkInvariants(service.world);
  });

  // Guarantee: after any sequence every balance, child and product is what exact arithmetic says; a preview shows what
  // happens; what is refused moves nothing; the books balance.
  test('any sequence', async () => {
    const seen = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(drawnChildren(sellers.length, 9_999_999, 4), drawnActions, async (children, steps) => {
        await play(service, children, steps, seen);
        await checkInvariants(service.world);
      }),
      { seed, numRuns: runs, endOnFailure: true },
    );
    const count = (name: string) => seen.get(name) ?? 0;
    for (const name of ['not_valid', 'refund_exceeds_paid', 'already_refunded', 'insufficient_funds'])
      assert.ok(count(name) >= 3, `${name}: ${count(name)}`);
    assert.ok(count('made') >= runs, `made: ${count('made')}`);
  });
});
