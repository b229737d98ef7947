import { useLanguage } from '../../language/text.ts';
import { serviceInPolish } from './service.ts';

/** What the service writes in English, in the user's language where it is known. */
export function ServiceText({ text }: { readonly text: string }) {
  const language = useLanguage();
  const polish = language === 'pl' ? serviceInPolish(text) : undefined;
  return <span lang={polish === undefined ? 'en' : language}>{polish ?? text}</span>;
}
