// Which page a payer sees: one line per case.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type AccountId, knownId, money, type TransactionId } from '../../kernel/index.ts';
import type { AttemptState, PayerView } from '../../transactions/index.ts';
import { followOf, markOf, readChosen, type State, stateOf } from './rules.ts';

const now = Temporal.Instant.from('2026-03-10T09:00:00Z');

interface Facts {
  readonly status?: PayerView['transaction']['status'];
  readonly channelId?: number;
  readonly createdAt?: string;
  readonly paidAt?: string;
  readonly channels?: readonly number[];
  readonly started?: number;
  readonly givenBack?: boolean;
  readonly last?: readonly [state: AttemptState, channelId: number, reasonOrLink?: string];
}

function aView(facts: Facts): PayerView {
  const [state, channelId, text] = facts.last ?? [];
  const createdAt = now.subtract({ seconds: 50 });
  const reason = state === 'failed' ? (text ?? null) : null;
  const attempt = { acquirer: 'simulator', channelId: channelId ?? 0, reason, link: text ?? null, createdAt };
  return {
    transaction: {
      id: knownId<TransactionId>('01ARZ3NDEKTSV4RRFFQ69G5FAV'),
      origin: 'api',
      title: 'TR-AAAA-AAAAAAA',
      status: facts.status ?? 'pending',
      createdAt: Temporal.Instant.from(facts.createdAt ?? '2026-03-10T08:00:00Z'),
      amount: money(1_000n, 'PLN'),
      description: 'Order',
      lang: '',
      channelId: facts.channelId ?? null,
      paidAt: facts.paidAt === undefined ? null : Temporal.Instant.from(facts.paidAt),
      successUrl: null,
      errorUrl: null,
      payKey: 'key',
      payer: { email: 'jan@example.com', name: 'Jan' },
    },
    merchant: {
      id: knownId<AccountId>('x'),
      name: 'Shop',
      zone: 'Europe/Warsaw',
      channels: facts.channels ?? [21, 53, 64, 75, 106],
      page: { color: null, language: null, logoHash: null, embedOrigins: [] },
    },
    shown: { banks: [], transferPage: undefined, testValues: {}, blikSeconds: 120 },
    attemptsStarted: facts.started ?? (facts.last ? 1 : 0),
    lastAttempt:
      state === undefined ? null : { ...attempt, state, givenBack: state === 'surplus' || facts.givenBack === true },
  };
}

function textOf(state: State): string {
  switch (state.kind) {
    case 'choose':
      return `choose ${state.methods.map(({ id }) => id).join(' ')}${state.before.declined ? ` after ${state.before.declined}` : ''}`;
    case 'method':
      return `form ${state.method.id}${state.before.declined ? ` after ${state.before.declined}` : ''}${state.before.open ? ' beside an open one' : ''}`;
    case 'waiting':
      return state.inApp ? 'waiting for BLIK' : 'waiting';
    case 'confirm':
      return `confirm at ${state.link}`;
    case 'paid':
      return state.earlier ? 'paid earlier' : 'paid';
    case 'canceled':
      return state.givenBack ? 'canceled, given back' : 'canceled';
    default:
      return state.kind;
  }
}

