import type { Translation } from '../../language/text.ts';
import type en from './words.en.ts';

export default {
  block: 'Zablokuj',
  unblock: 'Odblokuj',
  title: 'Zablokować {name}?',
  blocked: '{name}: zablokowano.',
  unblocked: '{name}: odblokowano.',
} satisfies Translation<typeof en>;
