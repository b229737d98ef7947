// What refunds of a marketplace transaction must do, in exact fractions. It knows the children and the list of refunds,
// and computes everything else from them each time: it shares no code and no totals with the service.

/** An exact, non-negative rational number. */
export class Fraction {
  readonly over: bigint;
  readonly under: bigint;

  constructor(over: bigint, under = 1n) {
    this.over = over;
    this.under = under;
  }

  /** Of a JSON number, read from its decimal text: never by way of a double. */
  static of(value: number): Fraction {
    const [whole = '', decimals = ''] = String(value).split('.');
    return new Fraction(BigInt(whole + decimals), 10n ** BigInt(decimals.length));
  }

  plus(other: Fraction): Fraction {
    if (this.under === other.under) return new Fraction(this.over + other.over, this.under);
    return new Fraction(this.over * other.under + other.over * this.under, this.under * other.under);
  }

  minus(other: Fraction): Fraction {
    return this.plus(new Fraction(-other.over, other.under));
  }

  times(other: Fraction): Fraction {
    return new Fraction(this.over * other.over, this.under * other.under);
  }

  isLess(other: Fraction): boolean {
    return this.over * other.under < other.over * this.under;
  }

  get isZero(): boolean {
    return this.over === 0n;
  }

  /** To a whole number, halves up. */
  rounded(): bigint {
    const whole = this.over / this.under;
    const rest = this.over - whole * this.under;
    return rest * 2n >= this.under ? whole + 1n : whole;
  }
}

const zero = new Fraction(0n);
const lower = (left: bigint, right: bigint) => (left < right ? left : right);
const lesser = (left: Fraction, right: Fraction) => (left.isLess(right) ? left : right);
const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n);
const sumOf = (values: readonly Fraction[]) => values.reduce((total, value) => total.plus(value), zero);

export interface ModelProduct {
  readonly externalId: string;
  readonly quantity: number;
  readonly unitPrice: number;
}

export interface ModelChild {
  readonly id: string;
  readonly seller: string;
  readonly amount: bigint;
  readonly commission: bigint;
  readonly products: readonly ModelProduct[];
}

/** An item of a request, as it is sent. */
export interface ModelItem {
  readonly id?: string;
  readonly merchantId?: string;
  readonly amount?: number;
  readonly products?: readonly ModelProduct[];
}

interface ModelLine {
  /** From 0. */
  readonly line: number;
  readonly quantity: Fraction;
  /** Quantity times price. */
  readonly value: Fraction;
}

/** What a refund takes from a child. */
export interface ModelPart {
  /** From 0. */
  readonly child: number;
  readonly amount: bigint;
  readonly commission: bigint;
  /** What of the amount is for products. */
  readonly products: bigint;
  readonly lines: readonly ModelLine[];
}

export interface ModelRefund {
  readonly parts: readonly ModelPart[];
  /** Late: returned, and paid out by the bank after all. */
  state: 'counts' | 'returned' | 'late';
}

export type ModelDecision = { readonly parts: readonly ModelPart[] } | { readonly refused: string };

/** What a request has taken from a child so far. */
interface Basket {
  readonly child: number;
  amount: bigint;
  lines: ModelLine[];
}

export class MarketModel {
  readonly children: readonly ModelChild[];
  readonly refunds: ModelRefund[] = [];

  constructor(children: readonly ModelChild[]) {
    this.children = children;
  }

