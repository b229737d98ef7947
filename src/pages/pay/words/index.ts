import type { Language } from '../../language.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { pl } from './pl.ts';
import { uk } from './uk.ts';
import type { Words } from './words.ts';

export type { MethodId, Words } from './words.ts';

export const words: Readonly<Record<Language, Words>> = { pl, en, de, uk };
