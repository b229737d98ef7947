import type { Sentences } from '../../../../../contract/codes/message.ts';
import type { parkReasons } from '../../../../../contract/codes/parking.ts';

const kinds = { capture: 'obciążenie', refund: 'zwrot', payout: 'wypłata' } as const;

export default {
  other_amount: () => 'Bank podaje inną kwotę.',
  ended_contradicted: () => 'Bank zaprzecza sobie w sprawie zakończonej płatności.',
  no_result: () => 'Bank przez trzy dni nie podał wyniku.',
  not_confirmed: () => 'Bank nie potwierdził tego od 30 dni.',
  return_refused: () => 'Bank odmówił zwrotu.',
  key_missing: () => 'Nie można odszyfrować instrumentu: brakuje klucza sejfu.',
  paid_after_decline: () => 'Bank wypłacił zwrot, który wcześniej odrzucił.',
  not_written: () => 'Nie udało się zapisać wyniku.',
  settled_by_payment: () => 'W międzyczasie przejęła to płatność.',
  capture_not_booked: ({ bank }) => `Bank pobrał ${bank}; nie ma tego żadna nasza płatność.`,
  refund_not_booked: ({ bank }) => `Bank wypłacił płatnikowi ${bank}, choć nie zlecił tego żaden nasz zwrot.`,
  not_at_bank: ({ kind, ours }) => `W naszych księgach jest ${kinds[kind]} ${ours}; bank tego nie ma.`,
  amounts_differ: ({ kind, bank, ours }) => `Bank ma ${kinds[kind]} ${bank}; w naszych księgach jest ${ours}.`,
  other_charge: ({ bank }) => `Bank wypłacił zwrot ${bank} do innego obciążenia niż nasze, innemu płatnikowi.`,
  rows_missing: ({ kind, ours }) =>
    `${kinds[kind]} ${ours}: jest w księgach i w banku, ale brakuje wierszy na ten temat.`,
} satisfies Sentences<typeof parkReasons>;
