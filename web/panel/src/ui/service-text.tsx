import { serviceInPolish } from '../i18n/service.ts';
import { useLanguage } from '../i18n/text.ts';

/** What the service writes in English, in the user's language where it is known. */
export function ServiceText({ text }: { readonly text: string }) {
  const language = useLanguage();
  const polish = language === 'pl' ? serviceInPolish(text) : undefined;
  return <span lang={polish === undefined ? 'en' : language}>{polish ?? text}</span>;
}
