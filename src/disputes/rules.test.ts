import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Facts, News } from './model.ts';
import { afterNews, asKept, asLost, borneOf, claimed, covered, coveredOf, isToPark, overpaid } from './rules.ts';

const at = (day: number) => Temporal.Instant.from(`2026-11-${String(day).padStart(2, '0')}T10:00:00Z`);

const opened: Facts = {
  state: 'opened',
  amountMinor: 1_000n,
  returnedMinor: 0n,
  reason: 'fraudulent',
  respondUntil: at(20),
  saidAt: at(5),
};
const won: Facts = { ...opened, state: 'won', returnedMinor: 1_000n, respondUntil: null };
const lost: Facts = { ...opened, state: 'lost', respondUntil: null };

const says = (stage: News['stage'], more: Partial<News> = {}): News => ({
  stage,
  amountMinor: 1_000n,
  reason: 'fraudulent',
  respondUntil: stage === 'opened' ? at(20) : null,
  at: null,
  isMoved: false,
  ...more,
});
/** A line of the statement. */
const moves = (stage: News['stage'], amountMinor: bigint, day?: number): News =>
  says(stage, { amountMinor, reason: '', respondUntil: null, at: day === undefined ? null : at(day), isMoved: true });

suite('afterNews', () => {
  // Guarantee: every transition of docs/decisions/0034, and no other: what is disputed, of that what was given back.
  for (const [name, before, news, expected] of [
    ['new, opened', undefined, says('opened'), 'opened opened 1000-0'],
    ['new, won: nothing is taken', undefined, says('won'), 'won won 1000-1000'],
    ['new, lost', undefined, says('lost'), 'lost lost 1000-0'],
    ['new, a message of nothing', undefined, says('opened', { amountMinor: 0n }), 'opened opened 0-0'],
    ['new, by a line', undefined, moves('opened', 700n), 'opened opened 700-0'],
    ['opened, again', opened, says('opened'), 'none'],
    ['opened, another amount by a message', opened, says('opened', { amountMinor: 900n }), 'none'],
    ['opened, another reason', opened, says('opened', { reason: 'duplicate' }), 'noted'],
    ['opened, no reason any more', opened, says('opened', { reason: '' }), 'none'],
    ['opened, more time', opened, says('opened', { respondUntil: at(25) }), 'noted'],
    ['opened, the line', opened, moves('opened', 1_000n), 'none'],
    ['opened, a line of less', opened, moves('opened', 800n), 'changed opened 800-0'],
    ['opened, a line of more', opened, moves('opened', 1_200n), 'changed opened 1200-0'],
    ['opened, won', opened, says('won'), 'won won 1000-1000'],
    ['opened, won by a line of less', opened, moves('won', 600n), 'won won 1000-600'],
    ['opened, lost', opened, says('lost'), 'lost lost 1000-0'],
    ['won, again', won, says('won'), 'none'],
    ['won, opened late', won, says('opened'), 'none'],
    ['won, a line of less', won, moves('won', 600n), 'changed won 1000-600'],
    ['won, a line of more than is disputed', won, moves('won', 1_400n), 'none'],
    ['won, the line that took less', won, moves('opened', 800n), 'changed won 800-800'],
    [
      'won in part, the line that took less',
      { ...won, returnedMinor: 600n },
      moves('opened', 500n),
      'changed won 500-500',
    ],
    [
      'won in part, the line that took more',
      { ...won, returnedMinor: 600n },
      moves('opened', 1_100n),
      'changed won 1100-600',
    ],
    ['won, the line that took more', won, moves('opened', 1_200n), 'changed won 1200-1200'],
    ['won, lost without a time', won, says('lost'), 'contradicted'],
    ['won, lost before', won, says('lost', { at: at(4) }), 'contradicted'],
    ['won, lost at the same time', won, says('lost', { at: at(5) }), 'contradicted'],
    ['won, lost later', won, says('lost', { at: at(6) }), 'lost lost 1000-0'],
    ['won without a time, lost with one', { ...won, saidAt: null }, says('lost', { at: at(1) }), 'lost lost 1000-0'],
    ['won, lost by a later line', won, moves('lost', 1_000n, 9), 'lost lost 1000-0'],
    ['won, lost by a later line of less', won, moves('lost', 600n, 9), 'lost lost 600-0'],
    ['won in part, lost by a later line', { ...won, returnedMinor: 600n }, moves('lost', 900n, 9), 'lost lost 900-0'],
    ['lost, again', lost, says('lost'), 'none'],
    ['lost, opened late', lost, says('opened', { at: at(9) }), 'none'],
    ['lost, won later', lost, says('won', { at: at(6) }), 'won won 1000-1000'],
    ['lost, won by a later line', lost, moves('won', 1_000n, 9), 'won won 1000-1000'],
    ['new, by a line of nothing', undefined, moves('opened', 0n), 'none'],
    ['new, won by a line of nothing', undefined, moves('won', 0n), 'none'],
    ['opened, a line of nothing', opened, moves('opened', 0n), 'changed opened 0-0'],
    ['lost, a line of nothing', lost, moves('opened', 0n), 'changed lost 0-0'],
    ['won, a line of nothing', won, moves('opened', 0n), 'changed won 0-0'],
    ['opened, of nothing, a line again', { ...opened, amountMinor: 0n }, moves('opened', 700n), 'changed opened 700-0'],
    ['won, nothing was given back after all', won, moves('won', 0n), 'changed won 1000-0'],
    ['opened, nothing was given back', opened, moves('won', 0n, 9), 'none'],
    ['lost, nothing was given back', lost, moves('won', 0n, 9), 'none'],
    ['lost, won by an earlier line', lost, moves('won', 1_000n, 2), 'contradicted'],
  ] as const satisfies readonly (readonly [string, Facts | undefined, News, string])[]) {
    test(`${name}: ${expected}`, () => {
      const decided = afterNews(before, news);
      const { kind } = decided;
      if (kind !== 'step') return assert.equal(kind, expected);
      const { state, amountMinor, returnedMinor } = decided.facts;
      assert.equal(`${decided.step} ${state} ${amountMinor}-${returnedMinor}`, expected);
    });
  }

  // Guarantee: once it has ended nobody can respond any more; a line does not change what a message said.
  test('reason and time', () => {
    const kept = afterNews(opened, moves('opened', 800n));
    assert.ok(kept.kind === 'step');
    assert.deepEqual([kept.facts.reason, kept.facts.respondUntil], ['fraudulent', at(20)]);
    const ended = afterNews(opened, says('lost', { reason: 'late', respondUntil: at(28), at: at(7) }));
    assert.ok(ended.kind === 'step');
    assert.deepEqual([ended.facts.reason, ended.facts.respondUntil, ended.facts.saidAt], ['late', null, at(7)]);
    const silent = afterNews(opened, says('won'));
    assert.ok(silent.kind === 'step');
    assert.deepEqual([silent.facts.saidAt, silent.facts.respondUntil], [at(5), null]);
    const begun = afterNews(undefined, says('opened', { at: at(6) }));
    assert.ok(begun.kind === 'step');
    assert.deepEqual([begun.facts.saidAt, begun.facts.respondUntil], [at(6), at(20)]);
    const never = afterNews(undefined, says('lost', { respondUntil: at(28) }));
    assert.ok(never.kind === 'step');
    assert.equal(never.facts.respondUntil, null);
    const late = afterNews(won, says('opened', { reason: 'other', respondUntil: at(28) }));
    assert.ok(late.kind === 'noted');
    assert.deepEqual([late.facts.reason, late.facts.respondUntil], ['other', null]);
  });
});

