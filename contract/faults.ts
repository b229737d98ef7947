// How the simulated bank misbehaves on purpose. Without schemas, so that the panel can import it in the browser.

export const faultNames = [
  /** The bank does what was asked, but its response is lost; the caller gets `unknown` at its deadline. */
  'lostAnswer',
  /** The first request of a key never arrives; the caller gets `unknown` at its deadline. */
  'lostRequest',
  /** A callback is sent twice, and one is sent even for an immediate result. */
  'duplicateCallback',
  /** A callback is `seconds` (3,600) late. */
  'lateCallback',
  /** A callback is delayed by up to `seconds` (90), so that later ones overtake it. */
  'reorderedCallbacks',
  /** A cancel returns `canceled`, but the charge captures `seconds` (5) later. */
  'successAfterCancel',
  /** A response takes `seconds` (3). */
  'slow',
  /** Starting with its first request, nothing about a key reaches the bank for `seconds` (60). */
  'unreachable',
  /** An approval reports a different amount than was captured; `find` returns the true one. */
  'wrongAmount',
  /** A refund returns `waiting`; its result comes by callback `seconds` (60) later. */
  'waitingRefund',
  /** The bank declines a refund that it could make. */
  'refusedRefund',
  /** A refund that was made comes back `seconds` (259,200: three days) later. */
  'returnedRefund',
  /** A payout to us comes back `seconds` (172,800: two days) later, without what was kept of it. */
  'returnedPayout',
  /** The statement has a fee for each capture: 1.4 % and 0.25. */
  'chargeFee',
  /** The statement has a fee of 1.00 for each payout to us, of no charge. */
  'payoutFee',
  /**
   * What is left of a capture is disputed `seconds` (86,400: a day) later, for a fee of 15.00. As long after that it is won,
   * lost, or open still.
   */
  'disputedCharge',
  /** The statement has another line `seconds` (3,600) after a capture: something held back, or given. */
  'otherLine',
] as const;
export type FaultName = (typeof faultNames)[number];
