// BLIK: a code from the app of the payer's bank, or a registered alias. Payers confirm in that app.

import { methods } from '../../contract/methods.ts';
import { refuse, Secret } from '../kernel/index.ts';
import { byPayer, describe } from './describe.ts';
import type { GivenAlias, Reading, ReadyInstrument } from './model.ts';

export const blik = describe('blik', {
  dataField: 'blikPaymentData',
  read: (_tools, reading) => read(reading),
  form: 'blik',
  framed: true,
  confirmedInApp: true,
  // A code is charged without a link.
  paidAs: 'sale',
  refund: { context: 'transactional', statuses: 'blik' },
  recurring: 'blik_payid',
});

/** With a code, or for a payer who is known by an alias. */
function read({ data: { blikPaymentData: { blikToken, aliases = [] } = {} }, prefix }: Reading): ReadyInstrument {
  const given: readonly GivenAlias[] = [aliases].flat();
  if (blikToken === undefined && given.length === 0) {
    const message = 'Send the BLIK code, or an alias that the payer registered.';
    return refuse('field_required', `${prefix}blikPaymentData.blikToken`, message);
  }
  return byPayer(methods.blik.id, {
    kind: 'blik',
    code: blikToken === undefined ? null : new Secret(blikToken),
    aliases: given.map(({ value, type, label = '' }) => ({ value: new Secret(value), type, label })),
  });
}
