import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Seeded } from '../../test/support/seeded.ts';
import { type AccountId, type DisputeId, knownId } from '../kernel/index.ts';
import type { Part, Share } from './model.ts';
import { changesOf, movesOf, sharesOf, sharesOfAll, unshared } from './shares.ts';

const partner = knownId<AccountId>('partner');
const part = (account: string, amountMinor: bigint, left = amountMinor, commissionLeftMinor = 0n): Part => ({
  accountId: knownId<AccountId>(account),
  amountMinor,
  leftMinor: left,
  commissionLeftMinor,
});
const inWords = (shares: readonly Share[]) => shares.map(({ accountId, minor }) => `${accountId} ${minor}`).join(', ');

suite('sharesOf', () => {
  // Guarantee: every grosz of a dispute is borne by somebody; what was refunded of a part is not taken again while other
  // parts have something left.
  for (const [name, minor, parts, expected] of [
    ['all of it', 1_000n, [part('a', 700n), part('b', 300n)], 'a 700, b 300'],
    ['with a commission', 1_000n, [part('a', 700n, 700n, 70n), part('b', 300n)], 'a 630, b 300, partner 70'],
    ['half', 500n, [part('a', 700n, 700n, 70n), part('b', 300n)], 'a 315, b 150, partner 35'],
    ['rounding goes to the first', 100n, [part('a', 100n), part('b', 100n), part('c', 100n)], 'a 34, b 33, c 33'],
    ['rounding goes to the first two', 101n, [part('a', 100n), part('b', 100n), part('c', 100n)], 'a 34, b 34, c 33'],
    ['not to one without anything left', 1n, [part('a', 100n, 0n), part('b', 1n), part('c', 1n)], 'b 1'],
    ['one was refunded', 300n, [part('a', 700n, 0n, 0n), part('b', 300n)], 'b 300'],
    ['one was refunded in part', 400n, [part('a', 700n, 100n, 10n), part('b', 300n)], 'a 90, b 300, partner 10'],
    ['more than is left', 1_000n, [part('a', 700n, 0n), part('b', 300n)], 'a 490, b 510'],
    ['more than was paid', 1_100n, [part('a', 700n), part('b', 300n)], 'a 770, b 330'],
    ['nothing is left', 100n, [part('a', 700n, 0n), part('b', 300n, 0n)], 'a 70, b 30'],
    ['the commission is more than what is left', 7n, [part('a', 700n, 10n, 70n), part('b', 300n, 0n)], 'partner 7'],
    ['the same beside another part', 31n, [part('a', 700n, 10n, 70n), part('b', 300n)], 'b 30, partner 1'],
    ['of one seller with two parts', 1_000n, [part('a', 700n), part('a', 300n)], 'a 1000'],
  ] as const satisfies readonly (readonly [string, bigint, readonly Part[], string])[]) {
    test(name, () => {
      const shares = sharesOf(minor, partner, parts);
      assert.equal(inWords(shares), expected);
      assert.equal(
        shares.reduce((sum, one) => sum + one.minor, 0n),
        minor,
      );
    });
  }
});

// Guarantee: the difference leads from what was borne to what is to be borne, and nothing else.
test('changesOf', () => {
  const before = sharesOf(1_000n, partner, [part('a', 700n), part('b', 300n)]);
  assert.equal(inWords(changesOf([], before)), 'a 700, b 300');
  assert.equal(inWords(changesOf(before, [])), 'a -700, b -300');
  assert.equal(inWords(changesOf(before, before)), '');
  assert.equal(
    inWords(changesOf(before, sharesOf(500n, partner, [part('a', 700n), part('b', 300n)]))),
    'a -350, b -150',
  );
});

