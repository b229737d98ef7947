// The names of the payment channels by id.

import { type Language, useLanguage } from './text.ts';

const names: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  21: { en: 'Bank transfer', pl: 'Przelew' },
  53: { en: 'Card', pl: 'Karta' },
  64: { en: 'BLIK', pl: 'BLIK' },
  75: { en: 'Wallet', pl: 'Portfel w telefonie' },
  106: { en: 'Online wallet', pl: 'Portfel internetowy' },
};

export const channelIds = Object.keys(names);

/** The name of a channel, or its id. */
export function useChannelName(): (id: string | number) => string {
  const language = useLanguage();
  return (id) => names[id]?.[language] ?? String(id);
}
