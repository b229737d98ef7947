import { dictionary } from './text.ts';

export const refundOrCancelText = dictionary({
  refundThis: { en: 'Refund', pl: 'Zwróć' },
  cancelThis: { en: 'Cancel transaction', pl: 'Anuluj transakcję' },
  cancelTitle: { en: 'Cancel the transaction of {amount}?', pl: 'Anulować transakcję na {amount}?' },
  cancelHint: {
    en: 'It can then no longer be paid. If a payment is in progress, its money goes back to the payer.',
    pl: 'Nie będzie można jej opłacić. Jeśli płatność jest w toku, pieniądze wrócą do płatnika.',
  },
  cancelYes: { en: 'Cancel the transaction', pl: 'Anuluj transakcję' },
  canceledDone: { en: 'The transaction is canceled.', pl: 'Transakcja jest anulowana.' },
});
