import type { TranslationOf } from '../../runtime/index.ts';
import type en from './words.en.ts';

export default {
  time: 'Czas',
  kind: 'Rodzaj',
  amount: 'Kwota',
  fee: 'Opłata',
  commission: 'Prowizja',
  otherAmount: 'Inne',
  net: 'Netto',
  title: 'Tytuł',
  hiddenDescription: 'Opis ukryty',
  transaction: 'Transakcja',
  journal: 'Zapis',
  reason: 'Powód sporu',
  payment: 'płatność',
  refund: 'zwrot',
  refund_returned: 'zwrot cofnięty',
  dispute: 'spór',
  dispute_returned: 'spór wygrany',
  opening: 'otwarcie',
  other: 'inne',
} satisfies TranslationOf<typeof en>;
