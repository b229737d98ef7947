import { dictionary } from './text.ts';

export const viewText = dictionary({
  views: { en: 'Saved views', pl: 'Zapisane widoki' },
  save: { en: 'Save this view', pl: 'Zapisz ten widok' },
  saveHint: {
    en: 'Keeps the filters as they are, for you only. A view of the same name is replaced.',
    pl: 'Zachowuje bieżące filtry, tylko dla Ciebie. Widok o tej samej nazwie zostanie zastąpiony.',
  },
  name: { en: 'Name of the view', pl: 'Nazwa widoku' },
  saved: { en: 'Saved: {name}', pl: 'Zapisano: {name}' },
  change: { en: 'Change the view {name}', pl: 'Zmień widok {name}' },
  rename: { en: 'Rename', pl: 'Zmień nazwę' },
  delete: { en: 'Delete', pl: 'Usuń' },
  deleted: { en: 'Deleted: {name}', pl: 'Usunięto: {name}' },
});
