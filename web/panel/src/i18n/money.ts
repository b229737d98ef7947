import { dictionary } from './text.ts';

export const moneyText = dictionary({
  balance: { en: 'Balance', pl: 'Saldo' },
  balanceHint: { en: 'Refunds are paid from it.', pl: 'Z niego wypłacane są zwroty.' },
  transit: { en: 'On its way to your bank account', pl: 'W drodze na Twój rachunek bankowy' },
  at: { en: 'As of {time}', pl: 'Stan na {time}' },
  ledgerAbout: {
    en: 'Everything that changed the balance. Amounts that you receive are positive.',
    pl: 'Wszystko, co zmieniło saldo. Wpływy są dodatnie.',
  },
  kind: { en: 'Kind', pl: 'Rodzaj' },
  payment: { en: 'Payment', pl: 'Płatność' },
  refund: { en: 'Refund', pl: 'Zwrot' },
  refund_returned: { en: 'Returned refund', pl: 'Cofnięty zwrot' },
  opening: { en: 'Opening balance', pl: 'Saldo początkowe' },
  other: { en: 'Other', pl: 'Inne' },
  time: { en: 'Time', pl: 'Czas' },
  fee: { en: 'Fee', pl: 'Prowizja' },
  commission: { en: 'Commission of the partner', pl: 'Prowizja partnera' },
  net: { en: 'Balance change', pl: 'Zmiana salda' },
  older: { en: 'Older', pl: 'Starsze' },
  newest: { en: 'Newest', pl: 'Najnowsze' },
  ledgerEmpty: { en: 'Nothing has moved the balance yet', pl: 'Nic jeszcze nie zmieniło salda' },
  ledgerEmptyHint: {
    en: 'The first payment shows here, with its fee, within seconds.',
    pl: 'Pierwsza płatność pojawi się tu wraz z prowizją w ciągu kilku sekund.',
  },
  toTransactions: { en: 'To the transactions', pl: 'Do transakcji' },
  quietDays: {
    en: {
      one: '{count} day on which nothing happened is left out; files have it.',
      other: '{count} days on which nothing happened are left out; files have them.',
    },
    pl: {
      one: 'Pominięto {count} dzień, w którym nic się nie działo; jest w pliku.',
      few: 'Pominięto {count} dni, w których nic się nie działo; są w pliku.',
      many: 'Pominięto {count} dni, w których nic się nie działo; są w pliku.',
      other: 'Pominięto {count} dnia, w których nic się nie działo; są w pliku.',
    },
  },
  quietMonths: {
    en: {
      one: '{count} month in which nothing happened is left out; files have it.',
      other: '{count} months in which nothing happened are left out; files have them.',
    },
    pl: {
      one: 'Pominięto {count} miesiąc, w którym nic się nie działo; jest w pliku.',
      few: 'Pominięto {count} miesiące, w których nic się nie działo; są w pliku.',
      many: 'Pominięto {count} miesięcy, w których nic się nie działo; są w pliku.',
      other: 'Pominięto {count} miesiąca, w których nic się nie działo; są w pliku.',
    },
  },
  statementsAbout: {
    en: 'Each row adds up from left to right: from the opening to the closing balance.',
    pl: 'Każdy wiersz sumuje się od lewej do prawej: od salda początkowego do końcowego.',
  },
  inCurrency: { en: 'Amounts in {currency}', pl: 'Kwoty w {currency}' },
  by: { en: 'One row for each', pl: 'Jeden wiersz na' },
  day: { en: 'Day', pl: 'Dzień' },
  month: { en: 'Month', pl: 'Miesiąc' },
  total: { en: 'Total', pl: 'Razem' },
  openingBalance: { en: 'Opening', pl: 'Początek' },
  payments: { en: 'Payments', pl: 'Płatności' },
  paymentFees: { en: 'Payment fees', pl: 'Prowizje od płatności' },
  refunds: { en: 'Refunds', pl: 'Zwroty' },
  refundFees: { en: 'Refund fees', pl: 'Prowizje od zwrotów' },
  refundsReturned: { en: 'Returned refunds', pl: 'Cofnięte zwroty' },
  commissions: { en: 'Commissions', pl: 'Prowizje partnera' },
  closing: { en: 'Closing', pl: 'Koniec' },
});

export const exportText = dictionary({
  export: { en: 'Export', pl: 'Eksportuj' },
  csv: { en: 'CSV, for spreadsheets', pl: 'CSV, do arkusza' },
  json: { en: 'JSON, for programs', pl: 'JSON, dla programów' },
  progress: { en: 'Export: {done} of {total} rows', pl: 'Eksport: {done} z {total} wierszy' },
  preparing: { en: 'Export: being prepared', pl: 'Eksport: w przygotowaniu' },
  soFar: {
    en: { one: 'Export: {count} row so far', other: 'Export: {count} rows so far' },
    pl: {
      one: 'Eksport: dotąd {count} wiersz',
      few: 'Eksport: dotąd {count} wiersze',
      many: 'Eksport: dotąd {count} wierszy',
      other: 'Eksport: dotąd {count} wiersza',
    },
  },
  cancel: { en: 'Cancel the export', pl: 'Przerwij eksport' },
  canceled: { en: 'The export is canceled.', pl: 'Eksport został przerwany.' },
  savedAll: { en: 'The file is saved.', pl: 'Plik został zapisany.' },
  saved: {
    en: { one: '{count} row is saved.', other: '{count} rows are saved.' },
    pl: {
      one: 'Zapisano {count} wiersz.',
      few: 'Zapisano {count} wiersze.',
      many: 'Zapisano {count} wierszy.',
      other: 'Zapisano {count} wiersza.',
    },
  },
});
