// The language and the time zone of everything on screen: the user's and the account's once they are known.

import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { sessionQuery } from '../api/session.ts';
import { ZoneContext } from '../language/format.ts';
import { guessedLanguage, rememberLanguage } from '../language/guess.ts';
import { type Language, LanguageContext } from '../language/text.ts';
import { ChooseLanguage } from './language-choice.ts';

export function Languages({ children }: { readonly children: ReactNode }) {
  const [chosen, choose] = useState<Language>(guessedLanguage);
  // Only looks at what the router has loaded.
  const { data: session } = useQuery({ ...sessionQuery, enabled: false });
  const language = session?.user.language ?? chosen;
  const browserZone = useMemo(() => Intl.DateTimeFormat().resolvedOptions().timeZone, []);
  useEffect(() => {
    rememberLanguage(language);
    choose(language);
  }, [language]);
  return (
    <LanguageContext value={language}>
      <ChooseLanguage value={choose}>
        <ZoneContext value={session?.account?.zone ?? browserZone}>{children}</ZoneContext>
      </ChooseLanguage>
    </LanguageContext>
  );
}
