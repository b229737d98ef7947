import type { ParkReason } from '../../../../../contract/codes/parking.ts';
import { useSentence } from '../../language/sentences.ts';
import { parkReasonWords } from './sentences.ts';

/** Why a payment, a charge or a refund waits for the operator, in words. */
export function useParkReason(): (why: ParkReason | null) => string {
  const sentence = useSentence(parkReasonWords);
  return (why) => (why === null ? '' : sentence(why));
}