suite('stateOf', () => {
  // Guarantee: the same facts show the same page, and a payment in progress is never offered a form unasked.
  const cases: readonly (readonly [Facts, string | undefined, string])[] = [
    [{}, undefined, 'choose 64 53 75 21 106'],
    [{}, '53', 'form 53'],
    [{}, '75', 'form 75'],
    [{ channels: [64] }, undefined, 'form 64'],
    [{ channels: [64] }, '53', 'choose 64'],
    [{ channels: [] }, undefined, 'choose '],
    [{ channelId: 53 }, undefined, 'form 53'],
    [{ channelId: 53 }, 'all', 'choose 64 53 75 21 106'],
    [{ channelId: 75 }, undefined, 'form 75'],
    [{ last: ['failed', 64, 'wrong code'] }, undefined, 'form 64 after wrong code'],
    [{ last: ['failed', 64, 'wrong code'] }, 'all', 'choose 64 53 75 21 106 after wrong code'],
    [{ last: ['failed', 75, 'payer rejected'] }, undefined, 'form 75 after payer rejected'],
    [{ last: ['sent', 64] }, undefined, 'waiting'],
    [{ last: ['unknown', 53] }, undefined, 'waiting'],
    [{ last: ['waiting', 64] }, undefined, 'waiting for BLIK'],
    [{ last: ['waiting', 21, 'https://bank'] }, undefined, 'confirm at https://bank'],
    [{ last: ['waiting', 21, 'https://bank'] }, '64', 'form 64 beside an open one'],
    [{ last: ['canceled', 21] }, undefined, 'choose 64 53 75 21 106'],
    [{ channelId: 21, last: ['canceled', 21] }, undefined, 'choose 64 53 75 21 106'],
    [{ started: 100, last: ['failed', 64, 'wrong code'] }, undefined, 'exhausted'],
    [{ started: 100, last: ['waiting', 64] }, '53', 'waiting for BLIK'],
    [{ status: 'paid', paidAt: '2026-03-10T08:50:00Z' }, undefined, 'paid'],
    [{ status: 'paid', paidAt: '2026-03-10T08:40:00Z' }, undefined, 'paid earlier'],
    [{ status: 'paid', paidAt: '2026-03-10T08:45:00Z' }, undefined, 'paid'],
    [{ status: 'paid', paidAt: '2026-03-10T08:44:59.999Z' }, undefined, 'paid earlier'],
    [{ status: 'paid' }, undefined, 'paid earlier'],
    [{ last: ['failed', 64] }, undefined, 'form 64 after internal error'],
    [{ last: ['sent', 21, 'https://bank'] }, undefined, 'waiting'],
    [{ last: ['waiting', 21] }, undefined, 'waiting'],
    [{ last: ['waiting', 999] }, undefined, 'waiting'],
    [{ channels: [64] }, 'all', 'choose 64'],
    [{ channelId: 64, channels: [64] }, 'all', 'choose 64'],
    [{ status: 'refund' }, undefined, 'refunded'],
    [{ status: 'canceled' }, undefined, 'canceled'],
    [{ status: 'canceled', last: ['surplus', 21] }, undefined, 'canceled, given back'],
    [{ status: 'canceled', last: ['canceled', 21], givenBack: true }, undefined, 'canceled, given back'],
    [{ createdAt: '2026-02-10T09:00:00Z' }, undefined, 'expired'],
    [{ createdAt: '2026-02-10T09:00:01Z', channelId: 64 }, undefined, 'form 64'],
    [{ status: 'canceled', createdAt: '2026-02-01T00:00:00Z' }, undefined, 'expired'],
  ];
  for (const [facts, chosen, expected] of cases) {
    test(`${JSON.stringify(facts)} ${chosen ?? ''}: ${expected}`, () =>
      assert.equal(textOf(stateOf(aView(facts), readChosen(chosen), now)), expected));
  }

  // Guarantee: a payment can be made for a calendar month, however long that is.
  test('29 days in a month of 31', () => {
    const view = aView({ createdAt: '2026-01-02T09:00:00Z', channelId: 64 });
    const at = (text: string) => textOf(stateOf(view, undefined, Temporal.Instant.from(text)));
    assert.deepEqual([at('2026-02-02T08:59:59Z'), at('2026-02-02T09:00:00Z')], ['form 64', 'expired']);
  });

  // Guarantee: the payer is told how long the bank still waits, never less than nothing.
  test('the time left to confirm BLIK', () => {
    const view = aView({ last: ['waiting', 64] });
    for (const [at, expected] of [
      [now, 70],
      [now.add({ milliseconds: 999 }), 70],
      [now.add({ milliseconds: 1_000 }), 69],
      [now.subtract({ minutes: 5 }), 120],
      [now.add({ hours: 1 }), 0],
    ] as const)
      assert.deepEqual(stateOf(view, undefined, at), { kind: 'waiting', inApp: true, secondsLeft: expected });
  });

  // Guarantee: nobody is told a time that the acquirer of the payment does not have.
  test('without a known time there is none', () => {
    const view = aView({ last: ['waiting', 64] });
    for (const shown of [undefined, { banks: [], transferPage: undefined, testValues: {}, blikSeconds: undefined }]) {
      const { shown: _, ...rest } = view;
      const state = stateOf({ ...rest, ...(shown && { shown }) }, undefined, now);
      assert.deepEqual(state, { kind: 'waiting', inApp: true });
    }
  });

  // Guarantee: a waiting page notices every change of what it shows.
  test('the mark changes with the state', () => {
    const marks = [
      {},
      { last: ['sent', 64] },
      { last: ['waiting', 64] },
      { started: 2, last: ['sent', 64] },
      { status: 'paid' },
    ];
    assert.equal(new Set(marks.map((facts) => markOf(aView(facts as Facts)))).size, marks.length);
  });

  test('the mark has the status, the attempts and the last of them', () => {
    assert.equal(markOf(aView({})), 'pending.0.none');
    assert.equal(markOf(aView({ status: 'paid', started: 2, last: ['correct', 64] })), 'paid.2.correct');
  });

  test('others are offered only where there are any', () => {
    const others = (channels: readonly number[]) => {
      const state = stateOf(aView({ channels }), 64, now);
      return state.kind === 'method' && state.others;
    };
    assert.deepEqual([others([64]), others([64, 53])], [false, true]);
  });

  // Guarantee: the page of a payment that is over asks nothing; one that waits asks often.
  test('how often the page asks', () => {
    const views: readonly Facts[] = [
      {},
      { last: ['failed', 64] },
      { last: ['sent', 64] },
      { last: ['waiting', 64] },
      { status: 'paid', last: ['sent', 64] },
      { status: 'canceled' },
    ];
    assert.deepEqual(
      views.map((facts) => followOf(aView(facts))),
      ['rarely', 'rarely', 'soon', 'soon', undefined, undefined],
    );
  });
});
