import type { TranslationOf } from '../../../runtime/index.ts';
import type en from './words.en.ts';

export default {
  createdAt: 'Utworzono',
  paidAt: 'Opłacono',
  title: 'Tytuł',
  status: 'Status',
  amount: 'Kwota',
  amountPaid: 'Zapłacono',
  refunded: 'Zwrócono',
  currency: 'Waluta',
  description: 'Opis',
  hiddenDescription: 'Opis ukryty',
  payerEmail: 'E-mail',
  payerName: 'Nazwa',
  channel: 'Kanał',
  transaction: 'Transakcja',
  pending: 'Oczekuje',
  paid: 'Opłacona',
  refund: 'Zwrócona',
  canceled: 'Anulowana',
} satisfies TranslationOf<typeof en>;
