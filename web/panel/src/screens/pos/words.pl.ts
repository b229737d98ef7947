import type { Translation } from '../../language/text.ts';
import type en from './words.en.ts';

export default {
  change: 'Zmień',
  saved: 'Zapisano.',
  name: 'Nazwa',
  url: 'Strona internetowa',
  notificationUrl: 'Adres powiadomień',
  notificationUrlHint: 'Dla transakcji, które nie podają własnego. W trybie produkcyjnym https. Puste: brak.',
  addressCleared: 'Zapisano. Transakcje bez własnego adresu nie będą już powiadamiane.',

  posAbout: 'Każdy sklep lub strona, która przyjmuje płatności. Zwykłe transakcje należą do głównego.',
  addPos: 'Dodaj punkt sprzedaży',
  posAdded: 'Punkt sprzedaży dodano.',
  main: 'Główny',
  posActive: 'Aktywny',
  posOff: 'Wyłączony',
  unverified: 'W trakcie sprawdzania',
  switchOff: 'Wyłącz',
  switchOn: 'Włącz',
  switchedOff: '{name}: wyłączono.',
  switchedOn: '{name}: aktywny.',
  newUrlHint: 'W trybie produkcyjnym operator sprawdza nową stronę, zanim przyjmie płatności.',
  created: 'Utworzono',
  actions: 'Działania',
} satisfies Translation<typeof en>;
