// Words of lists and of what can be taken back.

import { dictionary } from './text.ts';

export const listText = dictionary({
  pages: { en: 'Pages', pl: 'Strony' },
  total: {
    en: { one: '{count} entry', other: '{count} entries' },
    pl: { one: '{count} pozycja', few: '{count} pozycje', many: '{count} pozycji', other: '{count} pozycji' },
  },
  pageOf: { en: 'page {page} of {last}', pl: 'strona {page} z {last}' },
  previous: { en: 'Previous', pl: 'Poprzednia' },
  next: { en: 'Next', pl: 'Następna' },
  newest: { en: 'Newest', pl: 'Najnowsze' },
  older: { en: 'Older', pl: 'Starsze' },
  from: { en: 'From', pl: 'Od' },
  to: { en: 'To', pl: 'Do' },
  status: { en: 'Status', pl: 'Status' },
  amount: { en: 'Amount', pl: 'Kwota' },
  date: { en: 'Date', pl: 'Data' },
  id: { en: 'Id', pl: 'Identyfikator' },
  payer: { en: 'Payer', pl: 'Płatnik' },
  payerEmail: { en: 'Email of the payer', pl: 'E-mail płatnika' },
  transaction: { en: 'Transaction', pl: 'Transakcja' },
  description: { en: 'Description', pl: 'Opis' },
  undo: { en: 'Undo', pl: 'Cofnij' },
  nothingMatches: { en: 'Nothing matches these filters', pl: 'Nic nie pasuje do filtrów' },
  nothingMatchesHint: {
    en: 'Change or clear them to see more.',
    pl: 'Zmień je lub wyczyść, aby zobaczyć więcej.',
  },
});
