// The cards of test mode: numbers and names of payment methods that stand for them. Pure.

export interface TestCard {
  readonly brand: 'visa' | 'mastercard';
  readonly last4: string;
  /** Declined on every charge. */
  readonly decline?: CardDecline;
  /** `unless set up`: not when it was saved for later use with authentication before. */
  readonly authentication?: 'always' | 'unless set up';
  /** Declined after the payer has authenticated. */
  readonly declineAfterwards?: CardDecline;
  /** What becomes of its refunds. */
  readonly refund?: 'pending' | 'fails later';
  readonly dispute?: 'fraudulent';
  /** Its money is available at once. */
  readonly availableAtOnce?: true;
}

export interface CardDecline {
  readonly code: string;
  readonly decline_code?: string;
}

const generic: CardDecline = { code: 'card_declined', decline_code: 'generic_decline' };
const funds: CardDecline = { code: 'card_declined', decline_code: 'insufficient_funds' };

const visas: Readonly<Record<string, Omit<TestCard, 'brand' | 'last4'>>> = {
  '4242424242424242': {},
  '4000056655665556': {},
  '4000006160000005': {},
  '4000000000000077': { availableAtOnce: true },
  '4000000000000002': { decline: generic },
  '4000000000009995': { decline: funds },
  '4000000000009987': { decline: { code: 'card_declined', decline_code: 'lost_card' } },
  '4000000000009979': { decline: { code: 'card_declined', decline_code: 'stolen_card' } },
  '4000000000000069': { decline: { code: 'expired_card', decline_code: 'expired_card' } },
  '4000000000000127': { decline: { code: 'incorrect_cvc', decline_code: 'incorrect_cvc' } },
  '4000000000000119': { decline: { code: 'processing_error', decline_code: 'processing_error' } },
  '4000000000000341': { decline: generic },
  '4000002500003155': { authentication: 'unless set up' },
  '4000002760003184': { authentication: 'always' },
  '4000008260003178': { authentication: 'always', declineAfterwards: funds },
  '4000000000000259': { dispute: 'fraudulent' },
  '4000000000007726': { refund: 'pending' },
  '4000000000005126': { refund: 'fails later' },
};

const names: Readonly<Record<string, string>> = {
  pm_card_visa: '4242424242424242',
  pm_card_visa_debit: '4000056655665556',
  pm_card_pl: '4000006160000005',
  pm_card_bypassPending: '4000000000000077',
  pm_card_chargeCustomerFail: '4000000000000341',
  pm_card_authenticationRequired: '4000002760003184',
  pm_card_authenticationRequiredOnSetup: '4000002500003155',
  pm_card_authenticationRequiredChargeDeclinedInsufficientFunds: '4000008260003178',
  pm_card_createDispute: '4000000000000259',
  pm_card_pendingRefund: '4000000000007726',
  pm_card_refundFail: '4000000000005126',
  ...bothNames('chargeDeclined', '4000000000000002'),
  ...bothNames('chargeDeclinedInsufficientFunds', '4000000000009995'),
  ...bothNames('chargeDeclinedLostCard', '4000000000009987'),
  ...bothNames('chargeDeclinedStolenCard', '4000000000009979'),
  ...bothNames('chargeDeclinedExpiredCard', '4000000000000069'),
  ...bothNames('chargeDeclinedIncorrectCvc', '4000000000000127'),
  ...bothNames('chargeDeclinedProcessingError', '4000000000000119'),
  pm_card_mastercard: '5555555555554444',
};

function bothNames(what: string, number: string): Record<string, string> {
  return { [`pm_card_${what}`]: number, [`pm_card_visa_${what}`]: number };
}

export function testCard(number: string): TestCard | undefined {
  const last4 = number.slice(-4);
  if (number === '5555555555554444') return { brand: 'mastercard', last4 };
  const visa = Object.hasOwn(visas, number) ? visas[number] : undefined;
  return visa && { brand: 'visa', last4, ...visa };
}

/** The card behind `pm_card_visa` and its like. */
export function namedCard(name: string): TestCard | undefined {
  const number = Object.hasOwn(names, name) ? names[name] : undefined;
  return number === undefined ? undefined : testCard(number);
}

export function isCardNumber(text: string): boolean {
  if (!/^\d{12,19}$/.test(text)) return false;
  let sum = 0;
  for (const [index, digit] of [...text].reverse().entries()) {
    const value = index % 2 === 0 ? Number(digit) : Number(digit) * 2;
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}

export const testCardInLiveMode: CardDecline = { code: 'card_declined', decline_code: 'live_mode_test_card' };