// Guarantee: after a refund in between, a step takes or gives back; it never does both, and nobody bears less than nothing.
suite('changesOf, when a refund changed the parts meanwhile', () => {
  const before = sharesOf(500n, partner, [part('a', 700n, 700n, 70n), part('b', 300n)]);
  const refunded = [part('a', 700n, 200n, 20n), part('b', 300n)];
  for (const [minor, expected] of [
    [500n, ''],
    [499n, 'a -1'],
    [100n, 'a -279, b -90, partner -31'],
    [501n, 'b 1'],
    [600n, 'b 100'],
    [0n, 'a -315, b -150, partner -35'],
  ] as const) {
    test(`${minor} after 500`, () => {
      assert.equal(inWords(changesOf(before, sharesOf(minor, partner, refunded))), expected);
    });
  }
});

// Guarantee: once a refund has ended unpaid, each account bears what it would bear without it, and the partner returns its
// commission in proportion; what some give, others get.
suite('movesOf, when a refund of the first part has ended unpaid', () => {
  const refunded = (left: bigint, commissionLeft: bigint, other = 100n, otherCommission = 10n) => [
    part('a', 100n, left, commissionLeft),
    part('b', 100n, other, otherCommission),
  ];
  const whole = [part('a', 100n, 100n, 10n), part('b', 100n, 100n, 10n)];
  for (const [name, minor, before, after, expected] of [
    [
      'all is disputed, without commissions',
      200n,
      [part('a', 100n, 0n), part('b', 100n)],
      [part('a', 100n), part('b', 100n)],
      'a 50, b -50',
    ],
    ['all is disputed', 200n, refunded(0n, 0n), whole, 'a 40, b -50, partner 10'],
    ['half is disputed', 100n, refunded(0n, 0n), whole, 'a 45, b -45'],
    ['the refund was of all', 200n, refunded(0n, 0n, 0n, 0n), whole, 'a -10, b -10, partner 20'],
    ['the refund was of a part', 160n, refunded(60n, 6n), whole, 'a 18, b -18'],
    [
      'another refund still counts',
      120n,
      refunded(0n, 0n, 20n, 2n),
      refunded(100n, 10n, 20n, 2n),
      'a 40, b -50, partner 10',
    ],
    ['nothing is disputed', 0n, refunded(0n, 0n), whole, ''],
    ['it had not been counted', 100n, whole, whole, ''],
  ] as const satisfies readonly (readonly [string, bigint, readonly Part[], readonly Part[], string])[]) {
    test(name, () => {
      const shares = (parts: readonly Part[]) => sharesOf(minor, partner, parts);
      assert.equal(inWords(movesOf(shares(before), shares(after))), expected);
    });
  }
});

