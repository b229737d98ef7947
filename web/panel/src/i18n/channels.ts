// The names of the payment channels by id.

import { channelIds as allChannels, type MethodName, methodNames, methods } from '../../../../contract/methods.ts';
import { type Language, useLanguage } from './text.ts';

const names: Readonly<Record<MethodName, Readonly<Record<Language, string>>>> = {
  transfer: { en: 'Bank transfer', pl: 'Przelew' },
  card: { en: 'Card', pl: 'Karta' },
  blik: { en: 'BLIK', pl: 'BLIK' },
  wallet: { en: 'Wallet', pl: 'Portfel w telefonie' },
  online_wallet: { en: 'Online wallet', pl: 'Portfel internetowy' },
};

export const channelIds = allChannels.map(String);

/** The name of a channel, or its id. */
export function useChannelName(): (id: string | number) => string {
  const language = useLanguage();
  return (id) => {
    const method = methodNames.find((one) => String(methods[one].id) === String(id));
    return method === undefined ? String(id) : names[method][language];
  };
}
