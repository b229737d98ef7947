import type { Translation } from '../../../language/text.ts';
import type en from './words.en.ts';

export default {
  title: 'Strona płatności',
  about: 'Po czym rozpoznają Cię płatnicy i co do nich piszemy.',
  change: 'Zmień',
  saved: 'Zapisano.',
  color: 'Kolor',
  colorHint: 'Przycisków i linków, jako #rrggbb. Tekst pozostaje czytelny na każdym kolorze. Puste: zwykły.',
  chooseColor: 'Wybierz kolor',
  usual: 'zwykły',
  language: 'Język',
  languageHint: 'Dla płatników, których języka strona nie zna.',
  logo: 'Logo',
  logoHint: 'PNG, JPEG lub WebP, najwyżej 100 KiB i 2000 × 2000 pikseli.',
  chooseFile: 'Wybierz plik',
  forgetFile: 'Odrzuć plik',
  logoOf: 'Twoje logo',
  removeLogo: 'Usuń logo',
  embedOrigins: 'Strony, które mogą osadzić formularz płatności',
  embedOriginsHint:
    'Po jednym adresie w wierszu, na przykład https://sklep.example. Innym stronom przeglądarka odmówi.',
  cardUrl: 'Gdzie płatnicy zmieniają kartę',
  cardUrlHint:
    'Dla płatności cyklicznych: prowadzą tam wiadomości o nieudanych obciążeniach. {id} oznacza płatność cykliczną.',
  none: 'brak',
  mails: 'Wiadomości do płatników',
  paid: 'Płatność potwierdzona',
  charged: 'Pobrana płatność cykliczna',
  chargeFailed: 'Nieudana płatność cykliczna',
  refunded: 'Zwrot wypłacony',
  order: 'Zamówienie do zapłaty',
} satisfies Translation<typeof en>;
