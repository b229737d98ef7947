// The texts of the bank's pages, in the payer's language.

import { decimalText, type Money } from '../../kernel/index.ts';

export type Language = 'en' | 'pl' | 'de' | 'uk';

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

const german: Words = {
  bank: 'Simulierte Bank',
  notReal: 'Das ist eine simulierte Bank für Tests. Hier wird kein echtes Geld bewegt.',
  titles: {
    card: 'Kartenzahlung bestätigen',
    transfer: 'Überweisung bestätigen',
    onlineWallet: 'Wallet-Zahlung bestätigen',
  },
  amount: 'Betrag',
  description: 'Verwendungszweck',
  card: 'Karte',
  question: 'Möchten Sie diese Zahlung ausführen?',
  confirm: 'Bestätigen',
  refuse: 'Ablehnen',
  approved: 'Diese Zahlung ist bestätigt.',
  declined: 'Diese Zahlung wurde abgelehnt.',
  canceled: 'Der Shop hat diese Zahlung abgebrochen. Ihr Konto wurde nicht belastet.',
  back: 'Zurück zum Shop',
  unknownTitle: 'Diese Zahlung gibt es nicht',
  unknownText: 'Diese Adresse führt zu keiner Zahlung. Öffnen Sie den Link aus dem Shop noch einmal.',
  chooseAgain: 'Gehen Sie zurück und wählen Sie Bestätigen oder Ablehnen.',
  failedTitle: 'Das hat nicht geklappt',
  failedText: 'Bei der simulierten Bank ist etwas schiefgegangen. Versuchen Sie es gleich noch einmal.',
};

const ukrainian: Words = {
  bank: 'Симульований банк',
  notReal: 'Це симульований банк для тестів. Справжні гроші тут не переказуються.',
  titles: {
    card: 'Підтвердьте оплату карткою',
    transfer: 'Підтвердьте переказ',
    onlineWallet: 'Підтвердьте оплату гаманцем',
  },
  amount: 'Сума',
  description: 'Опис',
  card: 'Картка',
  question: 'Виконати цей платіж?',
  confirm: 'Підтвердити',
  refuse: 'Відхилити',
  approved: 'Цей платіж підтверджено.',
  declined: 'Цей платіж відхилено.',
  canceled: 'Магазин скасував цей платіж. Кошти не стягнуто.',
  back: 'Повернутися до магазину',
  unknownTitle: 'Такого платежу немає',
  unknownText: 'Ця адреса не веде до жодного платежу. Відкрийте посилання з магазину ще раз.',
  chooseAgain: 'Поверніться та виберіть Підтвердити або Відхилити.',
  failedTitle: 'Не вдалося',
  failedText: 'У симульованому банку щось пішло не так. Спробуйте ще раз за мить.',
};

export const words: Readonly<Record<Language, Words>> = {
  en: english,
  pl: polish,
  de: german,
  uk: ukrainian,
};

const locales: Readonly<Record<Language, string>> = { en: 'en-GB', pl: 'pl-PL', de: 'de-DE', uk: 'uk-UA' };

/** Longer than any real browser sends. */
const headerLengthAtMost = 200;

/** The supported language that the browser prefers; English by default. */
export function languageFrom(acceptLanguage: string | undefined): Language {
  const header = (acceptLanguage ?? '').slice(0, headerLengthAtMost);
  const wishes = header.split(',').flatMap((part) => {
    const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
    const language = /^(en|pl|de|uk)(-|$)/.exec(tag)?.[1];
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
  const format = new Intl.NumberFormat(locales[language], {
    style: 'currency',
    currency: amount.currency,
    useGrouping: 'always',
  });
  return format.format(decimalText(amount.minor) as Intl.StringNumericLiteral);
}
