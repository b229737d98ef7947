import type { Translation } from './text.ts';
import type en from './words.en.ts';

export default {
  locale: 'pl-PL',
} satisfies Translation<typeof en>;
