import type { Language } from '../../../../contract/languages.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import { pl } from './pl.ts';
import { ru } from './ru.ts';
import { uk } from './uk.ts';
import type { Words } from './words.ts';

export type { Words } from './words.ts';

export const words: Readonly<Record<Language, Words>> = { pl, en, de, uk, fr, it, es, ru };
