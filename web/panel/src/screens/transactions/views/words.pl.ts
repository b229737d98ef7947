import type { Translation } from '../../../language/text.ts';
import type en from './words.en.ts';

export default {
  views: 'Zapisane widoki',
  save: 'Zapisz ten widok',
  saveHint: 'Zachowuje bieżące filtry, tylko dla Ciebie. Widok o tej samej nazwie zostanie zastąpiony.',
  name: 'Nazwa widoku',
  saved: 'Zapisano: {name}',
  change: 'Zmień widok {name}',
  rename: 'Zmień nazwę',
  delete: 'Usuń',
  deleted: 'Usunięto: {name}',
} satisfies Translation<typeof en>;
