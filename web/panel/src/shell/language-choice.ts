// Changing the language before anybody is signed in.

import { createContext } from 'react';
import type { Language } from '../i18n/text.ts';

export const ChooseLanguage = createContext<(language: Language) => void>(() => undefined);
