import { useKnown } from '../../language/text.ts';
import { deliveryText } from './words.ts';

/** The code in words. One that is not known stays. */
export function useDeliveryWords(): (code: string) => string {
  const known = useKnown(deliveryText);
  return (code) => known(code) ?? code;
}

/** The code in words, followed by the code itself, for who searches for it. */
export function useDeliveryFault(): (code: string) => string {
  const known = useKnown(deliveryText);
  return (code) => {
    const words = known(code);
    return words === undefined ? code : `${words} (${code})`;
  };
}
