import type { TranslationOf } from '../../runtime/index.ts';
import type en from './words.en.ts';

export default {
  from: 'Od',
  to: 'Do',
  opening: 'Saldo początkowe',
  payments: 'Płatności',
  paymentFees: 'Opłaty za płatności',
  refunds: 'Zwroty',
  refundFees: 'Opłaty za zwroty',
  refundsReturned: 'Zwroty cofnięte',
  commissions: 'Prowizje',
  disputes: 'Spory',
  other: 'Inne',
  closing: 'Saldo końcowe',
  paymentCount: 'Liczba płatności',
  refundCount: 'Liczba zwrotów',
} satisfies TranslationOf<typeof en>;
