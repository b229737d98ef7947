// Words of every screen.

import { dictionary } from './text.ts';

export const commonText = dictionary({
  save: { en: 'Save', pl: 'Zapisz' },
  cancel: { en: 'Cancel', pl: 'Anuluj' },
  close: { en: 'Close', pl: 'Zamknij' },
  back: { en: 'Back', pl: 'Wstecz' },
  next: { en: 'Next', pl: 'Dalej' },
  retry: { en: 'Try again', pl: 'Spróbuj ponownie' },
  more: { en: 'Show more', pl: 'Pokaż więcej' },
  filter: { en: 'Filter', pl: 'Filtruj' },
  filters: { en: 'Filters', pl: 'Filtry' },
  clearFilters: { en: 'Clear filters', pl: 'Wyczyść filtry' },
  actions: { en: 'Actions', pl: 'Działania' },
  copy: { en: 'Copy', pl: 'Kopiuj' },
  copied: { en: 'Copied', pl: 'Skopiowano' },
  loading: { en: 'Loading', pl: 'Wczytywanie' },
  yes: { en: 'Yes', pl: 'Tak' },
  no: { en: 'No', pl: 'Nie' },
  never: { en: 'Never', pl: 'Nigdy' },
  all: { en: 'All', pl: 'Wszystkie' },
  email: { en: 'Email', pl: 'E-mail' },
  name: { en: 'Name', pl: 'Imię i nazwisko' },
  password: { en: 'Password', pl: 'Hasło' },
  done: { en: 'Done', pl: 'Gotowe' },
  failed: { en: 'That did not work', pl: 'To się nie udało' },
  offline: {
    en: 'The service could not be reached. Check your connection.',
    pl: 'Nie można połączyć się z usługą. Sprawdź połączenie.',
  },
  unexpected: {
    en: 'Something unexpected happened. Nothing was changed by this.',
    pl: 'Stało się coś nieoczekiwanego. Nic nie zostało przez to zmienione.',
  },
  requestId: { en: 'Request {id}', pl: 'Żądanie {id}' },
  notFound: { en: 'Not found', pl: 'Nie znaleziono' },
  notFoundHint: {
    en: 'There is nothing at this address, or it does not belong to your account.',
    pl: 'Pod tym adresem nic nie ma albo nie należy to do Twojego konta.',
  },
  toOverview: { en: 'Back to the start', pl: 'Wróć na początek' },
  screenFailed: { en: 'This screen could not be shown', pl: 'Nie udało się pokazać tego ekranu' },
  reload: { en: 'Reload', pl: 'Odśwież' },
  emptyHere: { en: 'Nothing here yet', pl: 'Jeszcze nic tu nie ma' },
});
