import { deliveryText } from '../i18n/delivery.ts';
import { useLanguage } from '../i18n/text.ts';

/** The code in words, followed by the code itself, for who searches for it. One that is not known stays alone. */
export function useDeliveryFault(): (code: string) => string {
  const language = useLanguage();
  return (code) => {
    const words = deliveryText[code];
    return words ? `${words[language]} (${code})` : code;
  };
}
