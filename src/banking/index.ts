// The conversation with the bank: what its responses, callbacks and lookups mean for a payment, a recurring charge or a
// refund.
// Guarantees: an approval counts only with the requested amount; "not found" only after the bank had time and was asked
// twice; what stays unresolved is parked for an operator, never guessed.
// Never: writes a table. Each room passes in its own rows.
export { cancelAtBank, chargeAtBank } from './ask.ts';
export { afterChargeResult, type ChargeFacts, type ChargeResult, type ChargeStep } from './charge-rules.ts';
export { type Decision, DecisionFault, decidedResult } from './decision.ts';
export { askDue, lookUpCharge } from './look-up.ts';
export { openParking, type ParkedItem, type Parking, readParkedItem } from './parking.ts';
export {
  type Approval,
  afterLook,
  type Finding,
  judgeAmount,
  type LookReason,
  learnedOf,
  lookDelay,
  otherAmountWhy,
  type Park,
  type Patience,
  parkIfOld,
  readFinding,
} from './rules.ts';
