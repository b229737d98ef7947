import type { Translation } from '../../language/text.ts';
import type en from './words.en.ts';

export default {
  account_blocked: 'Konto jest zablokowane.',
  bank_account_altered: 'Rachunek bankowy nie jest taki, jak go podano. Zapytaj operatora.',
  terms_altered: 'Ustawienia wypłat nie są takie, jak je zapisano. Zapytaj operatora.',
  payouts_blocked: 'Operator wstrzymał wypłaty tego konta.',
  bank_account_missing: 'Nie podano jeszcze rachunku bankowego.',
  bank_account_not_verified: 'Operator nie zweryfikował jeszcze rachunku bankowego.',
  bank_account_on_hold: 'Rachunek bankowy został zmieniony i jest wstrzymany na 72 godziny.',
  not_scheduled: 'Wypłaty powstają na Twoje żądanie.',
  nothing_due: 'Nie ma nic do wypłaty.',
  below_minimum: 'To mniej niż minimalna kwota wypłaty.',
} satisfies Translation<typeof en>;
