import { dictionary } from './text.ts';

export const transactionText = dictionary({
  about: {
    en: 'Every payment of your account, newest first. Times are in the account’s time zone.',
    pl: 'Wszystkie płatności Twojego konta, od najnowszych. Godziny są w strefie czasowej konta.',
  },
  list: { en: 'Transactions', pl: 'Transakcje' },
  all: { en: 'All transactions', pl: 'Wszystkie transakcje' },
  newPayment: { en: 'New payment', pl: 'Nowa płatność' },
  search: { en: 'Search', pl: 'Szukaj' },
  searchHint: { en: 'Title, id, email, reference or amount', pl: 'Tytuł, id, e-mail, oznaczenie lub kwota' },
  method: { en: 'Method', pl: 'Metoda' },
  amountFrom: { en: 'Amount from', pl: 'Kwota od' },
  amountTo: { en: 'Amount to', pl: 'Kwota do' },
  created: { en: 'Created', pl: 'Utworzono' },
  paidAt: { en: 'Paid', pl: 'Opłacono' },
  pending: { en: 'Waiting', pl: 'Oczekuje' },
  unpaid: { en: 'Waiting, also after a decline', pl: 'Oczekuje, także po odrzuceniu' },
  declined: { en: 'Declined', pl: 'Odrzucona' },
  paid: { en: 'Paid', pl: 'Opłacona' },
  partly: { en: 'Partly refunded', pl: 'Częściowo zwrócona' },
  refund: { en: 'Refunded', pl: 'Zwrócona' },
  canceled: { en: 'Canceled', pl: 'Anulowana' },
  empty: { en: 'No transactions yet', pl: 'Nie ma jeszcze transakcji' },
  emptyHint: {
    en: 'Create a payment here and send its link to the payer, or let your shop create it with POST /transactions.',
    pl: 'Utwórz płatność tutaj i wyślij link płatnikowi albo pozwól sklepowi utworzyć ją przez POST /transactions.',
  },
  emptyReading: {
    en: 'Payments appear here as soon as the shop creates them.',
    pl: 'Płatności pojawią się tutaj, gdy tylko sklep je utworzy.',
  },
  docs: { en: 'API reference', pl: 'Dokumentacja API' },
  searchFurther: { en: 'Search older ones', pl: 'Szukaj w starszych' },
  searchedTo: {
    en: 'Looked through everything since {date}.',
    pl: 'Przejrzano wszystko od {date}.',
  },
  shown: {
    en: { one: '{count} transaction shown', other: '{count} transactions shown' },
    pl: {
      one: 'pokazano {count} transakcję',
      few: 'pokazano {count} transakcje',
      many: 'pokazano {count} transakcji',
      other: 'pokazano {count} transakcji',
    },
  },
});
