import type { Translation } from '../../../language/text.ts';
import type en from './words.en.ts';

export default {
  attempt: 'płatność',
  charge: 'obciążenie cykliczne',
  refund: 'zwrot',
  refund_returned: 'zwrot, który wrócił',
  surplus: 'nadpłata',
  capture: 'obciążenie bez płatności',
  payout: 'wypłata',
  payout_returned: 'wypłata, która wróciła',
  fee: 'opłaty',
  dispute_won: 'zwrot ze sporu',
  other_taken: 'inne pobranie',
  other_given: 'inny wpływ',
  dispute: 'spory',
  other: 'konto agenta',
  bank_line: 'nasz bank',
} satisfies Translation<typeof en>;
