// The tables of our accounts, column by column. The types of the model come from here.

import { instant, json, nullable, table, text, textFrom } from '../database/index.ts';
import { currencyFrom } from '../kernel/index.ts';

export const bankProfileTable = table('bank_profile', { name: text, settings: json<object>() });

export const bankAccountTable = table('bank_account', {
  id: text,
  /** As an IBAN. */
  number: text,
  currency: textFrom(currencyFrom),
  name: text,
  openedAt: instant,
  /** How payouts are paid from it; null: none are. */
  holder: nullable(text),
  profile: nullable(text),
  givenBy: nullable(text),
  givenAt: nullable(instant),
});
