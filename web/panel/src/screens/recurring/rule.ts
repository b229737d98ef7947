import { useLanguage } from '../../language/text.ts';
import { ruleInPolish } from './rules.ts';

/** A rule of the schedule in the user's language. */
export function useRule(): (rule: string) => string {
  const language = useLanguage();
  return (rule) => (language === 'pl' ? ruleInPolish(rule) : rule);
}
