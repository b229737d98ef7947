// Random sequences of refunds, declines, cancels, holds, lost requests and late responses against a model that only
// knows which refunds were returned: what is left is refundable, never more, and the status follows.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import fc from 'fast-check';
import { readText } from '../../src/database/index.ts';
import { findBalance, ledgerAccounts } from '../../src/ledger/index.ts';
import { verifyRefunds } from '../../src/refunds/index.ts';
import type { Faults } from '../../src/simulators/index.ts';
import { aPaidTransaction, aTransaction, checkInvariants, payCard, settleAll } from '../support/payments.ts';
import { fund, refund } from '../support/refunds.ts';
import { receiveRefundCallback } from '../support/rooms.ts';
import {
  type Answer,
  aMerchant,
  aService,
  type Service,
  type TestMerchant,
  type TestWorld,
} from '../support/service.ts';
import { whole } from '../support/verify.ts';

const paidMinor = 1_001;
const feeMinor = 7;

type Action =
  | { readonly kind: 'full' }
  | { readonly kind: 'partial'; readonly minor: number }
  | { readonly kind: 'hold' | 'release' | 'cancel'; readonly pick: number }
  /** The engine sends and looks up what is due; the bank behaves like this. */
  | { readonly kind: 'move'; readonly bank: 'approves' | 'refuses' | 'waits' | 'is away' }
  /** The bank declines, by callback, what it has not decided. */
  | { readonly kind: 'refuse'; readonly pick: number }
  /** The bank pays out what it had declined, if it can, and reports it twice. */
  | { readonly kind: 'pay late'; readonly pick: number };

const pick = fc.nat(9);
const actions = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('full' as const) }) },
    {
      weight: 5,
      arbitrary: fc.record({ kind: fc.constant('partial' as const), minor: fc.integer({ min: 1, max: paidMinor }) }),
    },
    { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('hold', 'release', 'cancel'), pick }) },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('move' as const),
        bank: fc.constantFrom('approves', 'refuses', 'waits', 'is away'),
      }),
    },
    { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('refuse', 'pay late'), pick }) },
  ),
  { minLength: 4, maxLength: 16 },
) satisfies fc.Arbitrary<Action[]>;

const faultsOf: Readonly<Record<Extract<Action, { kind: 'move' }>['bank'], Faults>> = {
  approves: {},
  refuses: { refusedRefund: { probability: 1, seed: 1 } },
  waits: { waitingRefund: { probability: 1, seed: 1 } },
  'is away': { unreachable: { probability: 1, seed: 1, seconds: 1e9 } },
};

const returnedStatuses = ['Cancel', 'BLIK_incorrect'];
const decimal = (minor: number) => Number((minor / 100).toFixed(2));
const minorOf = (amount: number) => Math.round(amount * 100);

interface Listed {
  readonly refundId: string;
  readonly status: string;
  readonly amount: number;
}

/** One paid transaction, what the API shows of its refunds, and what the model says about it. */
class Story {
  readonly #service: Service;
  readonly #merchant: TestMerchant;
  readonly #id: string;
  readonly #openingMinor: bigint;
  #refunds: readonly Listed[] = [];
  /** Declined and paid out after all. */
  readonly #late = new Set<string>();
  #status = 'paid';

  constructor(service: Service, merchant: TestMerchant, id: string, openingMinor: bigint) {
    this.#service = service;
    this.#merchant = merchant;
    this.#id = id;
    this.#openingMinor = openingMinor;
  }

  async act(action: Action): Promise<void> {
    switch (action.kind) {
      case 'full':
        await this.#refundAll();
        break;
      case 'partial':
        await this.#refundPart(action.minor);
        break;
      case 'move':
        this.#service.world.bank.setFaults(faultsOf[action.bank]);
        this.#service.world.clock.advance({ minutes: 10 });
        await settleAll(this.#service.world);
        this.#service.world.bank.setFaults({});
        break;
      case 'refuse':
        await this.#refuse(this.#picked(action.pick));
        break;
      case 'pay late':
        await this.#payLate(this.#picked(action.pick));
        break;
      default:
        await this.#change(action.kind, this.#picked(action.pick));
    }
    await this.#check();
  }

  /** Whatever came before: everything that is left can be refunded, and not a grosz more. */
  async end(): Promise<void> {
    const leftMinor = this.#leftMinor();
    assert.equal((await this.#ask({ amount: decimal(leftMinor + 1) })).status, 409);
    await this.#refundAll();
    await this.#check();
    assert.equal(this.#leftMinor(), 0);
  }

  #picked(index: number): Listed | undefined {
    return this.#refunds[index % Math.max(1, this.#refunds.length)];
  }

  #ask(body: object): Promise<Answer> {
    return refund(this.#service, this.#merchant, this.#id, body);
  }

  async #refundAll(): Promise<void> {
    const leftMinor = this.#leftMinor();
    const answer = await this.#ask({});
    assert.equal(answer.status, leftMinor > 0 ? 200 : 409, answer.text);
    if (answer.status !== 200) return;
    this.#status = 'refund';
    assert.equal(minorOf(answer.body.refundsList[0].amount), leftMinor);
  }

  async #refundPart(minor: number): Promise<void> {
    const fits = minor <= this.#leftMinor();
    const answer = await this.#ask({ amount: decimal(minor) });
    assert.equal(answer.status, fits ? 200 : 409, answer.text);
  }

  async #change(verb: string, picked: Listed | undefined): Promise<void> {
    if (!picked) return;
    const path = `/refunds/${picked.refundId}/${verb}`;
    const answer = await this.#service.ask('POST', path, { token: this.#merchant.token });
    assert.ok(answer.status === 200 || answer.status === 409, answer.text);
  }

