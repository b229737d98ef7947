// How the fake misbehaves on purpose. Rules are tried in order; the first that strikes a request is applied. Whether one
// strikes is drawn from its seed and the request, so that the same requests meet the same faults in any order.

import { shareOf } from './ids.ts';

export const faultKinds = [
  /** The connection ends before anything happened. */
  'lostRequest',
  /** It happens, and the connection ends without a response. */
  'lostAnswer',
  /** 500 before anything happened; an idempotency key keeps it. */
  'failedBefore',
  /** It happens, and the response, which the key keeps, is 500. */
  'failedAfter',
  /** 409, as while another request with the key runs. */
  'keyInUse',
  /** 429 of the limit of requests. */
  'rateLimit',
  /** 429 of another request that holds the object. */
  'lockTimeout',
  /** A page of a proxy instead of JSON. */
  'badGateway',
  'unauthorized',
  'forbidden',
  /** Waits before it begins: meanwhile the key is in use and the object is held. */
  'slow',
  /** It happens, and the response comes late. */
  'slowAnswer',
  /** A stored id is unknown, as with the key of another account. */
  'notFound',
] as const;

export type FaultKind = (typeof faultKinds)[number];

export interface FaultRule {
  readonly kind: FaultKind;
  /** Part of `POST /v1/payment_intents/:id/confirm`; every request unless told. */
  readonly endpoint?: string;
  /** How many requests it strikes; without a limit unless told. */
  readonly times?: number;
  /** How many of those that match are left alone first. */
  readonly skip?: number;
  /** From 0 to 1; 1 unless told. */
  readonly probability?: number;
  readonly seed?: string | number;
  readonly seconds?: number;
}

export interface Subject {
  readonly endpoint: string;
  /** The idempotency key, or the address. */
  readonly name: string;
}

/** Throws a RangeError that names the first bad rule. */
export function checkRules(rules: unknown): readonly FaultRule[] {
  if (!Array.isArray(rules)) throw new RangeError('Faults are a list of rules.');
  for (const rule of rules as FaultRule[]) {
    if (!faultKinds.includes(rule?.kind)) throw new RangeError(`There is no fault "${rule?.kind}".`);
    const { probability = 1, times = 1, skip = 0, seconds = 0, seed = 0, endpoint = '' } = rule;
    if (!(probability >= 0 && probability <= 1)) throw new RangeError(`The probability of ${rule.kind}: 0 to 1.`);
    if (![times, skip].every((count) => Number.isSafeInteger(count) && count >= 0))
      throw new RangeError(`times and skip of ${rule.kind} must be whole numbers.`);
    if (!(seconds >= 0 && seconds <= 600)) throw new RangeError(`The seconds of ${rule.kind}: 0 to 600.`);
    if (!['string', 'number'].includes(typeof seed) || typeof endpoint !== 'string')
      throw new RangeError(`seed and endpoint of ${rule.kind} must be texts.`);
  }
  return rules as FaultRule[];
}

export class Faults {
  #rules: readonly FaultRule[] = [];
  /** How many requests each rule matched and struck. */
  #matched: number[] = [];
  #struck: number[] = [];
  /** How often each subject came. */
  readonly #seen = new Map<string, number>();

  set(rules: readonly FaultRule[]): void {
    this.#rules = rules;
    this.#matched = rules.map(() => 0);
    this.#struck = rules.map(() => 0);
    this.#seen.clear();
  }

  show(): readonly (FaultRule & { struck: number })[] {
    return this.#rules.map((rule, index) => ({ ...rule, struck: this.#struck[index] ?? 0 }));
  }

  /** The rule that strikes this request. */
  strike(subject: Subject): FaultRule | undefined {
    const name = `${subject.endpoint}\n${subject.name}`;
    const count = (this.#seen.get(name) ?? 0) + 1;
    this.#seen.set(name, count);
    for (const [index, rule] of this.#rules.entries()) {
      if (!subject.endpoint.includes(rule.endpoint ?? '')) continue;
      const matched = (this.#matched[index] ?? 0) + 1;
      this.#matched[index] = matched;
      const struck = this.#struck[index] ?? 0;
      if (matched <= (rule.skip ?? 0) || struck >= (rule.times ?? Number.POSITIVE_INFINITY)) continue;
      if (shareOf(rule.seed ?? 0, rule.kind, name, count) >= (rule.probability ?? 1)) continue;
      this.#struck[index] = struck + 1;
      return rule;
    }
    return undefined;
  }
}
