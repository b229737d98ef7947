// Which card a token from an acquirer's fields stands for. The acquirer is asked, within rate limits that all merchants
// share, so each payment may ask only so often, whatever its payer sends.

import { RateLimit } from '../../http/index.ts';
import { brands, type TransactionId, Unavailable } from '../../kernel/index.ts';
import type { PayerInstrument } from '../../transactions/index.ts';
import type { PageTools } from '../tools.ts';
import type { FormInstrument } from './form.ts';
import type { FieldFault } from './forms.ts';

/** A payer waits for it, before the charge itself. */
const tokenMilliseconds = 8_000;
/** Per payment: ten cards in a row, then one every half minute. */
const perSecond = 1 / 30;
const burstSeconds = 300;
/** Per payment: a form may be sent twice by mistake. */
const atOnce = 2;

type Read = PayerInstrument | { readonly faults: readonly FieldFault[] };

export class TokenReading {
  readonly #tools: Pick<PageTools, 'acquirers' | 'config'>;
  readonly #limit: RateLimit;
  readonly #atWork = new Map<TransactionId, number>();

  constructor(tools: Pick<PageTools, 'acquirers' | 'config' | 'wall'>) {
    this.#tools = tools;
    this.#limit = new RateLimit(tools.wall, burstSeconds);
  }

  /** Asked before anything is begun, so that a token that is not valid costs no attempt. */
  async read(id: TransactionId, given: FormInstrument): Promise<Read> {
    if (given.kind !== 'token') return given;
    const working = this.#atWork.get(id) ?? 0;
    if (working >= atOnce) throw new Unavailable('too_many_requests', undefined, 1);
    this.#limit.consume(id, perSecond);
    this.#atWork.set(id, working + 1);
    try {
      return await this.#ask(given);
    } finally {
      const left = (this.#atWork.get(id) ?? 1) - 1;
      if (left > 0) this.#atWork.set(id, left);
      else this.#atWork.delete(id);
    }
  }

  async #ask({ acquirer, token, channelId, save }: FormInstrument & { readonly kind: 'token' }): Promise<Read> {
    const named = this.#tools.acquirers.named(acquirer);
    const answer = (await named.findToken?.({ token, deadlineMilliseconds: tokenMilliseconds })) ?? { kind: 'refused' };
    if (answer.kind === 'refused') return { faults: ['token'] };
    if (answer.kind !== 'found') throw new Unavailable('service_unavailable');
    const brand = brands.find(({ name }) => name === answer.card.brand);
    if (brand && !this.#tools.config.cardBrands.includes(brand.id)) return { faults: ['brand'] };
    return { kind: 'fields', channelId, acquirer, token, shown: answer.card, save };
  }
}
