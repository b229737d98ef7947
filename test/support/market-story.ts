// A marketplace payment and a sequence of refunds, previews, declines, holds, cancels and late payments of the bank
// through the API, against a model in exact fractions: every balance, every child and every product after each step.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readText } from '../../src/database/index.ts';
import { verifyMarketplace } from '../../src/marketplace/index.ts';
import { verifyRefunds } from '../../src/refunds/index.ts';
import type { Faults } from '../../src/simulators/index.ts';
import { type DrawnChild, type DrawnItem, drawnItem, itemOf } from './market-draws.ts';
import { Fraction, MarketModel, type ModelItem, type ModelPart, type ModelRefund } from './market-model.ts';
import { aPaidSplit, aPartner, balancesOf, refundSplit, showSplit, type TestPartner } from './marketplace.ts';
import { settleAll } from './payments.ts';
import { fund } from './refunds.ts';
import { receiveRefundCallback } from './rooms.ts';
import type { Answer, Service } from './service.ts';
import { whole } from './verify.ts';

/** A seller that cannot pay the fee of a refund, one that can for a while, and one without fees. */
export const sellers = [
  { opening: 0n, basisPoints: 123, fixed: 3n, refundFee: 50n },
  { opening: 1_000n, basisPoints: 0, fixed: 25n, refundFee: 7n },
  { opening: 0n, basisPoints: 0, fixed: 0n, refundFee: 0n },
] as const;
const partnerOpening = 100n;

export type Action =
  | { readonly kind: 'full' }
  | { readonly kind: 'items'; readonly items: readonly DrawnItem[] }
  | { readonly kind: 'hold' | 'release' | 'cancel'; readonly pick: number }
  /** The engine sends and looks up what is due; the bank behaves like this. */
  | { readonly kind: 'move'; readonly bank: 'approves' | 'refuses' | 'waits' | 'is away' }
  /** The bank declines, by callback, what it has not decided. */
  | { readonly kind: 'refuse'; readonly pick: number }
  /** The bank pays out what it had declined, if it can, and reports it twice. */
  | { readonly kind: 'pay late'; readonly pick: number };

const pick = fc.nat(9);
export const drawnActions: fc.Arbitrary<Action[]> = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('full' as const) }) },
    {
      weight: 9,
      arbitrary: fc.record({
        kind: fc.constant('items' as const),
        items: fc.array(drawnItem, { minLength: 1, maxLength: 3 }),
      }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('hold', 'release', 'cancel'), pick }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('move' as const),
        bank: fc.constantFrom('approves', 'refuses', 'waits', 'is away'),
      }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('refuse', 'pay late'), pick }) },
  ),
  { minLength: 6, maxLength: 16 },
);

const faultsOf: Readonly<Record<Extract<Action, { kind: 'move' }>['bank'], Faults>> = {
  approves: {},
  refuses: { refusedRefund: { probability: 1, seed: 1 } },
  waits: { waitingRefund: { probability: 1, seed: 1 } },
  'is away': { unreachable: { probability: 1, seed: 1, seconds: 1e9 } },
};

const returnedStatuses = ['Cancel', 'BLIK_incorrect'];

function feeOf({ seller, amount }: DrawnChild): bigint {
  const { basisPoints = 0, fixed = 0n } = sellers[seller] ?? {};
  const fee = new Fraction(BigInt(amount) * BigInt(basisPoints), 10_000n).rounded() + fixed;
  return fee < BigInt(amount) ? fee : BigInt(amount);
}

const commissionOf = (child: DrawnChild) =>
  ((BigInt(child.amount) - feeOf(child)) * BigInt(child.commissionShare)) / 1_000n;

interface Kept extends ModelRefund {
  readonly id: string;
}

/** One paid transaction, what the API shows of it, and what the model says about it. */
export class Story {
  readonly #service: Service;
  readonly #partner: TestPartner;
  readonly #id: string;
  readonly #model: MarketModel;
  /** Of the sellers, then of the partner. */
  readonly #opening: readonly bigint[];
  readonly #kept: Kept[] = [];
  readonly #late = new Set<string>();
  #status = 'paid';

  constructor(service: Service, partner: TestPartner, id: string, model: MarketModel, opening: readonly bigint[]) {
    this.#service = service;
    this.#partner = partner;
    this.#id = id;
    this.#model = model;
    this.#opening = opening;
  }

