import { disputeReasonText } from '../../../../contract/codes/dispute-reasons.ts';
import { useLanguage } from '../language/text.ts';

/** Why a payer disputes a payment. */
export function useDisputeReason(): (reason: string) => string {
  const language = useLanguage();
  return (reason) => disputeReasonText(language, reason);
}
