// What an account shows to payers, as options of `grosz merchant` and as it prints them.

import { languages } from '../../contract/languages.ts';
import type { MailSwitches, PayPageSettings } from '../accounts/index.ts';
import { StartFault } from '../runtime/index.ts';
import { type Invocation, optionText } from './command.ts';

/** Each mail with its name on the command line. */
const mails: Readonly<Record<keyof MailSwitches, string>> = {
  paid: 'paid',
  charged: 'charged',
  chargeFailed: 'charge-failed',
  refunded: 'refunded',
  order: 'order',
};

export const payerOptions = { language: { type: 'string' }, mails: { type: 'string' } } as const;

type Given = Partial<Pick<PayPageSettings, 'language' | 'mails'>>;

/** The given settings; undefined if there is none. */
export function readPayerSettings(invocation: Invocation): Given | undefined {
  const language = optionText(invocation, 'language');
  const wanted = optionText(invocation, 'mails');
  if (language === undefined && wanted === undefined) return undefined;
  return {
    ...(language !== undefined && { language: languageFrom(language) }),
    ...(wanted !== undefined && { mails: mailsFrom(wanted) }),
  };
}

function languageFrom(text: string): string | null {
  if (text === '') return null;
  const known = languages.find((language) => language === text);
  if (!known) throw new StartFault(`--language must be one of ${languages.join(', ')}, or empty for English.`);
  return known;
}

/** Those that are not named are switched off. */
function mailsFrom(text: string): MailSwitches {
  const names = text.split(',').filter(Boolean);
  const all = Object.values(mails);
  if (!names.every((name) => all.includes(name))) throw new StartFault(`--mails must be names from ${all.join(', ')}.`);
  const switches = Object.entries(mails).map(([mail, name]) => [mail, names.includes(name)]);
  return Object.fromEntries(switches);
}

export function serializePayerSettings({ language, mails: switches }: PayPageSettings): object {
  return { language, mails: Object.entries(mails).flatMap(([mail, name]) => (switches[mail as 'paid'] ? [name] : [])) };
}
