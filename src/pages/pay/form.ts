// Parses the form. Card data goes straight to src/cards; nothing here is stored, shown again or logged.

import type { Language } from '../../../contract/languages.ts';
import type { CardFormFault } from '../../cards/index.ts';
import { brandOf } from '../../kernel/index.ts';
import { readForm as readFields } from '../../platform/index.ts';
import type { PayerInstrument, PayerView } from '../../transactions/index.ts';
import { knownLanguage } from '../language.ts';
import type { PageTools } from '../tools.ts';
import { type FieldFault, testBanks } from './forms.ts';
import { methodsOf } from './rules.ts';
import type { MethodId } from './words/index.ts';

export type ReadForm =
  | {
      readonly kind: 'ready';
      readonly method: MethodId;
      readonly instrument: PayerInstrument;
      readonly attempt: number;
      readonly language: Language | undefined;
    }
  | {
      readonly kind: 'faults';
      readonly method: MethodId;
      readonly faults: readonly FieldFault[];
      readonly language: Language | undefined;
    }
  /** Not one of our forms, or of a method that was switched off meanwhile. */
  | { readonly kind: 'unknown' };

/** Six digits, with the spaces that people type. */
const blikLengthAtMost = 32;

/** `expected`: the only method accepted; by default any except the wallet, which has its own URL. */
export function readForm(tools: PageTools, view: PayerView, body: unknown, expected?: MethodId): ReadForm {
  const fields = readFields(body);
  const given = (name: string) => fields.get(name) ?? '';
  const wanted = expected === undefined ? given('method') : String(expected);
  const method = methodsOf(view).find((id) => String(id) === wanted && (id === 75) === (expected === 75));
  const attempt = /^\d{1,4}$/.test(given('attempt')) ? Number(given('attempt')) : 0;
  if (method === undefined || attempt === 0) return { kind: 'unknown' };
  // That of the page with the form, whatever the browser keeps.
  const language = knownLanguage(given('lang'));
  const instrument = readInstrument(tools, method, given);
  return Array.isArray(instrument)
    ? { kind: 'faults', method, faults: instrument, language }
    : { kind: 'ready', method, instrument: instrument as PayerInstrument, attempt, language };
}

function readInstrument(
  tools: PageTools,
  method: MethodId,
  given: (name: string) => string,
): PayerInstrument | readonly FieldFault[] {
  switch (method) {
    case 64: {
      const typed = given('blik');
      const code = typed.length > blikLengthAtMost ? '' : typed.replaceAll(/[\s-]/g, '');
      return /^\d{6}$/.test(code) ? { kind: 'blik', channelId: method, code } : ['blik'];
    }
    case 53: {
      const form = { encrypted: given('card'), number: given('number'), expiry: given('expiry'), code: given('code') };
      const card = tools.cards.readForm(form, tools.clock.now());
      if (!('number' in card)) return card.map(faultFrom);
      const brand = brandOf(card.number);
      if (brand && !tools.config.cardBrands.includes(brand.id)) return ['brand'];
      return { kind: 'card', channelId: method, card, save: given('save') === '1' };
    }
    case 75:
      return { kind: 'wallet', channelId: method, token: given('token') };
    case 21: {
      const bank = tools.config.mode === 'sandbox' && testBanks.find((_name, index) => String(index) === given('bank'));
      return { kind: 'none', channelId: method, ...(bank && { bank }) };
    }
    case 106:
      return { kind: 'none', channelId: method };
  }
}

function faultFrom({ field, why }: CardFormFault): FieldFault {
  if (why === 'invalid') return field;
  return why === 'long' ? 'longCode' : why;
}
