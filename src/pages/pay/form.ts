// Parses the form. Card data goes straight to src/cards; nothing here is stored, shown again or logged.

import type { Language } from '../../../contract/languages.ts';
import type { CardFormFault } from '../../cards/index.ts';
import { readForm as readFields } from '../../http/index.ts';
import { brandOf } from '../../kernel/index.ts';
import type { Method } from '../../methods/index.ts';
import type { PayerInstrument, PayerView } from '../../transactions/index.ts';
import { knownLanguage } from '../language.ts';
import type { PageTools } from '../tools.ts';
import { type FieldFault, testBanks } from './forms.ts';
import { methodsOf } from './rules.ts';

export type ReadForm =
  | {
      readonly kind: 'ready';
      readonly method: number;
      readonly instrument: PayerInstrument;
      readonly attempt: number;
      readonly language: Language | undefined;
    }
  | {
      readonly kind: 'faults';
      readonly method: number;
      readonly faults: readonly FieldFault[];
      readonly language: Language | undefined;
    }
  /** Not one of our forms, or of a method that was switched off meanwhile. */
  | { readonly kind: 'unknown' };

/** Six digits, with the spaces that people type. */
const blikLengthAtMost = 32;

/** `expected`: the only kind of form accepted; by default any except the wallet's, which has its own URL. */
export function readForm(tools: PageTools, view: PayerView, body: unknown, expected?: 'wallet'): ReadForm {
  const fields = readFields(body);
  const given = (name: string) => fields.get(name) ?? '';
  const found = methodsOf(view).find(({ id, form }) =>
    expected === undefined ? form !== 'wallet' && String(id) === given('method') : form === expected,
  );
  const attempt = /^\d{1,4}$/.test(given('attempt')) ? Number(given('attempt')) : 0;
  if (found === undefined || attempt === 0) return { kind: 'unknown' };
  const { id: method } = found;
  // That of the page with the form, whatever the browser keeps.
  const language = knownLanguage(given('lang'));
  const instrument = readInstrument(tools, found, given);
  return Array.isArray(instrument)
    ? { kind: 'faults', method, faults: instrument, language }
    : { kind: 'ready', method, instrument: instrument as PayerInstrument, attempt, language };
}

function readInstrument(
  tools: PageTools,
  { id: channelId, form: kind }: Method,
  given: (name: string) => string,
): PayerInstrument | readonly FieldFault[] {
  switch (kind) {
    case 'blik': {
      const typed = given('blik');
      const code = typed.length > blikLengthAtMost ? '' : typed.replaceAll(/[\s-]/g, '');
      return /^\d{6}$/.test(code)
        ? { kind: 'data', channelId, data: { blikPaymentData: { blikToken: code } } }
        : ['blik'];
    }
    case 'card': {
      const form = { encrypted: given('card'), number: given('number'), expiry: given('expiry'), code: given('code') };
      const card = tools.cards.readForm(form, tools.clock.now());
      if (!('number' in card)) return card.map(faultFrom);
      const brand = brandOf(card.number);
      if (brand && !tools.config.cardBrands.includes(brand.id)) return ['brand'];
      return { kind: 'card', channelId, card, save: given('save') === '1' };
    }
    case 'wallet':
      return { kind: 'data', channelId, data: { walletPayPaymentData: given('token') } };
    case 'transfer': {
      const bank = tools.config.mode === 'sandbox' && testBanks.find((_name, index) => String(index) === given('bank'));
      return { kind: 'none', channelId, ...(bank && { bank }) };
    }
    case 'redirect':
      return { kind: 'none', channelId };
  }
}

function faultFrom({ field, why }: CardFormFault): FieldFault {
  if (why === 'invalid') return field;
  return why === 'long' ? 'longCode' : why;
}
