import { wordsBeside } from '../../runtime/index.ts';
import type en from './words.en.ts';

export const settlementFileWords = await wordsBeside<typeof en>(import.meta.url);
