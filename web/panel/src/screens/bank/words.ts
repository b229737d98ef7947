import { dictionary } from '../../language/text.ts';
import type en from './words.en.ts';

export const bankText = dictionary<typeof en>(import.meta.glob('./words.*.ts', { eager: true, import: 'default' }));
