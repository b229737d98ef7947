import type { Translation } from '../../../language/text.ts';
import type en from './words.en.ts';

export default {
  about: 'Tworzy link, pod którym płatnik wybiera sposób płatności. Wyślij go e-mailem lub pokaż kod QR.',
  payment: 'Płatność',
  amountIn: 'Kwota w {currency}',
  notAmount: 'Wpisz kwotę, na przykład 12,50.',
  descriptionHint: 'Zobaczy to płatnik.',
  reference: 'Twoje oznaczenie',
  referenceHint: 'Tylko dla Ciebie. Można po nim szukać.',
  payerName: 'Imię i nazwisko płatnika',
  optional: 'Opcjonalnie',
  create: 'Utwórz link do płatności',
  ready: 'Link do płatności jest gotowy',
  link: 'Link do płatności',
  linkAbout: 'Każdy, kto ma ten link, może zapłacić {amount}.',
  qr: 'Kod QR linku do płatności',
  copyLink: 'Kopiuj link',
  mail: 'Wyślij e-mailem',
  mailSubject: 'Płatność: {description}',
  mailBody: 'Prosimy o zapłatę {amount} za „{description}” tutaj:',
  open: 'Otwórz stronę płatności',
  toTransaction: 'Do transakcji',
  another: 'Kolejna płatność',
} satisfies Translation<typeof en>;
