import { dictionary } from './text.ts';

export const payPageText = dictionary({
  title: { en: 'Pay page', pl: 'Strona płatności' },
  about: {
    en: 'How payers recognize you, and what we write to them.',
    pl: 'Po czym rozpoznają Cię płatnicy i co do nich piszemy.',
  },
  change: { en: 'Change', pl: 'Zmień' },
  saved: { en: 'Saved.', pl: 'Zapisano.' },
  color: { en: 'Color', pl: 'Kolor' },
  colorHint: {
    en: 'Of buttons and links, as #rrggbb. Text stays readable on any color. Empty: the default.',
    pl: 'Przycisków i linków, jako #rrggbb. Tekst pozostaje czytelny na każdym kolorze. Puste: zwykły.',
  },
  chooseColor: { en: 'Choose a color', pl: 'Wybierz kolor' },
  usual: { en: 'default', pl: 'zwykły' },
  language: { en: 'Language', pl: 'Język' },
  languageHint: {
    en: 'For payers whose own language the page does not have.',
    pl: 'Dla płatników, których języka strona nie zna.',
  },
  logo: { en: 'Logo', pl: 'Logo' },
  logoHint: {
    en: 'PNG, JPEG or WebP, at most 100 KiB and 2,000 × 2,000 pixels.',
    pl: 'PNG, JPEG lub WebP, najwyżej 100 KiB i 2000 × 2000 pikseli.',
  },
  chooseFile: { en: 'Choose a file', pl: 'Wybierz plik' },
  forgetFile: { en: 'Forget the file', pl: 'Odrzuć plik' },
  logoOf: { en: 'Your logo', pl: 'Twoje logo' },
  removeLogo: { en: 'Remove the logo', pl: 'Usuń logo' },
  embedOrigins: { en: 'Pages that may embed the payment form', pl: 'Strony, które mogą osadzić formularz płatności' },
  embedOriginsHint: {
    en: 'One origin per line, such as https://shop.example. All other pages are refused by the browser.',
    pl: 'Po jednym adresie w wierszu, na przykład https://sklep.example. Innym stronom przeglądarka odmówi.',
  },
  cardUrl: { en: 'Where payers change their card', pl: 'Gdzie płatnicy zmieniają kartę' },
  cardUrlHint: {
    en: 'For recurring payments: mails about failed charges lead there. {id} stands for the recurring payment.',
    pl: 'Dla płatności cyklicznych: prowadzą tam wiadomości o nieudanych obciążeniach. {id} oznacza płatność cykliczną.',
  },
  none: { en: 'none', pl: 'brak' },
  mails: { en: 'Mails to payers', pl: 'Wiadomości do płatników' },
  paid: { en: 'Payment confirmed', pl: 'Płatność potwierdzona' },
  charged: { en: 'Recurring payment made', pl: 'Pobrana płatność cykliczna' },
  chargeFailed: { en: 'Recurring payment failed', pl: 'Nieudana płatność cykliczna' },
  refunded: { en: 'Refund paid out', pl: 'Zwrot wypłacony' },
  order: { en: 'Marketplace order to pay', pl: 'Zamówienie do zapłaty' },
});
