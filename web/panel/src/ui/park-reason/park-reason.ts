import type { ParkReason, UnresolvedCode } from '../../../../../contract/codes/parking.ts';
import { useSentence } from '../../language/sentences.ts';
import { parkReasonWords } from './sentences.ts';

/** Why a payment, a charge or a refund waits for the operator, by its code. */
export function useParkReason(): (code: string | null) => string {
  const sentence = useSentence(parkReasonWords);
  return (code) => (code === null ? '' : sentence({ code: code as UnresolvedCode, parameters: {} } as ParkReason));
}
