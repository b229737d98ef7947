import type { Translation } from '../../language/text.ts';
import type en from './words.en.ts';

export default {
  balance: 'Saldo',
  balanceHint: 'Z niego wypłacane są zwroty.',
  transit: 'W drodze na Twój rachunek bankowy',
  owed: 'Twój dług',
  alsoOwed: 'z tego {amount} to Twój dług',
  noLongerOwed: 'z tego {amount} spłaciło Twój dług',
  owedHint: 'Spory zabrały więcej, niż było na saldzie. To, co wygrasz, najpierw go spłaca.',
  at: 'Stan na {time}',
  ledgerAbout: 'Wszystko, co zmieniło saldo. Wpływy są dodatnie.',
  kind: 'Rodzaj',
  payment: 'Płatność',
  refund: 'Zwrot',
  refund_returned: 'Cofnięty zwrot',
  dispute: 'Spór',
  dispute_returned: 'Spór wygrany',
  opening: 'Saldo początkowe',
  other: 'Inne',
  time: 'Czas',
  fee: 'Prowizja',
  commission: 'Prowizja partnera',
  net: 'Zmiana salda',
  ledgerEmpty: 'Nic jeszcze nie zmieniło salda',
  ledgerEmptyHint: 'Pierwsza płatność pojawi się tu wraz z prowizją w ciągu kilku sekund.',
  toTransactions: 'Do transakcji',
} satisfies Translation<typeof en>;