  async act(action: Action, seen: Map<string, number>): Promise<void> {
    const { world } = this.#service;
    switch (action.kind) {
      case 'full':
        await this.#refund([], seen);
        break;
      case 'items':
        await this.#refund(
          action.items.map((item) => itemOf(this.#model, item)),
          seen,
        );
        break;
      case 'move':
        world.bank.setFaults(faultsOf[action.bank]);
        world.clock.advance({ minutes: 10 });
        await settleAll(world);
        world.bank.setFaults({});
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
    await this.check();
  }

  /** With enough on every balance, all that is left goes back, and the commission with it to the cent. */
  async end(seen: Map<string, number>): Promise<void> {
    const left = this.#model.left;
    await this.#refund([], seen);
    await this.check();
    if (this.#model.left === 0n && left > 0n && this.#late.size === 0)
      for (const [child, { commission }] of this.#model.children.entries())
        assert.equal(this.#model.commissionReturnedOf(child), commission);
  }

  #picked(index: number): Kept | undefined {
    return this.#kept[index % Math.max(1, this.#kept.length)];
  }

  /** What a refund takes from the balances of the sellers and the partner: each seller pays its fee once. */
  #debits(parts: readonly ModelPart[]): bigint[] {
    const debits = this.#opening.map(() => 0n);
    const paying = new Set<number>();
    for (const { child, amount, commission } of parts) {
      const seller = this.#partner.sellers.findIndex(({ id }) => id === this.#model.children[child]?.seller);
      const fee = paying.has(seller) ? 0n : (sellers[seller]?.refundFee ?? 0n);
      paying.add(seller);
      debits[seller] = (debits[seller] ?? 0n) + amount + fee - commission;
      debits[sellers.length] = (debits[sellers.length] ?? 0n) + commission;
    }
    return debits;
  }

  #balances(): bigint[] {
    const taken = this.#kept.filter(({ state }) => state === 'counts').map(({ parts }) => this.#debits(parts));
    return this.#opening.map((minor, one) => taken.reduce((left, debits) => left - (debits[one] ?? 0n), minor));
  }

  /** First the preview, then the same for real: both do what the model says. */
  async #refund(items: readonly ModelItem[], seen: Map<string, number>): Promise<void> {
    const body = items.length === 0 ? {} : { childTransactions: items };
    const decision = this.#status === 'refund' ? { refused: 'already_refunded' } : this.#model.decide(items);
    const before = this.#balances();
    const debits = 'parts' in decision ? this.#debits(decision.parts) : [];
    const short = debits.some((minor, one) => minor > (before[one] ?? 0n));
    const refused = 'refused' in decision ? decision.refused : short ? 'insufficient_funds' : undefined;
    seen.set(refused ?? 'made', (seen.get(refused ?? 'made') ?? 0) + 1);
    const preview = await refundSplit(this.#service, this.#partner, this.#id, body, '?dryRun=true');
    const answer = await refundSplit(this.#service, this.#partner, this.#id, body);
    for (const { status, body: said, text } of [preview, answer]) {
      assert.equal(status === 200 ? undefined : said.errors[0].errorCode, refused, text);
    }
    if (refused !== undefined || 'refused' in decision) return;
    const { parts } = decision;
    const amount = Number(parts.reduce((sum, part) => sum + part.amount, 0n));
    assert.deepEqual([preview.body.amount, answer.body.amount], [amount, amount]);
    const after = before.map((minor, one) => minor - (debits[one] ?? 0n));
    this.#kept.push({ id: answer.body.refundId, parts, state: 'counts' });
    this.#model.refunds.push(this.#kept.at(-1) as Kept);
    if (items.length === 0) this.#status = 'refund';
    this.#checkPreview(preview, before, after);
    const shown = (await showSplit(this.#service, this.#partner, this.#id)).body.refunds.find(
      ({ refundId }: { refundId: string }) => refundId === answer.body.refundId,
    );
    const plain = shown.childTransactions.map(({ products: _, ...part }: { products: object }) => part);
    assert.deepEqual(plain, preview.body.preview.childTransactions);
    assert.deepEqual(
      plain.map(({ id, amount: minor, commissionReturned }: Record<string, unknown>) => [
        id,
        minor,
        commissionReturned,
      ]),
      parts.map((part) => [this.#model.children[part.child]?.id, Number(part.amount), Number(part.commission)]),
    );
  }

  #checkPreview({ body }: Answer, before: readonly bigint[], after: readonly bigint[]): void {
    const accounts = [...this.#partner.sellers, this.#partner].map(({ id }) => String(id));
    for (const { merchantId, ...told } of body.preview.balances) {
      const one = accounts.indexOf(merchantId);
      assert.deepEqual(told, { before: Number(before[one]), after: Number(after[one]) });
    }
    const told = new Set(body.preview.balances.map(({ merchantId }: { merchantId: string }) => merchantId));
    for (const [one, account] of accounts.entries()) if (!told.has(account)) assert.equal(before[one], after[one]);
  }

  async #change(verb: string, picked: Kept | undefined): Promise<void> {
    if (!picked) return;
    const path = `/refunds/${picked.id}/${verb}`;
    const answer = await this.#service.ask('POST', path, { token: this.#partner.token });
    assert.ok(answer.status === 200 || answer.status === 409, answer.text);
  }

  async #refuse(picked: Kept | undefined): Promise<void> {
    const { world } = this.#service;
    if (!picked) return;
    const { kind } = await world.bank.findRefund({ key: picked.id, deadlineMilliseconds: 1_000 });
    if (kind !== 'notFound') return;
    await receiveRefundCallback(world, { kind: 'refund', key: picked.id, result: { kind: 'declined' } });
  }

  async #payLate(picked: Kept | undefined): Promise<void> {
    const { world } = this.#service;
    if (picked?.state !== 'returned') return;
    const [chargeKey] = await world.db.sql.many((row) => readText(row, 'charge_key'))`
      select charge_key from outgoing_refund where id = ${picked.id} and sent_at is not null`;
    if (chargeKey === undefined) return;
    const minor = picked.parts.reduce((sum, { amount }) => sum + amount, 0n);
    const amount = { minor, currency: 'PLN' as const };
    const { kind } = await world.bank.refund({ key: picked.id, chargeKey, amount, deadlineMilliseconds: 1_000 });
    if (kind !== 'approved') return;
    this.#late.add(picked.id);
    for (let times = 0; times < 2; times += 1) {
      await receiveRefundCallback(world, { kind: 'refund', key: picked.id, result: { kind } });
    }
  }

  /** What the bank decided is read; everything else must follow from it. */
  async check(): Promise<void> {
    const { body } = await showSplit(this.#service, this.#partner, this.#id);
    const statuses = new Map<string, string>(
      body.refunds.map(({ refundId, status }: { refundId: string; status: string }) => [refundId, status]),
    );
    assert.deepEqual([...statuses.keys()].sort(), this.#kept.map(({ id }) => id).sort());
    for (const kept of this.#kept) {
      const returned = returnedStatuses.includes(statuses.get(kept.id) ?? '');
      if (returned && kept.state === 'counts') this.#status = 'paid';
      kept.state = this.#late.has(kept.id) ? 'late' : returned ? 'returned' : 'counts';
    }
    assert.equal(body.status, this.#status);
    for (const [child, shown] of body.childTransactions.entries()) {
      assert.equal(shown.refunded, Number(this.#model.refundedOf(child)));
      assert.equal(shown.commissionReturned, Number(this.#model.commissionReturnedOf(child)));
      for (const [line, { refundedQuantity }] of shown.products.entries()) {
        const off = this.#model.refundedQuantityOf(child, line).minus(Fraction.of(refundedQuantity));
        assert.ok(off.isZero, `${refundedQuantity} of product ${line} of child ${child}`);
      }
    }
    assert.deepEqual(await balancesOf(this.#service, this.#partner), this.#balances());
    const all = whole(this.#service.world);
    assert.deepEqual(await verifyMarketplace(this.#service.world, all), []);
    assert.deepEqual(await verifyRefunds(this.#service.world, all), []);
  }
}

async function aStory(service: Service, children: readonly DrawnChild[]): Promise<Story> {
  const details = sellers.map(({ basisPoints, fixed, refundFee }) => ({
    paymentFeeBasisPoints: basisPoints,
    paymentFeeMinor: fixed,
    refundFeeMinor: refundFee,
  }));
  const partner = await aPartner(service, details);
  const opening: bigint[] = [...sellers.map((seller) => seller.opening), partnerOpening];
  for (const [index, one] of [...partner.sellers, partner].entries())
    if ((opening[index] ?? 0n) > 0n) await fund(service, one, opening[index] ?? 0n);
  const given = children.map((child, index) => ({
    amount: child.amount,
    commission: Number(commissionOf(child)),
    description: `Part ${index}`,
    merchant: { id: partner.sellers[child.seller]?.id },
    products: child.products,
  }));
  const id = await aPaidSplit(service, partner, given);
  for (const child of children) {
    opening[child.seller] = (opening[child.seller] ?? 0n) + BigInt(child.amount) - feeOf(child) - commissionOf(child);
    opening[sellers.length] = (opening[sellers.length] ?? 0n) + commissionOf(child);
  }
  const { body } = await showSplit(service, partner, id);
  const model = new MarketModel(
    children.map((child, index) => ({
      id: body.childTransactions[index].id,
      seller: String(partner.sellers[child.seller]?.id),
      amount: BigInt(child.amount),
      commission: commissionOf(child),
      products: child.products,
    })),
  );
  return new Story(service, partner, id, model, opening);
}

/** Pays these children and acts; what was answered is counted in `seen`. Other stories of the service are idle. */
export async function play(
  service: Service,
  children: readonly DrawnChild[],
  steps: readonly Action[],
  seen: Map<string, number>,
): Promise<void> {
  const story = await aStory(service, children);
  await story.check();
  for (const action of steps) await story.act(action, seen);
  await story.end(seen);
}
