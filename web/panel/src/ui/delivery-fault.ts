import { deliveryText } from '../i18n/delivery.ts';
import { useLanguage } from '../i18n/text.ts';

/** The code in words. One that is not known stays. */
export function useDeliveryWords(): (code: string) => string {
  const language = useLanguage();
  return (code) => deliveryText[code]?.[language] ?? code;
}

/** The code in words, followed by the code itself, for who searches for it. */
export function useDeliveryFault(): (code: string) => string {
  const words = useDeliveryWords();
  return (code) => (deliveryText[code] ? `${words(code)} (${code})` : code);
}
