import type { Translation } from '../../language/text.ts';
import type en from './words.en.ts';

export default {
  no_funds: 'bank ma teraz za mało Twoich pieniędzy; późniejszy zwrot może się udać',
  already_refunded: 'płatność została już zwrócona',
  disputed: 'płatnik kwestionuje płatność i w ten sposób odzyska pieniądze',
  too_late: 'płatność jest za stara, aby ją zwrócić',
  refused: 'bank nie podał powodu',
} satisfies Translation<typeof en>;