  async #refuse(picked: Listed | undefined): Promise<void> {
    const { world } = this.#service;
    if (!picked || !(await this.#isUnknownToBank(picked))) return;
    await receiveRefundCallback(world, { kind: 'refund', key: picked.refundId, result: { kind: 'declined' } });
  }

  async #payLate(picked: Listed | undefined): Promise<void> {
    const { world } = this.#service;
    if (!picked || !returnedStatuses.includes(picked.status)) return;
    const [sent] = await sentOf(world, picked.refundId);
    if (!sent) return;
    const { kind } = await world.bank.refund({
      key: picked.refundId,
      chargeKey: sent.chargeKey,
      amount: { minor: BigInt(minorOf(picked.amount)), currency: 'PLN' },
      deadlineMilliseconds: 1_000,
    });
    if (kind !== 'approved') return;
    this.#late.add(picked.refundId);
    for (let times = 0; times < 2; times += 1) {
      await receiveRefundCallback(world, { kind: 'refund', key: picked.refundId, result: { kind } });
    }
  }

  async #isUnknownToBank({ refundId }: Listed): Promise<boolean> {
    const { bank } = this.#service.world;
    return (await bank.findRefund({ key: refundId, deadlineMilliseconds: 1_000 })).kind === 'notFound';
  }

  #leftMinor(): number {
    const gone = this.#refunds.filter(
      ({ refundId, status }) => !returnedStatuses.includes(status) || this.#late.has(refundId),
    );
    return Math.max(0, paidMinor - sumOf(gone));
  }

  /** Reads the current state; a refund that was returned reopens the transaction. */
  async #check(): Promise<void> {
    const { token } = this.#merchant;
    const { body } = await this.#service.ask('GET', `/transactions/${this.#id}/refunds?limit=100`, { token });
    const before = new Map(this.#refunds.map(({ refundId, status }) => [refundId, status]));
    this.#refunds = body.refundsList;
    const cameBack = this.#refunds.some(
      ({ refundId, status }) =>
        returnedStatuses.includes(status) && !returnedStatuses.includes(before.get(refundId) ?? ''),
    );
    if (cameBack) this.#status = 'paid';
    assert.equal(body.status, this.#status);
    if (this.#leftMinor() > 0) assert.equal(body.status, 'paid', 'what is left can be refunded');
    const live = this.#refunds.filter(({ status }) => !returnedStatuses.includes(status));
    const takenMinor = BigInt(sumOf(live) + live.length * feeMinor);
    const balance = await findBalance(this.#service.world.db.sql, ledgerAccounts.available(this.#merchant.id));
    assert.equal(balance, this.#openingMinor - takenMinor);
    assert.deepEqual(
      await verifyRefunds(this.#service.world, whole(this.#service.world)),
      [],
      'the books say the same',
    );
  }
}

suite('sequences of refunds', () => {
  let service: Service;

  before(async () => {
    service = await aService();
  });

  async function aStory(channel: 'blik' | 'card'): Promise<Story> {
    const merchant = await aMerchant(service, { refundFeeMinor: BigInt(feeMinor) });
    await fund(service, merchant, 100_000n);
    const id = channel === 'blik' ? await aPaidTransaction(service, merchant) : await aTransaction(service, merchant);
    if (channel === 'card') await payCard(service, merchant, id);
    return new Story(service, merchant, id, 100_000n + BigInt(paidMinor));
  }

  async function play(channel: 'blik' | 'card', steps: readonly Action[]): Promise<void> {
    const story = await aStory(channel);
    for (const action of steps) await story.act(action);
    await story.end();
    await checkInvariants(service.world);
  }

  // Guarantee: whatever is returned makes the rest refundable again, whichever refund set the status `refund`.
  test('a part is refused after the rest was refunded', async () => {
    const partThenRest: Action[] = [
      { kind: 'partial', minor: 300 },
      { kind: 'move', bank: 'is away' },
      { kind: 'full' },
    ];
    await play('card', [...partThenRest, { kind: 'refuse', pick: 1 }]);
    await play('blik', [...partThenRest, { kind: 'refuse', pick: 1 }, { kind: 'partial', minor: 300 }]);
    await play('card', [{ kind: 'partial', minor: 300 }, { kind: 'full' }, { kind: 'cancel', pick: 1 }]);
  });

  // Guarantee: money that the bank paid out late belongs to the payer, so it cannot be refunded a second time.
  test('a refused refund is paid late', async () => {
    const refused: Action[] = [{ kind: 'full' }, { kind: 'move', bank: 'is away' }, { kind: 'refuse', pick: 0 }];
    await play('card', [...refused, { kind: 'pay late', pick: 0 }]);
    await play('blik', [...refused, { kind: 'partial', minor: 900 }, { kind: 'pay late', pick: 1 }]);
  });

  // Guarantee: after every step of any sequence what is left is refundable, never more, and the ledger balances.
  test('any sequence', async () => {
    await fc.assert(fc.asyncProperty(fc.constantFrom('blik', 'card'), actions, play), {
      seed: 20_260_301,
      numRuns: 25,
      endOnFailure: true,
    });
  });
});

function sumOf(refunds: readonly Listed[]): number {
  return refunds.reduce((sum, { amount }) => sum + minorOf(amount), 0);
}

/** The charge that a sent refund refers to; none if it was never sent. */
function sentOf({ db }: TestWorld, id: string): Promise<{ chargeKey: string }[]> {
  return db.sql.many((row) => ({ chargeKey: readText(row, 'charge_key') }))`
    select charge_key from outgoing_refund where id = ${id} and sent_at is not null`;
}
