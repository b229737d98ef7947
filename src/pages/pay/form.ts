// Parses the form. Card data goes straight to src/cards; nothing here is stored, shown again or logged.

import type { Language } from '../../../contract/languages.ts';
import { isEmail } from '../../../contract/schema.ts';
import type { CardFormFault } from '../../cards/index.ts';
import { readForm as readFields } from '../../http/index.ts';
import { brandOf, Secret } from '../../kernel/index.ts';
import type { FormKind, Method, TypedElsewhere } from '../../methods/index.ts';
import type { PayerInstrument, PayerView } from '../../transactions/index.ts';
import { knownLanguage } from '../language.ts';
import type { PageTools } from '../tools.ts';
import type { FieldFault } from './forms.ts';
import { methodsOf } from './rules.ts';

/** A token of an acquirer's card fields is not yet known to be one. */
export type FormInstrument =
  | PayerInstrument
  | ({ readonly kind: 'token'; readonly channelId: number } & Omit<TypedElsewhere, 'shown'>);

export type ReadForm =
  | {
      readonly kind: 'ready';
      readonly method: number;
      readonly instrument: FormInstrument;
      readonly attempt: number;
      readonly language: Language | undefined;
    }
  | {
      readonly kind: 'faults';
      readonly method: number;
      readonly faults: readonly FieldFault[];
      /** What the payer typed as their email address, to correct it. */
      readonly typedEmail: string;
      readonly language: Language | undefined;
    }
  /** Not one of our forms, or of a method that was switched off meanwhile. */
  | { readonly kind: 'unknown' };

const emailLengthAtMost = 254;

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
  const instrument = isOther(found) ? readInstrument(view, found, given) : readCard(tools, view, found, given);
  if (instrument === undefined) return { kind: 'unknown' };
  return Array.isArray(instrument)
    ? { kind: 'faults', method, faults: instrument, typedEmail: given('email').slice(0, emailLengthAtMost), language }
    : { kind: 'ready', method, instrument: instrument as FormInstrument, attempt, language };
}

function isOther(method: Method): method is OtherMethod {
  return method.form !== 'card';
}

type OtherMethod = Method & { readonly form: Exclude<FormKind, 'card'> };

function readInstrument(
  view: PayerView,
  { id: channelId, form: kind }: OtherMethod,
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
    case 'wallet':
      return { kind: 'data', channelId, data: { walletPayPaymentData: given('token') } };
    case 'transfer': {
      const bank = view.shown?.banks.find((_name, index) => String(index) === given('bank'));
      return withEmail(view, { kind: 'none', channelId, ...(bank && { bank }) }, given);
    }
    case 'redirect':
      return withEmail(view, { kind: 'none', channelId }, given);
  }
}

/** With the email address, if the acquirer requires it and the merchant did not send it. */
function withEmail(
  { emailChannels = [] }: PayerView,
  instrument: PayerInstrument & { readonly kind: 'none' },
  given: (name: string) => string,
): PayerInstrument | readonly FieldFault[] {
  if (!emailChannels.includes(instrument.channelId)) return instrument;
  const email = given('email').trim();
  return isEmail(email) ? { ...instrument, email } : ['email'];
}

/** Far more than any token has. */
const tokenLengthAtMost = 300;

/** Undefined for a form of other card fields than those that are shown now. */
function readCard(
  tools: PageTools,
  { vendorFields }: PayerView,
  { id: channelId }: Method,
  given: (name: string) => string,
): FormInstrument | readonly FieldFault[] | undefined {
  if (given('fields') !== (vendorFields?.acquirer ?? '')) return undefined;
  if (vendorFields) {
    const token = given('token');
    if (token === '' || token.length > tokenLengthAtMost) return ['token'];
    const { acquirer } = vendorFields;
    return { kind: 'token', channelId, acquirer, token: new Secret(token), save: given('save') === '1' };
  }
  const form = { encrypted: given('card'), number: given('number'), expiry: given('expiry'), code: given('code') };
  const card = tools.cards.readForm(form, tools.clock.now());
  if (!('number' in card)) return card.map(faultFrom);
  const brand = brandOf(card.number);
  if (brand && !tools.config.cardBrands.includes(brand.id)) return ['brand'];
  return { kind: 'card', channelId, card, save: given('save') === '1' };
}

function faultFrom({ field, why }: CardFormFault): FieldFault {
  if (why === 'invalid') return field;
  return why === 'long' ? 'longCode' : why;
}
