// Changing the language before anybody is signed in.

import { createContext } from 'react';
import type { Language } from '../language/text.ts';

export const ChooseLanguage = createContext<(language: Language) => void>(() => undefined);