  #partsOf(child: number, ...states: readonly ModelRefund['state'][]): ModelPart[] {
    return this.refunds.flatMap(({ state, parts }) =>
      states.includes(state) ? parts.filter((part) => part.child === child) : [],
    );
  }

  refundedOf(child: number): bigint {
    return sum(this.#partsOf(child, 'counts').map(({ amount }) => amount));
  }

  commissionReturnedOf(child: number): bigint {
    return sum(this.#partsOf(child, 'counts').map(({ commission }) => commission));
  }

  refundedQuantityOf(child: number, line: number): Fraction {
    return sumOf(
      this.#partsOf(child, 'counts').flatMap(({ lines }) =>
        lines.flatMap((one) => (one.line === line ? [one.quantity] : [])),
      ),
    );
  }

  /** Quantity times price of the refunded products of a child, or of one of its lines. */
  valueOf(child: number, line?: number): Fraction {
    return sumOf(
      this.#partsOf(child, 'counts').flatMap(({ lines }) =>
        lines.flatMap((one) => (line === undefined || one.line === line ? [one.value] : [])),
      ),
    );
  }

  /** What of a child was refunded by products. */
  productsOf(child: number): bigint {
    return sum(this.#partsOf(child, 'counts').map(({ products }) => products));
  }

  leftOf(child: number): bigint {
    const all = this.children[child]?.amount ?? 0n;
    return all - lower(all, sum(this.#partsOf(child, 'counts', 'late').map(({ amount }) => amount)));
  }

  /** Of the whole payment; less than that of the children if the bank paid late what was refunded again. */
  get left(): bigint {
    const all = sum(this.children.map(({ amount }) => amount));
    const gone = this.children.flatMap((_, child) => this.#partsOf(child, 'counts', 'late'));
    return all - lower(all, sum(gone.map(({ amount }) => amount)));
  }

  /** Decides a request; without items it is a full one. Changes nothing. */
  decide(items: readonly ModelItem[]): ModelDecision {
    const baskets = this.children.map((_, child): Basket => ({ child, amount: 0n, lines: [] }));
    if (items.length === 0) {
      if (this.left === 0n) return { refused: 'already_refunded' };
      let rest = this.left;
      for (const [child, basket] of baskets.entries()) {
        basket.amount = lower(this.leftOf(child), rest);
        rest -= basket.amount;
      }
    } else {
      const faults = items.flatMap((item) => this.#fill(baskets, item));
      if (faults.length > 0) return { refused: faults.find((fault) => fault === 'not_valid') ?? 'refund_exceeds_paid' };
      const small = baskets.some((basket) => basket.lines.length > 0 && this.#worth(basket) === 0n);
      if (small) return { refused: 'too_low' };
      if (baskets.some((basket, child) => this.#worth(basket) > this.leftOf(child)))
        return { refused: 'refund_exceeds_paid' };
    }
    if (sum(baskets.map((basket) => this.#worth(basket))) > this.left) return { refused: 'refund_exceeds_paid' };
    const parts = baskets.flatMap((basket, child): ModelPart[] => {
      const amount = this.#worth(basket);
      if (amount === 0n) return [];
      const [commission, products] = [this.#commission(child, amount), this.#worthOfProducts(basket)];
      return [{ child, amount, commission, products, lines: basket.lines }];
    });
    return { parts };
  }

  /** Each item takes what earlier items of the request have left. */
  #fill(baskets: readonly Basket[], item: ModelItem): string[] {
    const named = this.children.flatMap(({ id, seller }, child) =>
      id === item.id || seller === item.merchantId ? [child] : [],
    );
    if (named.length === 0) return ['not_valid'];
    if (item.amount !== undefined) return this.#fillAmount(baskets, named, BigInt(item.amount));
    return (item.products ?? []).flatMap((product) => this.#fillProduct(baskets, named, product));
  }

  #fillAmount(baskets: readonly Basket[], named: readonly number[], amount: bigint): string[] {
    let rest = amount;
    for (const child of named) {
      const basket = baskets[child] as Basket;
      const free = this.leftOf(child) - this.#worth(basket);
      const some = free > 0n ? lower(free, rest) : 0n;
      basket.amount += some;
      rest -= some;
    }
    return rest > 0n ? ['refund_exceeds_paid'] : [];
  }

  #fillProduct(baskets: readonly Basket[], named: readonly number[], wanted: ModelProduct): string[] {
    const lines = named.flatMap((child) =>
      (this.children[child]?.products ?? []).flatMap((sold, line) =>
        sold.externalId === wanted.externalId && sold.unitPrice >= wanted.unitPrice ? [{ child, sold, line }] : [],
      ),
    );
    if (lines.length === 0) return ['not_valid'];
    // Children in order, and of each the nearest price first.
    lines.sort((one, other) => one.child - other.child || one.sold.unitPrice - other.sold.unitPrice);
    let rest = Fraction.of(wanted.quantity);
    for (const { child, sold, line } of lines) {
      const basket = baskets[child] as Basket;
      const before = sumOf(basket.lines.filter((one) => one.line === line).map(({ quantity }) => quantity));
      const free = Fraction.of(sold.quantity).minus(this.refundedQuantityOf(child, line)).minus(before);
      const some = lesser(free, rest);
      if (some.isZero) continue;
      basket.lines.push({ line, quantity: some, value: some.times(Fraction.of(wanted.unitPrice)) });
      rest = rest.minus(some);
    }
    return rest.isZero ? [] : ['refund_exceeds_paid'];
  }

  #worth(basket: Basket): bigint {
    return basket.amount + this.#worthOfProducts(basket);
  }

  /** All products that were refunded of the child, rounded once, less what was given for them. */
  #worthOfProducts({ child, lines }: Basket): bigint {
    if (lines.length === 0) return 0n;
    const all = this.valueOf(child).plus(sumOf(lines.map(({ value }) => value)));
    const missing = all.rounded() - this.productsOf(child);
    return missing > 0n ? missing : 0n;
  }

  /** In proportion to all that is refunded of the child; never more than this refund takes from it. */
  #commission(child: number, amount: bigint): bigint {
    const { commission = 0n, amount: all = 1n } = this.children[child] ?? {};
    const due = new Fraction(commission * (this.refundedOf(child) + amount), all).rounded();
    const owed = due - this.commissionReturnedOf(child);
    return owed > 0n ? lower(owed, amount) : 0n;
  }
}
