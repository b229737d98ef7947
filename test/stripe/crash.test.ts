// A process dies at every edge of a charge and of a refund: before and after each statement and each request. Another one
// goes on as the rooms do. The edges are counted, not listed: it dies at the first, the second and so on, until it survives.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import type { ChargeRequest } from '../../src/acquirer/index.ts';
import { money, Secret } from '../../src/kernel/index.ts';
import {
  aCardToken,
  aCharge,
  aRefund,
  aStripe,
  byKey,
  heldAt,
  Mortal,
  type Stage,
  type TestStripe,
} from '../support/stripe.ts';

const edgesAtMost = 60;

/** Of opening, which is not part of the work. */
let edgesOfOpening = 0;

/** The first that survives ends it. */
async function dieAtEveryEdge(
  stage: Stage,
  work: (dying: TestStripe) => Promise<unknown>,
  check: (when: string) => Promise<void>,
): Promise<void> {
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

/** The payer approves: on the page of the bank, if there is one, or in the app. */
async function approve(stage: Stage, key: string): Promise<void> {
  const found = await stage.stripe.findCharge(byKey(key));
  if (found.kind === 'waiting' && found.link) {
    await fetch(found.link, { method: 'POST', body: 'choice=approve', redirect: 'manual' });
  }
  stage.wait(20);
}

const methods = ['blik', 'transfer'] as const;

suite('a process dies at every edge', () => {
  let stage: Stage;
  before(async () => {
    stage = await aStripe();
    edgesOfOpening = await countEdges(stage);
  });

  // Guarantee: whatever a dead process has done of a charge, the next look or the same request decides it; it is paid once.
  for (const [method, email, expected, captured] of [
    ['blik', 'jan@example.com', 'approved', 1],
    ['blik', 'insufficient_funds@example.com', 'declined', undefined],
    ['blik', 'invalid_code@example.com', 'declined', undefined],
    ['transfer', 'jan@example.com', 'approved', 1],
  ] as const)
    test(`of a charge that another repeats: ${method}, ${email}`, async () => {
      let request = aCharge(stage.world, { email, method });
      await dieAtEveryEdge(
        stage,
        (dying) => {
          request = aCharge(stage.world, { email, method });
          return dying.charge(request);
        },
        async (when) => {
          const found = await stage.stripe.findCharge(byKey(request.key));
          if (found.kind === 'notFound') await stage.stripe.charge(request);
          await approve(stage, request.key);
          assert.equal((await stage.stripe.findCharge(byKey(request.key))).kind, expected, when);
          assert.equal(heldAt(stage.fake).captures.get(request.key), captured, when);
        },
      );
    });

  for (const [name, save, expected, captured] of [
    ['pm_card_visa', false, 'approved', 1],
    ['pm_card_visa', true, 'approved', 1],
    ['pm_card_chargeDeclined', false, 'declined', undefined],
    ['pm_card_authenticationRequired', false, 'waiting', undefined],
  ] as const)
    test(`of a charge of a card that another repeats: ${name}${save ? ', kept' : ''}`, async () => {
      let request = aCharge(stage.world);
      await dieAtEveryEdge(
        stage,
        async (dying) => {
          request = aCharge(stage.world, { card: { token: await aCardToken(stage, name), save } });
          return dying.charge(request);
        },
        async (when) => {
          const found = await stage.stripe.findCharge(byKey(request.key));
          if (found.kind === 'notFound') await stage.stripe.charge(request);
          assert.equal((await stage.stripe.findCharge(byKey(request.key))).kind, expected, when);
          assert.equal(heldAt(stage.fake).captures.get(request.key), captured, when);
        },
      );
    });

  const alias = { value: new Secret('payid-1'), type: 'PAYID', label: 'Shop' } as const;
  const turn = { iteration: 1, attempt: 1 };

  /** Paid, and kept; returns what is charged again without the payer. */
  async function keep(what: 'a card' | 'BLIK'): Promise<ChargeRequest['instrument']> {
    const first =
      what === 'a card'
        ? aCharge(stage.world, { card: { token: await aCardToken(stage), save: true } })
        : {
            ...aCharge(stage.world),
            instrument: { kind: 'blik', code: new Secret('123456'), aliases: [alias] } as const,
          };
    await stage.stripe.charge(first);
    await approve(stage, first.key);
    if (what === 'a card') return { kind: 'saved', chargeKey: first.key, recurring: turn };
    return { kind: 'recurring', value: alias.value, blik: { model: 'O', noDelay: false }, ...turn };
  }

  // Guarantee: what was kept is charged once, whoever dies between the look at it and the result.
  for (const what of ['a card', 'BLIK'] as const)
    test(`of a charge without the payer that another repeats: ${what}`, async () => {
      const instrument = await keep(what);
      let request = aCharge(stage.world);
      await dieAtEveryEdge(
        stage,
        (dying) => {
          request = { ...aCharge(stage.world), initiator: 'merchant', instrument };
          return dying.charge(request);
        },
        async (when) => {
          const found = await stage.stripe.findCharge(byKey(request.key));
          if (found.kind === 'notFound') await stage.stripe.charge(request);
          assert.equal((await stage.stripe.findCharge(byKey(request.key))).kind, 'approved', when);
          assert.equal(heldAt(stage.fake).captures.get(request.key), 1, when);
        },
      );
    });

  // Guarantee: a charge that is canceled after a crash is never paid, unless it is too late, which is then said.
  for (const method of methods)
    test(`of a charge that another cancels: ${method}`, async () => {
      let request = aCharge(stage.world, { method });
      await dieAtEveryEdge(
        stage,
        (dying) => {
          request = aCharge(stage.world, { method });
          return dying.charge(request);
        },
        async (when) => {
          assert.deepEqual(await stage.stripe.cancel(byKey(request.key)), { kind: 'canceled' }, when);
          await approve(stage, request.key);
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
  for (const method of methods)
    test(`of a refund that another sends again: ${method}`, async () => {
      let key = '';
      let request = aCharge(stage.world, { method });
      const refundOf = () => aRefund(key, request.key, 4_000n);
      await dieAtEveryEdge(
        stage,
        async (dying) => {
          request = aCharge(stage.world, { method });
          await stage.stripe.charge(request);
          await approve(stage, request.key);
          key = stage.world.ids.ulid();
          await dying.refund(refundOf());
        },
        async (when) => {
          const found = await stage.stripe.findRefund(byKey(key));
          if (found.kind === 'notFound') await stage.stripe.refund(refundOf());
          const paid = { kind: 'approved', amount: money(4_000n, 'PLN') };
          assert.deepEqual(await stage.stripe.findRefund(byKey(key)), paid, when);
          assert.equal(heldAt(stage.fake).refunds.get(key), 1, when);
        },
      );
    });
});