// Guarantee: what is borne is what is disputed and was not given back; too much is one grosz more than was paid.
test('borneOf and overpaid', () => {
  assert.deepEqual([borneOf(opened), borneOf(won), borneOf({ ...won, returnedMinor: 400n })], [1_000n, 0n, 600n]);
  assert.equal(overpaid(1_000n, 400n, 600n), false);
  assert.equal(overpaid(1_000n, 400n, 601n), true);
  assert.equal(overpaid(1_000n, 1_000n, 1n), true);
  assert.equal(overpaid(1_000n, 1_001n, 0n), false);
});

// Guarantee: a dispute that was heard of before its payment begins as what it is by now; only an open one waits for evidence.
test('a dispute that waited for its payment', () => {
  const step = (waiting: Facts, news: News) => {
    const decided = claimed(waiting, news);
    assert.equal(decided.kind, 'step');
    const facts = decided.kind === 'step' ? decided.facts : waiting;
    return [decided.kind === 'step' && decided.step, facts.state, facts.returnedMinor, facts.respondUntil?.toString()];
  };
  assert.deepEqual(step(opened, says('opened')), ['opened', 'opened', 0n, at(20).toString()]);
  assert.deepEqual(step(opened, says('lost', { at: at(6) })), ['lost', 'lost', 0n, undefined]);
  assert.deepEqual(step(opened, says('won', { at: at(6) })), ['won', 'won', 1_000n, undefined]);
  assert.deepEqual(step({ ...lost, respondUntil: at(20) }, says('opened')), ['lost', 'lost', 0n, undefined]);
  assert.deepEqual(step(opened, says('opened', { reason: 'other' })), ['opened', 'opened', 0n, at(20).toString()]);
});

suite('isToPark', () => {
  const unclaimed = { amountMinor: 1_000n, returnedMinor: 0n, lostMinor: 0n, parkAt: at(9), parkedAt: null };
  // Guarantee: an operator is asked once, not before it is time, and not about what we bear already.
  for (const [name, changes, now, expected] of [
    ['in time', {}, at(8), false],
    ['at its time', {}, at(9), true],
    ['late', {}, at(10), true],
    ['parked already', { parkedAt: at(9) }, at(10), false],
    ['we bear it', { lostMinor: 1_000n }, at(10), false],
    ['we bear a part', { lostMinor: 400n }, at(10), true],
    ['given back', { returnedMinor: 1_000n }, at(10), false],
    ['given back after we bore it', { returnedMinor: 1_000n, lostMinor: 1_000n }, at(10), true],
    ['given back, and more than was taken, as was decided', { returnedMinor: 1_000n, lostMinor: -500n }, at(10), false],
  ] as const) {
    test(name, () => assert.equal(isToPark({ ...unclaimed, ...changes }, now), expected));
  }
});

