// A process dies at every edge of a charge and of a refund: before and after each statement and each request. Another one
// goes on as the rooms do. The edges are counted, not listed: it dies at the first, the second and so on, until it survives.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { money } from '../../src/kernel/index.ts';
import { aCharge, aRefund, aStripe, byKey, heldAt, Mortal, type Stage, type TestStripe } from '../support/stripe.ts';

const edgesAtMost = 60;

/** The first that survives ends it. */
async function dieAtEveryEdge(
  stage: Stage,
  work: (dying: TestStripe) => Promise<unknown>,
  check: (when: string) => Promise<void>,
): Promise<void> {
  // Opening is not part of the work.
  const edgesOfOpening = await countEdges(stage);
  for (let dieAt = edgesOfOpening + 1; ; dieAt += 1) {
    assert.ok(dieAt <= edgesAtMost, 'too many edges');
    const mortal = new Mortal(dieAt);
    const dying = await stage.another({ db: mortal.database(stage.world.db), send: mortal.send });
    const edge = await mortal.live(work(dying));
    await check(edge ?? 'it lived');
    if (edge === undefined) return;
  }
}

async function countEdges(stage: Stage): Promise<number> {
  for (let dieAt = 1; ; dieAt += 1) {
    const mortal = new Mortal(dieAt);
    const opening = stage.another({ db: mortal.database(stage.world.db), send: mortal.send });
    if ((await mortal.live(opening)) === undefined) return dieAt - 1;
  }
}

suite('a process dies at every edge', () => {
  let stage: Stage;
  before(async () => {
    stage = await aStripe();
  });

  // Guarantee: whatever a dead process has done of a charge, the next look or the same request decides it; it is paid once.
  for (const [email, expected, captured] of [
    ['jan@example.com', 'approved', 1],
    ['insufficient_funds@example.com', 'declined', undefined],
    ['invalid_code@example.com', 'declined', undefined],
  ] as const)
    test(`of a charge that another repeats: ${email}`, async () => {
      let request = aCharge(stage.world, { email });
      await dieAtEveryEdge(
        stage,
        (dying) => {
          request = aCharge(stage.world, { email });
          return dying.charge(request);
        },
        async (when) => {
          const found = await stage.stripe.findCharge(byKey(request.key));
          if (found.kind === 'notFound') await stage.stripe.charge(request);
          stage.wait(20);
          assert.equal((await stage.stripe.findCharge(byKey(request.key))).kind, expected, when);
          assert.equal(heldAt(stage.fake).captures.get(request.key), captured, when);
        },
      );
    });

  // Guarantee: a charge that is canceled after a crash is never paid, unless it is too late, which is then said.
  test('of a charge that another cancels', async () => {
    let request = aCharge(stage.world);
    await dieAtEveryEdge(
      stage,
      (dying) => {
        request = aCharge(stage.world);
        return dying.charge(request);
      },
      async (when) => {
        assert.deepEqual(await stage.stripe.cancel(byKey(request.key)), { kind: 'canceled' }, when);
        stage.wait(20);
        assert.deepEqual(await stage.stripe.findCharge(byKey(request.key)), { kind: 'canceled' }, when);
        assert.equal(heldAt(stage.fake).captures.get(request.key), undefined, when);
      },
    );
  });

  test('of a cancel that another repeats', async () => {
    let request = aCharge(stage.world);
    await dieAtEveryEdge(
      stage,
      async (dying) => {
        request = aCharge(stage.world);
        await stage.stripe.charge(request);
        await dying.cancel(byKey(request.key));
      },
      async (when) => {
        assert.deepEqual(await stage.stripe.cancel(byKey(request.key)), { kind: 'canceled' }, when);
        stage.wait(20);
        assert.equal(heldAt(stage.fake).captures.get(request.key), undefined, when);
      },
    );
  });

  test('of a look-up that finds a decline', async () => {
    let request = aCharge(stage.world);
    await dieAtEveryEdge(
      stage,
      async (dying) => {
        request = aCharge(stage.world, { email: 'customer_declined@example.com' });
        await stage.stripe.charge(request);
        stage.wait(10);
        await dying.findCharge(byKey(request.key));
      },
      async (when) => {
        const found = await stage.stripe.findCharge(byKey(request.key));
        assert.deepEqual(found, { kind: 'declined', reason: 'payer rejected' }, when);
      },
    );
  });

  // Guarantee: a refund is paid once, also when its process dies between the list and the request.
  test('of a refund that another sends again', async () => {
    let key = '';
    let request = aCharge(stage.world);
    await dieAtEveryEdge(
      stage,
      async (dying) => {
        request = aCharge(stage.world);
        await stage.stripe.charge(request);
        stage.wait(6);
        key = stage.world.ids.ulid();
        await dying.refund(aRefund(key, request.key, 4_000n));
      },
      async (when) => {
        const found = await stage.stripe.findRefund(byKey(key));
        if (found.kind === 'notFound') await stage.stripe.refund(aRefund(key, request.key, 4_000n));
        assert.deepEqual(
          await stage.stripe.findRefund(byKey(key)),
          {
            kind: 'approved',
            amount: money(4_000n, 'PLN'),
          },
          when,
        );
        assert.equal(heldAt(stage.fake).refunds.get(key), 1, when);
      },
    );
  });
});