suite('whatever is paid, refunded and paid late', () => {
  const draw = new Seeded('shares of disputes');
  const upTo = (most: bigint) => BigInt(draw.below(Number(most) + 1));

  function drawParts(): Part[] {
    return Array.from({ length: 1 + draw.below(4) }, (_, index) => {
      const amountMinor = 1n + upTo(1_000n);
      const commission = upTo(amountMinor);
      // What was paid late is gone while all of its commission is still with the partner.
      return part(
        'abcd'[index] ?? '',
        amountMinor,
        upTo(amountMinor),
        draw.chance(0.5) ? commission : upTo(commission),
      );
    });
  }

  const sumOf = (shares: readonly Share[]) => shares.reduce((all, one) => all + one.minor, 0n);
  const total = (parts: readonly Part[], of: (one: Part) => bigint) => parts.reduce((all, one) => all + of(one), 0n);

  // Guarantee: the shares are what is disputed, to the grosz; nobody gets anything, and within what is left no seller bears
  // more than is left of its part, and the partner no more than its commission.
  test('the shares are the amount, none is negative, and none is more than its part has', () => {
    for (let world = 0; world < 2_000; world += 1) {
      const parts = drawParts();
      const leftMinor = total(parts, (one) => one.leftMinor);
      const minor = upTo(total(parts, (one) => one.amountMinor) + 100n);
      const shares = sharesOf(minor, partner, parts);
      const said = `${minor} of ${JSON.stringify(parts, (_, value) => (typeof value === 'bigint' ? Number(value) : value))}: ${inWords(shares)}`;
      assert.equal(sumOf(shares), minor, said);
      for (const share of shares) {
        assert.ok(share.minor > 0n, said);
        const own = parts.find(({ accountId }) => accountId === share.accountId);
        const most = own ? own.leftMinor : total(parts, (one) => one.commissionLeftMinor);
        if (!own || minor <= leftMinor) assert.ok(share.minor <= most, said);
      }
    }
  });

  // Guarantee: however often the amount and the parts change, all bear what is disputed, nobody less than nothing, and each
  // step goes in one direction.
  test('steps in any order leave nobody with less than nothing', () => {
    for (let world = 0; world < 500; world += 1) {
      let [parts, borne]: [Part[], readonly Share[]] = [drawParts(), []];
      for (let step = 0; step < 6; step += 1) {
        parts = parts.map((one) => ({ ...one, leftMinor: upTo(one.amountMinor) }));
        const minor = draw.chance(0.2) ? 0n : upTo(total(parts, (one) => one.amountMinor));
        const taken = changesOf(borne, minor === 0n ? [] : sharesOf(minor, partner, parts));
        assert.ok(taken.every((one) => one.minor > 0n) || taken.every((one) => one.minor < 0n), inWords(taken));
        const accounts = new Set([...borne, ...taken].map(({ accountId }) => accountId));
        const of = (some: readonly Share[], accountId: AccountId) =>
          sumOf(some.filter((one) => one.accountId === accountId));
        borne = Array.from(accounts, (accountId) => ({
          accountId,
          minor: of(borne, accountId) + of(taken, accountId),
        }));
        assert.equal(sumOf(borne), minor, inWords(borne));
        assert.ok(
          borne.every((one) => one.minor >= 0n),
          inWords(borne),
        );
      }
    }
  });

  // Guarantee: of more, nobody bears less: so a dispute that begins, grows or shrinks moves nothing between accounts.
  test('a grosz more takes a grosz of one account', () => {
    for (let world = 0; world < 300; world += 1) {
      const parts = drawParts();
      const minor = upTo(total(parts, (one) => one.amountMinor) + 100n);
      const [less, more] = [sharesOf(minor, partner, parts), sharesOf(minor + 1n, partner, parts)];
      assert.deepEqual(
        movesOf(less, more).map((one) => one.minor),
        [1n],
        `${minor}: ${inWords(less)}; ${inWords(more)}`,
      );
    }
  });
});

const id = (text: string) => knownId<DisputeId>(text);
const two = [part('a', 100n), part('b', 100n)];

// Guarantee: the disputes of a payment are divided as one: together they take what is left, and what exceeds it by the parts.
suite('sharesOfAll', () => {
  for (const [name, parts, minors, expected] of [
    ['one', two, [100n], 'a 50, b 50'],
    ['a standard payment', [], [100n, 0n, 70n], 'partner 100; ; partner 70'],
    ['of one part that was refunded', [part('a', 100n, 0n), part('b', 100n)], [60n, 80n], 'b 60; b 60, a 20'],
    ['to the grosz', [part('a', 1n), part('b', 1n), part('c', 1n)], [1n, 1n, 1n], 'a 1; b 1; c 1'],
    ['one that was given back', two, [0n, 60n], '; a 30, b 30'],
  ] as const satisfies readonly (readonly [string, readonly Part[], readonly bigint[], string])[]) {
    test(name, () => {
      const disputes = minors.map((minor, index) => ({ id: id(`${index}`), minor, borne: [] }));
      const shares = sharesOfAll({ merchantId: partner, parts, disputes });
      assert.equal(
        Array.from(shares.values(), (one) =>
          inWords(one.toSorted((some, other) => Number(other.minor - some.minor))),
        ).join('; '),
        expected,
      );
    });
  }
});

/** A payment whose sellers give refunds that may end unpaid, and of which two disputes begin, change and end. */
class Story {
  readonly #draw: Seeded;
  readonly #refunds: { readonly index: number; readonly minor: bigint }[] = [];
  readonly disputes: { readonly id: DisputeId; minor: bigint; borne: readonly Share[] }[] = [];
  parts: readonly Part[];

