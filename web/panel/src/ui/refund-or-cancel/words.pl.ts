import type { Translation } from '../../language/text.ts';
import type en from './words.en.ts';

export default {
  refundThis: 'Zwróć',
  cancelThis: 'Anuluj transakcję',
  cancelTitle: 'Anulować transakcję na {amount}?',
  cancelHint: 'Nie będzie można jej opłacić. Jeśli płatność jest w toku, pieniądze wrócą do płatnika.',
  cancelYes: 'Anuluj transakcję',
  canceledDone: 'Transakcja jest anulowana.',
} satisfies Translation<typeof en>;
