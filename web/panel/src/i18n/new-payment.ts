import { dictionary } from './text.ts';

export const newPaymentText = dictionary({
  about: {
    en: 'Makes a link where the payer chooses how to pay. Send it by mail or show the QR code.',
    pl: 'Tworzy link, pod którym płatnik wybiera sposób płatności. Wyślij go e-mailem lub pokaż kod QR.',
  },
  payment: { en: 'Payment', pl: 'Płatność' },
  amountIn: { en: 'Amount in {currency}', pl: 'Kwota w {currency}' },
  notAmount: { en: 'Enter an amount such as 12.50.', pl: 'Wpisz kwotę, na przykład 12,50.' },
  descriptionHint: { en: 'The payer sees it.', pl: 'Zobaczy to płatnik.' },
  reference: { en: 'Your reference', pl: 'Twoje oznaczenie' },
  referenceHint: { en: 'Only you see it. You can search for it.', pl: 'Tylko dla Ciebie. Można po nim szukać.' },
  payerName: { en: 'Name of the payer', pl: 'Imię i nazwisko płatnika' },
  optional: { en: 'Optional', pl: 'Opcjonalnie' },
  create: { en: 'Create the payment link', pl: 'Utwórz link do płatności' },
  ready: { en: 'The payment link is ready', pl: 'Link do płatności jest gotowy' },
  link: { en: 'Payment link', pl: 'Link do płatności' },
  linkAbout: {
    en: 'Whoever has this link can pay {amount}.',
    pl: 'Każdy, kto ma ten link, może zapłacić {amount}.',
  },
  qr: { en: 'QR code of the payment link', pl: 'Kod QR linku do płatności' },
  copyLink: { en: 'Copy the link', pl: 'Kopiuj link' },
  mail: { en: 'Send by mail', pl: 'Wyślij e-mailem' },
  mailSubject: { en: 'Payment: {description}', pl: 'Płatność: {description}' },
  mailBody: {
    en: 'Please pay {amount} for “{description}” here:',
    pl: 'Prosimy o zapłatę {amount} za „{description}” tutaj:',
  },
  open: { en: 'Open the pay page', pl: 'Otwórz stronę płatności' },
  toTransaction: { en: 'To the transaction', pl: 'Do transakcji' },
  another: { en: 'Another payment', pl: 'Kolejna płatność' },
});