  constructor(seed: number) {
    this.#draw = new Seeded(`story ${seed}`);
    this.parts = Array.from({ length: 2 + this.#draw.below(2) }, (_, index) => {
      const amountMinor = 1n + this.#upTo(300n);
      return part('abc'[index] ?? '', amountMinor, amountMinor, this.#upTo(amountMinor));
    });
  }

  #upTo(most: bigint): bigint {
    return BigInt(this.#draw.below(Number(most) + 1));
  }

  step(): void {
    const what = this.#draw.below(3);
    if (what === 0) this.#refund();
    else if (what === 1) this.#undo();
    else this.#dispute();
    for (const [of, moves] of unshared(this.sharing())) this.#move(of, moves);
  }

  sharing() {
    return { merchantId: partner, parts: this.parts, disputes: this.disputes };
  }

  #give(index: number, minor: bigint): void {
    this.parts = this.parts.map((one, at) => (at === index ? { ...one, leftMinor: one.leftMinor - minor } : one));
  }

  /** At most what is left of the part, as the payment allows it. */
  #refund(): void {
    const index = this.#draw.below(this.parts.length);
    const minor = this.#upTo(this.parts[index]?.leftMinor ?? 0n);
    this.#refunds.push({ index, minor });
    this.#give(index, minor);
  }

  #undo(): void {
    const [refund] = this.#refunds.splice(this.#draw.below(this.#refunds.length + 1), 1);
    if (refund) this.#give(refund.index, -refund.minor);
  }

  #dispute(): void {
    const all = this.parts.reduce((sum, one) => sum + one.amountMinor, 0n);
    const [first, second] = this.disputes;
    const one = this.#draw.chance(0.5) ? first : second;
    const minor = this.#draw.chance(0.3) ? 0n : this.#upTo(all);
    if (one) one.minor = minor;
    else this.disputes.push({ id: id(`${this.disputes.length}`), minor, borne: [] });
    const changed = one ?? this.disputes.at(-1);
    assert.ok(changed);
    const shares = sharesOfAll(this.sharing()).get(changed.id) ?? [];
    const taken = changesOf(changed.borne, shares);
    assert.equal(inWords(taken), inWords(movesOf(changed.borne, shares)), 'a step goes in one direction');
    this.#move(changed.id, taken);
  }

  #move(of: DisputeId, taken: readonly Share[]): void {
    const dispute = this.disputes.find((one) => one.id === of);
    assert.ok(dispute);
    const back = taken.map((one) => ({ ...one, minor: -one.minor }));
    dispute.borne = movesOf(back, dispute.borne);
  }
}

// Guarantee: whatever happens in whatever order, each dispute is borne to the grosz, by nobody less than nothing; no seller
// gives more than its part, by refunds and disputes together, while the payer gets no more than was paid; and what exceeds
// that is shared by the parts.
test('any story of refunds and disputes', () => {
  for (let seed = 0; seed < 100; seed += 1) {
    const story = new Story(seed);
    for (let step = 0; step < 15; step += 1) {
      story.step();
      assert.equal(unshared(story.sharing()).size, 0);
      const said = `seed ${seed}, step ${step}`;
      for (const { minor, borne } of story.disputes) {
        assert.equal(
          borne.reduce((sum, one) => sum + one.minor, 0n),
          minor,
          said,
        );
        assert.ok(
          borne.every((one) => one.minor > 0n),
          said,
        );
      }
      const minor = story.disputes.reduce((sum, one) => sum + one.minor, 0n);
      const leftMinor = story.parts.reduce((sum, one) => sum + one.leftMinor, 0n);
      const all = movesOf(
        [],
        story.disputes.flatMap(({ borne }) => borne),
      );
      assert.equal(inWords(movesOf(all, sharesOf(minor, partner, story.parts))), '', said);
      if (minor > leftMinor) continue;
      for (const { accountId, leftMinor: most } of story.parts) {
        assert.ok((all.find((one) => one.accountId === accountId)?.minor ?? 0n) <= most, said);
      }
    }
  }
});
