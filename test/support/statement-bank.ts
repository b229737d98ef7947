// A bank whose record is what a test says: it may contradict itself, forget and amend, as a statement can.

import type { Acquirer, ChargeRequest, FindAnswer, StatementAnswer, StatementLine } from '../../src/acquirer/index.ts';
import { type Money, money } from '../../src/kernel/index.ts';

type Moved = StatementLine['kind'];

interface Further {
  readonly chargeKey: string;
  readonly fee: Money;
  readonly what: string;
  readonly taken: boolean;
}

function lineOf(
  kind: Moved,
  moved: Pick<StatementLine, 'key' | 'amount' | 'at'>,
  { chargeKey, fee, what, taken }: Further,
): StatementLine {
  switch (kind) {
    case 'capture':
    case 'payoutReturned':
      return { kind, ...moved };
    case 'payout':
      return { kind, ...moved, fee };
    case 'other':
      return { kind, ...moved, what, taken };
    default:
      return { kind, ...moved, chargeKey };
  }
}

export class StatementBank implements Acquirer {
  readonly name = 'simulator';
  readonly #lines = new Map<string, StatementLine>();
  /** The names of further lines of a key, by the name of the first. */
  readonly #further = new Map<string, readonly string[]>();
  /** The charges that refunds were asked for. */
  readonly #charges = new Map<string, string>();
  readonly #now: () => Temporal.Instant;
  /** What charges and refunds that it is asked for get as an answer; by default it does them. */
  answers: 'approved' | 'unknown' = 'approved';

  constructor(now: () => Temporal.Instant) {
    this.#now = now;
  }

  /** What the statement says about a key from now on; undefined: nothing. */
  say(
    kind: Moved,
    key: string,
    minor: bigint | undefined,
    { chargeKey = this.#charges.get(key) ?? 'charge', feeMinor = 0n, what = 'reserve' } = {},
  ): void {
    const name = `${kind} ${key}`;
    if (minor === undefined) return void this.#lines.delete(name);
    const at = this.#lines.get(name)?.at ?? this.#now();
    const moved = { key, amount: money(minor < 0n ? -minor : minor, 'PLN'), at };
    this.#lines.set(name, lineOf(kind, moved, { chargeKey, fee: money(feeMinor, 'PLN'), what, taken: minor < 0n }));
  }

  /** The statement names it twice from now on. */
  repeat(kind: Moved, key: string): void {
    const line = this.#lines.get(`${kind} ${key}`);
    if (line) this.#lines.set(`${kind} ${key} again`, line);
  }

  /** It moves once more under the same key, now. */
  moveAgain(kind: Moved, key: string, minor?: bigint): void {
    const name = `${kind} ${key}`;
    const line = this.#lines.get(name);
    const at = this.#now();
    const amount = minor === undefined ? line?.amount : money(minor, 'PLN');
    if (!line || !amount) return;
    this.#lines.set(`${name} at ${at}`, { ...line, amount, at });
    this.#further.set(name, [...(this.#further.get(name) ?? []), `${name} at ${at}`]);
  }

  /** The statement says now that it moved at another time. */
  amendTime(kind: Moved, key: string, at: Temporal.Instant): void {
    const line = this.#lines.get(`${kind} ${key}`);
    if (line) this.#lines.set(`${kind} ${key}`, { ...line, at });
  }

  minorOf(kind: Moved, key: string): bigint | undefined {
    return this.#lines.get(`${kind} ${key}`)?.amount.minor;
  }

  /** Of all lines of a key, those that moved again too. */
  minorsOf(kind: Moved, key: string): bigint[] {
    return this.#linesOf(kind, key).map(({ amount }) => amount.minor);
  }

  #linesOf(kind: Moved, key: string): StatementLine[] {
    const name = `${kind} ${key}`;
    return [name, ...(this.#further.get(name) ?? [])].flatMap((one) => this.#lines.get(one) ?? []);
  }

  /** What it was asked to charge, in order. */
  readonly asked: ChargeRequest[] = [];

  async charge(request: ChargeRequest) {
    const { key, amount } = request;
    this.asked.push(request);
    if (this.answers === 'unknown') return { kind: 'unknown' } as const;
    this.say('capture', key, amount.minor);
    return { kind: 'approved', amount: money(amount.minor, 'PLN') } as const;
  }

  async refund(request: {
    readonly key: string;
    readonly chargeKey: string;
    readonly amount: { readonly minor: bigint };
  }) {
    this.#charges.set(request.key, request.chargeKey);
    if (this.answers === 'unknown') return { kind: 'unknown' } as const;
    this.say('refund', request.key, request.amount.minor);
    return { kind: 'approved' } as const;
  }

  async cancel() {
    return { kind: 'tooLate' } as const;
  }

  async findCharge({ key }: { readonly key: string }): Promise<FindAnswer> {
    return this.#find('capture', key);
  }

  async findRefund({ key }: { readonly key: string }): Promise<FindAnswer> {
    if (this.#lines.has(`refundReturned ${key}`)) return { kind: 'declined', reason: 'internal error' };
    return this.#find('refund', key);
  }

  #find(kind: Moved, key: string): FindAnswer {
    const [line] = this.#linesOf(kind, key);
    return line ? { kind: 'approved', amount: line.amount } : { kind: 'notFound' };
  }

  async statement({ from, to, after, limit }: Parameters<Acquirer['statement']>[0]): Promise<StatementAnswer> {
    const compare = Temporal.Instant.compare;
    const all = [...this.#lines.values()].filter(({ at }) => compare(at, from) >= 0 && compare(at, to) < 0);
    const start = Number(after ?? 0);
    const next = start + limit < all.length ? String(start + limit) : null;
    return { kind: 'page', lines: all.slice(start, start + limit), next };
  }
}
