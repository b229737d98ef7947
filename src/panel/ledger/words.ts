import { wordsBeside } from '../../runtime/index.ts';
import type en from './words.en.ts';

export const ledgerFileWords = await wordsBeside<typeof en>(import.meta.url);
