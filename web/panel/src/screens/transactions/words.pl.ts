import type { Translation } from '../../language/text.ts';
import type en from './words.en.ts';

export default {
  about: 'Wszystkie płatności Twojego konta, od najnowszych. Godziny są w strefie czasowej konta.',
  list: 'Transakcje',
  all: 'Wszystkie transakcje',
  newPayment: 'Nowa płatność',
  search: 'Szukaj',
  searchHint: 'Tytuł, id, e-mail, oznaczenie lub kwota',
  method: 'Metoda',
  amountFrom: 'Kwota od',
  amountTo: 'Kwota do',
  created: 'Utworzono',
  paidAt: 'Opłacono',
  pending: 'Oczekuje',
  unpaid: 'Oczekuje, także po odrzuceniu',
  declined: 'Odrzucona',
  paid: 'Opłacona',
  partly: 'Częściowo zwrócona',
  refund: 'Zwrócona',
  canceled: 'Anulowana',
  empty: 'Nie ma jeszcze transakcji',
  emptyHint:
    'Utwórz płatność tutaj i wyślij link płatnikowi albo pozwól sklepowi utworzyć ją przez POST /transactions.',
  emptyReading: 'Płatności pojawią się tutaj, gdy tylko sklep je utworzy.',
  docs: 'Dokumentacja API',
  searchFurther: 'Szukaj w starszych',
  searchedTo: 'Przejrzano wszystko od {date}.',
  shown: {
    one: 'pokazano {count} transakcję',
    few: 'pokazano {count} transakcje',
    many: 'pokazano {count} transakcji',
    other: 'pokazano {count} transakcji',
  },
} satisfies Translation<typeof en>;
