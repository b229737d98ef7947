import { dictionary } from './text.ts';
import type en from './words.en.ts';

export const languageText = dictionary<typeof en>(import.meta.glob('./words.*.ts', { eager: true, import: 'default' }));
