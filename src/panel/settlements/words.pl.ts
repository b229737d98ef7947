import type { TranslationOf } from '../../runtime/index.ts';
import type en from './words.en.ts';

export default {
  date: 'Czas',
  kind: 'Rodzaj',
  amount: 'Kwota',
  fee: 'Opłata',
  commission: 'Prowizja',
  other: 'Inne',
  net: 'Netto',
  transactionId: 'Transakcja',
  transactionTitle: 'Tytuł',
  hiddenDescription: 'Ukryty opis',
  reference: 'Dotyczy',
  journalId: 'Zapis',
  payment: 'płatność',
  refund: 'zwrot',
  refund_returned: 'zwrot cofnięty',
  refund_came_back: 'zwrot wrócił',
  dispute: 'spór',
  dispute_returned: 'spór wygrany',
  opening: 'saldo początkowe',
  payout_created: 'wypłata',
  payout_returned: 'wypłata cofnięta',
  payout_sent_back: 'wypłata zwrócona przez bank',
  payout_paid_after_all: 'wypłata, którą bank jednak wykonał',
  payout_move_undone: 'korekta wypłaty',
} satisfies TranslationOf<typeof en>;
