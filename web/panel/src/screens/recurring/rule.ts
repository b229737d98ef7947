import { ruleInPolish } from '../../i18n/rules.ts';
import { useLanguage } from '../../i18n/text.ts';

/** A rule of the schedule in the user's language. */
export function useRule(): (rule: string) => string {
  const language = useLanguage();
  return (rule) => (language === 'pl' ? ruleInPolish(rule) : rule);
}
