// What an acquirer over HTTP takes (docs/acquirer.md#offers): its JSON, and what was read last.

import { Compile } from 'typebox/compile';
import { methodNames, methods } from '../../contract/methods.ts';
import { type Static, Type } from '../../contract/schema.ts';
import { currencies } from '../kernel/index.ts';
import type { Clock, Log } from '../runtime/index.ts';
import type { Offer } from './port.ts';

const Minor = Type.Integer({ minimum: 1, maximum: 9_999_999_999_999 });
const WireOffer = Type.Object({
  method: Type.Enum([...methodNames]),
  currency: Type.Enum([...currencies]),
  leastMinor: Minor,
  mostMinor: Minor,
  recurring: Type.Optional(Type.Array(Type.Enum(['card', 'A', 'M', 'O']), { maxItems: 4 })),
  asksEmail: Type.Optional(Type.Boolean()),
});
const WireOffers = Type.Object({
  kind: Type.Literal('offers'),
  offers: Type.Array(WireOffer, { maxItems: 100 }),
});
const wireOffers = Compile(WireOffers);

/** `everything`: the connector does not list offers. `refused`: `why` names the place and quotes nothing. */
export type OffersAnswer =
  | { readonly kind: 'offers'; readonly offers: readonly Offer[] }
  | { readonly kind: 'everything' }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'notReached' }
  | { readonly kind: 'unknown' };

/** `noPath`: a 404 that is not signed, which may be from a proxy. */
export type AskedOffers = OffersAnswer | { readonly kind: 'noPath' };

/** Of these the pay page asks for the email address. */
const askingEmail = methodNames.filter((name) => 'redirect' in methods[name]);

export function offersFromWire(value: unknown): OffersAnswer {
  if (!wireOffers.Check(value)) {
    const [first] = wireOffers.Errors(value);
    return { kind: 'refused', why: `${first?.instancePath || 'the message'} ${first?.message}` };
  }
  const upsideDown = value.offers.findIndex(({ leastMinor, mostMinor }) => leastMinor > mostMinor);
  if (upsideDown >= 0) return { kind: 'refused', why: `/offers/${upsideDown} has a leastMinor above its mostMinor` };
  const withoutField = value.offers.findIndex(({ method, asksEmail }) => asksEmail && !askingEmail.includes(method));
  if (withoutField >= 0)
    return { kind: 'refused', why: `/offers/${withoutField}/asksEmail is only for ${askingEmail.join(', ')}` };
  return { kind: 'offers', offers: value.offers.map(offerFromWire) };
}

/** The protocol does not provide for card fields of the acquirer's own. */
function offerFromWire({ method, currency, recurring = [], asksEmail, ...limits }: Static<typeof WireOffer>): Offer {
  const [leastMinor, mostMinor] = [BigInt(limits.leastMinor), BigInt(limits.mostMinor)];
  return { method, currency, leastMinor, mostMinor, fields: 'own', recurring, ...(asksEmail && { asksEmail }) };
}

export function wireFromOffers(offers: readonly Offer[]): Static<typeof WireOffers> {
  return {
    kind: 'offers',
    offers: offers.map(({ method, currency, leastMinor, mostMinor, recurring, asksEmail }) => ({
      method,
      currency,
      leastMinor: Number(leastMinor),
      mostMinor: Number(mostMinor),
      recurring: [...recurring],
      ...(asksEmail && { asksEmail }),
    })),
  };
}

/** Offers older than this are read again while they are used. */
const freshMilliseconds = 60_000;

interface OffersTools {
  readonly ask: () => Promise<AskedOffers>;
  readonly wall: Clock;
  readonly log: Log;
}

/** The offers that were read last; undefined: everything. */
export class KnownOffers {
  readonly #tools: OffersTools;
  #offers: readonly Offer[] | undefined;
  #askedAt: number | undefined;

  constructor(tools: OffersTools) {
    this.#tools = tools;
  }

  /** Never waits: old offers are returned, and read again in the background. */
  get current(): readonly Offer[] | undefined {
    const age = this.#askedAt === undefined ? 0 : this.#now() - this.#askedAt;
    if (age < 0 || age >= freshMilliseconds)
      this.read().catch((error: unknown) =>
        this.#tools.log.error({ err: error }, 'the offers could not be read again'),
      );
    return this.#offers;
  }

  /** If they cannot be read, nothing changes: the last offers remain, or everything if there were none yet. */
  async read(): Promise<OffersAnswer> {
    this.#askedAt = this.#now();
    const asked = await this.#tools.ask();
    const answer = asked.kind === 'noPath' ? this.#withoutPath() : asked;
    if (answer.kind === 'offers') this.#offers = answer.offers;
    if (answer.kind === 'everything') this.#offers = undefined;
    if (answer.kind === 'refused')
      this.#tools.log.error({ why: answer.why }, 'the offers of the acquirer were refused');
    return answer;
  }

  /** A connector without the path need not sign its 404; one that has told its offers has the path. */
  #withoutPath(): OffersAnswer {
    if (this.#offers === undefined) return { kind: 'everything' };
    this.#tools.log.warn('a 404 that is not signed says nothing about the offers: the last ones remain');
    return { kind: 'unknown' };
  }

  #now(): number {
    return this.#tools.wall.now().epochMilliseconds;
  }
}
