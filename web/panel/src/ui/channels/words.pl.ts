import type { Translation } from '../../language/text.ts';
import type en from './words.en.ts';

export default {
  transfer: 'Przelew',
  card: 'Karta',
  blik: 'BLIK',
  wallet: 'Portfel w telefonie',
  online_wallet: 'Portfel internetowy',
} satisfies Translation<typeof en>;
