// The words of the bank's pages, in the payer's language: Polish or English.

import { decimalText, type Money } from '../../kernel/index.ts';

export type Language = 'en' | 'pl';

export interface Words {
  readonly bank: string;
  readonly notReal: string;
  readonly titles: Readonly<Record<'card' | 'transfer' | 'onlineWallet', string>>;
  readonly amount: string;
  readonly description: string;
  readonly card: string;
  readonly question: string;
  readonly confirm: string;
  readonly refuse: string;
  readonly approved: string;
  readonly declined: string;
  readonly canceled: string;
  readonly back: string;
  readonly unknownTitle: string;
  readonly unknownText: string;
  readonly chooseAgain: string;
  readonly failedTitle: string;
  readonly failedText: string;
}

const english: Words = {
  bank: 'Simulated bank',
  notReal: 'This is a simulated bank for tests. No real money moves here.',
  titles: {
    card: '3-D Secure: confirm your card payment',
    transfer: 'Confirm your bank transfer',
    onlineWallet: 'Confirm your wallet payment',
  },
  amount: 'Amount',
  description: 'Description',
  card: 'Card',
  question: 'Do you want to make this payment?',
  confirm: 'Confirm',
  refuse: 'Refuse',
  approved: 'This payment is confirmed.',
  declined: 'This payment was refused.',
  canceled: 'The shop canceled this payment. You were not charged.',
  back: 'Back to the shop',
  unknownTitle: 'No such payment',
  unknownText: 'This address leads to no payment. Open the link from the shop again.',
  chooseAgain: 'Go back and choose either Confirm or Refuse.',
  failedTitle: 'That did not work',
  failedText: 'Something went wrong at the simulated bank. Try again in a moment.',
};

const polish: Words = {
  bank: 'Symulowany bank',
  notReal: 'To jest bank symulowany, do testów. Nie są tu przenoszone prawdziwe pieniądze.',
  titles: {
    card: '3-D Secure: potwierdź płatność kartą',
    transfer: 'Potwierdź przelew',
    onlineWallet: 'Potwierdź płatność portfelem',
  },
  amount: 'Kwota',
  description: 'Opis',
  card: 'Karta',
  question: 'Czy chcesz wykonać tę płatność?',
  confirm: 'Potwierdź',
  refuse: 'Odrzuć',
  approved: 'Ta płatność jest potwierdzona.',
  declined: 'Ta płatność została odrzucona.',
  canceled: 'Sklep anulował tę płatność. Konto nie zostało obciążone.',
  back: 'Wróć do sklepu',
  unknownTitle: 'Nie ma takiej płatności',
  unknownText: 'Ten adres nie prowadzi do żadnej płatności. Otwórz ponownie link ze sklepu.',
  chooseAgain: 'Wróć i wybierz Potwierdź albo Odrzuć.',
  failedTitle: 'Nie udało się',
  failedText: 'Coś poszło nie tak w symulowanym banku. Spróbuj ponownie za chwilę.',
};

export const words: Readonly<Record<Language, Words>> = { en: english, pl: polish };

/** The language that the browser prefers among those we have; English when it names neither. */
export function languageFrom(acceptLanguage: string | undefined): Language {
  const wishes = (acceptLanguage ?? '').split(',').flatMap((part) => {
    const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
    const language = /^(en|pl)(-|$)/.exec(tag)?.[1];
    const weight = Number(
      parameters
        .find((text) => text.trim().startsWith('q='))
        ?.trim()
        .slice(2) ?? 1,
    );
    return language === undefined || !(weight > 0) ? [] : [{ language: language as Language, weight }];
  });
  return wishes.sort((left, right) => right.weight - left.weight)[0]?.language ?? 'en';
}

/** `12,34 zł` or `PLN 12.34`, exact to the last digit. */
export function amountText(amount: Money, language: Language): string {
  const format = new Intl.NumberFormat(language === 'pl' ? 'pl-PL' : 'en-GB', {
    style: 'currency',
    currency: amount.currency,
    useGrouping: 'always',
  });
  return format.format(decimalText(amount.minor) as Intl.StringNumericLiteral);
}