suite('asKept', () => {
  // Guarantee: accounts get back what the acquirer did not keep and bear nothing more; the rest is our loss, to the last grosz.
  for (const [name, facts, lostMinor, keptMinor, expected] of [
    ['lost, and not taken', lost, 0n, 0n, '0-0, 0 lost, off -1000'],
    ['lost, and taken in part', lost, 0n, 400n, '400-0, 0 lost, off -600'],
    ['lost, and more is taken', lost, 0n, 1_400n, 'as before, 400 lost, off 400'],
    ['lost, and more is taken, which we bear', lost, 400n, 1_400n, 'as before, 400 lost, off 0'],
    ['lost, and more was taken, which we bore', lost, 400n, 1_000n, 'as before, 0 lost, off -400'],
    ['lost, and given back without being taken', lost, 0n, -300n, '0-0, -300 lost, off -1300'],
    ['won, and not given back', won, 0n, 1_000n, 'as before, 1000 lost, off 1000'],
    ['won, and given back twice', won, 0n, -1_000n, 'as before, -1000 lost, off -1000'],
    ['won in part, and given back', { ...won, returnedMinor: 700n }, 0n, 0n, '1000-1000, 0 lost, off -300'],
    ['won in part, and given back in part', { ...won, returnedMinor: 700n }, 0n, 100n, '1000-900, 0 lost, off -200'],
    ['opened, and not taken', opened, 0n, 0n, '0-0, 0 lost, off -1000'],
  ] as const) {
    test(name, () => {
      const { facts: next, ...minor } = asKept({ ...facts, lostMinor }, keptMinor);
      const amounts = next ? `${next.amountMinor}-${next.returnedMinor}` : 'as before';
      assert.equal(`${amounts}, ${minor.lostMinor} lost, off ${minor.offMinor}`, expected);
      const { state, reason, respondUntil, saidAt } = facts;
      if (next)
        assert.deepEqual(
          { ...next, amountMinor: 0n, returnedMinor: 0n },
          { state, reason, respondUntil, saidAt, amountMinor: 0n, returnedMinor: 0n },
        );
    });
  }
});

suite('asLost', () => {
  // Guarantee: what nobody claimed is about what the acquirer has kept of it.
  for (const [name, facts, keptMinor, expected] of [
    ['lost, and not taken', lost, 0n, '0-0'],
    ['lost, and more is taken', lost, 1_400n, '1400-0'],
    ['lost, and given back without being taken', lost, -1n, '0-0'],
    ['won, and not given back', won, 600n, '1000-400'],
    ['won, and more is taken', won, 1_400n, '1400-0'],
    ['won, and given back twice', won, -1_000n, '1000-1000'],
  ] as const) {
    test(name, () => {
      const { amountMinor, returnedMinor, ...others } = asLost(facts, keptMinor);
      assert.equal(`${amountMinor}-${returnedMinor}`, expected);
      const { amountMinor: _amount, returnedMinor: _returned, ...before } = facts;
      assert.deepEqual(others, before);
    });
  }
});

suite('covered', () => {
  // Guarantee: what a payer has coming makes up for disputes once, in order, and what exceeds it is ours.
  for (const [name, disputes, minor, expected] of [
    ['one of all of it', [lost], 1_000n, '1000 covered 1000'],
    ['one of more', [lost], 600n, '1000 covered 600'],
    ['one of less', [lost], 1_400n, '1000 covered 1000'],
    ['two', [lost, { ...lost, amountMinor: 700n }], 1_500n, '1000 covered 1000, 700 covered 500'],
    ['the second of two', [lost, lost], 1_000n, '1000 covered 1000, 1000 covered 0'],
    ['one that was won in part', [{ ...won, returnedMinor: 300n }], 1_000n, '700 covered 700'],
    ['one that is covered in part', [{ ...lost, coveredMinor: 400n }], 500n, '1000 covered 900'],
  ] as const) {
    test(name, () => {
      const before = disputes.map((one) => ({ lostMinor: 0n, coveredMinor: 0n, ...one }));
      const after = covered(before, minor);
      assert.equal(
        after.map(({ lostMinor, coveredMinor }) => `${lostMinor} covered ${coveredMinor}`).join(', '),
        expected,
      );
      assert.deepEqual(
        after.map((one) => ({ ...one, lostMinor: 0n, coveredMinor: 0n })),
        before.map((one) => ({ ...one, coveredMinor: 0n })),
      );
    });
  }

  // Guarantee: no more is covered than we bear, and never less because we bear more.
  test('afterwards', () => {
    assert.deepEqual(
      [coveredOf(1_000n, 600n), coveredOf(500n, 600n), coveredOf(0n, 600n), coveredOf(-5n, 600n)],
      [600n, 500n, 0n, 0n],
    );
  });
});
