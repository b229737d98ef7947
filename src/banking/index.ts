// The conversation with the bank: what its responses, callbacks and lookups mean for a payment, a recurring charge or
// money that goes back.
// Owns: outgoing_refund.
// Guarantees: an approval counts only with the requested amount; "not found" only after the bank had time and was asked
// twice; what stays unresolved is parked for an operator, never guessed. What goes back has one key forever, committed
// before the bank is asked, and is sent, looked up, settled, parked and decided on one path, whatever it is for.
// Never: knows what a charge or an outgoing refund is for. The room that owns that hands in what differs.
export { cancelAtBank, chargeAtBank } from './ask.ts';
export { afterChargeResult, type ChargeFacts, type ChargeResult, type ChargeStep } from './charge-rules.ts';
export { type Decision, DecisionFault, decidedResult } from './decision.ts';
export { askDue, lookUpCharge } from './look-up.ts';
export type {
  Change,
  NewOutgoing,
  Outgoing,
  OutgoingResult,
  OutgoingState,
  OutgoingStep,
} from './outgoing/model.ts';
export { dueOutgoing, type OutgoingRefunds, openOutgoing, verifyOutgoing } from './outgoing/open.ts';
export type { OutgoingMove, OutgoingPurpose } from './outgoing/purpose.ts';
export { afterDoubt, hasEnded } from './outgoing/rules.ts';
export {
  cancelHeld,
  insertOrRelease,
  insertOutgoing,
  listParked as listParkedOutgoing,
  lockUnallocated,
} from './outgoing/store.ts';
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
