// The conversation with the bank: what is asked of it, and what its responses, callbacks and lookups mean for a charge or
// for money that goes back. Rooms hand in their part: what they lock, the step after a result, what they write.
// Owns: charge, outgoing_refund.
// Guarantees: a key is committed before the first byte is sent and is found in one place; an approval counts only with
// the requested amount; "not found" only after the bank had time and was asked twice; what stays unresolved is parked for
// an operator, never guessed; captured money that nobody needs goes back. Charges and outgoing refunds are each sent,
// looked up, settled, parked and decided on one path, whatever they are for.
// Never: calls the bank inside a database transaction; knows what a transaction, a recurring payment or a refund is,
// except when it verifies what goes back: then its SQL joins the refund.
export { cancelAtBank, chargeAtBank, payerOf } from './ask.ts';
export type {
  Charge,
  ChargeRoom,
  ChargeState,
  LockedCharge,
  LockedRows,
  LookUpFacts,
  Settled,
  Settlement,
  SettlingCharge,
} from './charges/model.ts';
export { afterChargeResult, type ChargeFacts, type ChargeResult, type ChargeStep, isOpen } from './charges/rules.ts';
export { captureOf } from './charges/settle.ts';
export {
  blankCharge,
  chargeColumns,
  chargesDue,
  chargeTypes,
  insertCharges,
  insertPaymentCharges,
  type ListedCharge,
  listCharges,
  listParkedCharges,
  readJoinedCharge,
  updatePaymentsDue,
  updateWaitingDue,
} from './charges/store.ts';
export { confirmAmount, type Decision, DecisionFault } from './decision.ts';
export { type Banking, openBanking } from './open.ts';
export type {
  Change,
  NewOutgoing,
  Outgoing,
  OutgoingResult,
  OutgoingStep,
} from './outgoing/model.ts';
export { dueOutgoing, type OutgoingRefunds, openOutgoing, type Unsent } from './outgoing/open.ts';
export type { OutgoingMove, OutgoingPurpose } from './outgoing/purpose.ts';
export { afterComingBack, afterDoubt, hasEnded } from './outgoing/rules.ts';
export {
  cancelHeld,
  findRefusedWhy,
  insertOrRelease,
  insertOutgoing,
  isLostByDispute,
  listDisputed,
  listParked as listParkedOutgoing,
  lockUnallocated,
  withdrawUnsent,
} from './outgoing/store.ts';
export {
  listAllParked,
  openParking,
  type ParkedItem,
  type ParkedStep,
  type Parking,
  readParkedItem,
} from './parking.ts';
export {
  afterLook,
  type Finding,
  type Patience,
  readFinding,
} from './rules.ts';
export { listLeftBehind, listUnnamed } from './store/left-behind.ts';
export { verifyCharges, verifyOutgoing } from './verify.ts';
