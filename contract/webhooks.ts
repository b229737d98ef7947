// The notifications that the service sends, as OpenAPI webhooks: their fields, an example of each kind, and the response
// that confirms them (docs/api.md#notifications).

import { described } from './describe.ts';
import { shownMethod } from './methods.ts';
import { payoutReasonCodes, payoutStates } from './payouts.ts';
import { failureReasons, paymentStatuses } from './recurring.ts';
import { localTimePattern, nullable, optional, type TSchema, Type } from './schema.ts';

const amountText = (description: string) => Type.String({ pattern: '^\\d+\\.\\d{2}$', description });
const said = (description: string) => Type.String({ description });
const closed = { additionalProperties: false } as const;

const merchantId = said('The id of your account.');
const wallTime = (description: string) => Type.String({ pattern: localTimePattern, description });

/** Values of a form are texts. */
export const TransactionNotification = Type.Object(
  {
    id: Type.String({ pattern: '^\\d+$', description: 'The merchant number of your account.' }),
    tr_id: said('The title of the transaction.'),
    tr_date: wallTime('When the transaction was created, in local time of the account.'),
    tr_crc: said('`hiddenDescription` of the transaction.'),
    tr_amount: amountText('The amount of the transaction.'),
    tr_paid: amountText('What was paid.'),
    tr_desc: said('`description` of the transaction.'),
    tr_status: Type.Enum(['TRUE', 'FALSE', 'CHARGEBACK'], {
      description:
        'TRUE: paid. CHARGEBACK: refunded in full. FALSE: declined, and nothing more can follow; or, if your account has ' +
        'notifications of declined attempts, one attempt was declined.',
    }),
    tr_error: said('Why an attempt was declined, such as `wrong_code` (see the guide); otherwise `none`.'),
    tr_email: said('Email address of the payer.'),
    test_mode: Type.Enum(['0', '1'], { description: '1: no real money moved.' }),
    tr_channel: said('The payment channel; empty if none was used.'),
    md5sum: said('MD5 of `id`, `tr_id`, `tr_amount`, `tr_crc` and your security code, as hex.'),
    card_token: optional(said('Only if the card was saved: its token for later payments.')),
    token_expiry_date: optional(said('Expiry of the saved card, MMYY.')),
    card_tail: optional(said('Last four digits of the saved card.')),
    card_brand: optional(said('Brand of the saved card.')),
  },
  closed,
);

export const RecurringNotification = Type.Object(
  {
    recurringId: said('The id of the recurring payment.'),
    transactionId: said('The id of the transaction of this attempt.'),
    hiddenDescription: nullable(said('`hiddenDescription` of the recurring payment.')),
    iterationCount: Type.Integer({ description: 'The number of the charge, from 1.' }),
    iterationAttemptCount: Type.Integer({ description: 'The number of the attempt of this charge, from 1.' }),
    status: Type.Enum([...paymentStatuses], { description: 'What became of the attempt.' }),
    nextChargeDate: nullable(said('The next charge or retry, ISO 8601 with offset; null if nothing follows.')),
    reason: nullable(Type.Enum([...failureReasons], { description: 'Why it failed; null if it did not.' })),
    merchantId,
  },
  closed,
);

export const MarketplaceNotification = Type.Object(
  {
    type: Type.Literal('marketplace_transaction', { description: 'The kind of notification.' }),
    data: Type.Object(
      {
        transactionId: said('The id of the transaction.'),
        transactionTitle: said('Its title.'),
        transactionAmount: amountText('Its amount.'),
        transactionPaidAmount: amountText('What was paid.'),
        transactionStatus: said('Its status: paid.'),
        transactionHiddenDescription: nullable(said('`hiddenDescription` of the transaction.')),
        payerEmail: said('Email address of the payer.'),
        transactionDate: wallTime('When it was created, in local time of the account.'),
        transactionDescription: said('`description` of the transaction.'),
      },
      { ...closed, description: 'The transaction.' },
    ),
    merchantId,
  },
  closed,
);

export const RefundEvent = Type.Object(
  {
    type: Type.Literal('refund', { description: 'The kind of event.' }),
    data: Type.Object(
      {
        refundId: said('The id of the refund.'),
        transactionId: said('The id of its transaction.'),
        transactionTitle: said('The title of its transaction.'),
        refundStatus: said('The new status of the refund.'),
        refundAmount: amountText('The amount of the refund.'),
        refundCurrency: said('Its currency.'),
        refundDate: wallTime('When the status changed, in local time of the account.'),
      },
      { ...closed, description: 'The refund.' },
    ),
    merchantId,
  },
  closed,
);

export const DisputeEvent = Type.Object(
  {
    type: Type.Literal('dispute', { description: 'The kind of event.' }),
    data: Type.Object(
      {
        disputeId: said('The id of the dispute.'),
        transactionId: said('The id of its transaction.'),
        transactionTitle: said('The title of its transaction.'),
        disputeStatus: Type.Enum(['opened', 'won', 'lost'], { description: 'What it is now.' }),
        disputeAmount: amountText('What is disputed.'),
        disputeReturned: amountText('Of that, what was given back because it was won.'),
        disputeCurrency: said('The currency.'),
        disputeReason: said('Why, in the words of the acquirer; empty if it has not said so.'),
        respondUntil: nullable(wallTime('Until when evidence is taken, in local time of the account.')),
        disputeDate: wallTime('When it changed, in local time of the account.'),
      },
      { ...closed, description: 'The dispute.' },
    ),
    merchantId,
  },
  closed,
);

const signedText = (description: string) => Type.String({ pattern: '^-?\\d+\\.\\d{2}$', description });

export const SettlementNotification = Type.Object(
  {
    type: Type.Literal('settlement', { description: 'The kind of notification.' }),
    data: Type.Object(
      {
        settlementId: said('The id of the settlement: its lines are at `GET /settlements/{settlementId}/lines`.'),
        settlementNumber: Type.Integer({ minimum: 1, description: 'Its number, from 1 without gaps.' }),
        payoutId: nullable(said('The payout that it explains; null if there is none.')),
        settlementOpening: signedText('The balance that the settlement before it ended with.'),
        settlementClosing: signedText('The balance that it ends with.'),
        settlementCurrency: said('The currency.'),
        settlementLines: Type.Integer({ minimum: 1, description: 'How many lines it has.' }),
        settlementDate: wallTime('When it was made, in local time of the account.'),
      },
      { ...closed, description: 'The settlement.' },
    ),
    merchantId,
  },
  closed,
);

export const PayoutNotification = Type.Object(
  {
    type: Type.Literal('payout', { description: 'The kind of notification.' }),
    data: Type.Object(
      {
        payoutId: said('The id of the payout: it is at `GET /payouts/{payoutId}`.'),
        payoutStatus: Type.Enum([...payoutStates], { description: 'The status that it has got.' }),
        payoutAmount: said('What the bank transfers, with two decimal places.'),
        payoutFee: said('What it costs.'),
        payoutCurrency: said('The currency.'),
        payoutOnDemand: Type.Boolean({ description: 'Whether you asked for it.' }),
        payoutBankAccount: said('The last four characters of the number to which it goes.'),
        payoutReason: nullable(Type.Enum([...payoutReasonCodes], { description: 'Why it ended; null: it has not.' })),
        payoutBankCode: nullable(said('The code of the bank, if it gave one.')),
        payoutDate: wallTime('When it got this status, in local time of the account.'),
      },
      { ...closed, description: 'The payout.' },
    ),
    merchantId,
  },
  closed,
);

const account = '01K9Z4M7Q1T4W7A0B2C5E8F9GH';
const paid = {
  id: '100001',
  tr_id: 'TR-7X2M-Q4K9ZP1',
  tr_date: '2026-11-15 12:30:00',
  tr_crc: 'order-1024',
  tr_amount: '123.45',
  tr_paid: '123.45',
  tr_desc: 'Order 1024',
  tr_status: 'TRUE',
  tr_error: 'none',
  tr_email: 'jan.nowak@example.com',
  test_mode: '1',
  tr_channel: shownMethod('blik').channelId,
  md5sum: '1a79a4d60de6718e8e5b326e338ae533',
};
const savedCard = {
  card_token: 'ct_Zk3v5mW0b1Jt8qYxR2uN7c',
  token_expiry_date: '1230',
  card_tail: '1111',
  card_brand: 'Visa',
};
const charged = {
  recurringId: '01K9Z4M7Q2V5X8B1C3D6F9G0HJ',
  transactionId: '01K9Z4M7Q3W6Y9C2D4E7G0H1JK',
  hiddenDescription: 'subscription-77',
  iterationCount: 2,
  iterationAttemptCount: 1,
  status: 'correct',
  nextChargeDate: '2027-01-31T10:00:00+01:00',
  reason: null,
  merchantId: account,
};

const paidMarket = {
  type: 'marketplace_transaction',
  data: {
    transactionId: '01K9Z4M7Q2V5X8B1C3D6F9G0HJ',
    transactionTitle: 'TR-7X2M-Q4K9ZP1',
    transactionAmount: '123.00',
    transactionPaidAmount: '123.00',
    transactionStatus: 'paid',
    transactionHiddenDescription: 'order-1024',
    payerEmail: 'jan.nowak@example.com',
    transactionDate: '2026-11-15 12:30:00',
    transactionDescription: 'Order 1024',
  },
  merchantId: account,
};

const movedRefund = {
  type: 'refund',
  data: {
    refundId: '01K9Z5A3R4W7Y0Z2B4D6F8H1JK',
    transactionId: '01K9Z4M7Q2V5X8B1C3D6F9G0HJ',
    transactionTitle: 'TR-7X2M-Q4K9ZP1',
    refundStatus: 'Done',
    refundAmount: '30.00',
    refundCurrency: 'PLN',
    refundDate: '2026-11-16 09:15:20',
  },
  merchantId: account,
};

const openedDispute = {
  type: 'dispute',
  data: {
    disputeId: '01K9Z5D8T6Y9A2C4E6G8J0L2NQ',
    transactionId: '01K9Z4M7Q2V5X8B1C3D6F9G0HJ',
    transactionTitle: 'TR-7X2M-Q4K9ZP1',
    disputeStatus: 'opened',
    disputeAmount: '49.90',
    disputeReturned: '0.00',
    disputeCurrency: 'PLN',
    disputeReason: 'product_not_received',
    respondUntil: '2026-11-30 23:59:59',
    disputeDate: '2026-11-18 09:15:20',
  },
  merchantId: account,
};

const madeSettlement = {
  type: 'settlement',
  data: {
    settlementId: '01K9Z4M7Q2V5X8B1C3D6F9G0HS',
    settlementNumber: 7,
    payoutId: null,
    settlementOpening: '1040.50',
    settlementClosing: '1247.35',
    settlementCurrency: 'PLN',
    settlementLines: 2,
    settlementDate: '2026-12-01 13:00:02',
  },
  merchantId: account,
};

const returnedPayout = {
  type: 'payout',
  data: {
    payoutId: '01K9Z4M7Q2V5X8B1C3D6F9G0HP',
    payoutStatus: 'returned',
    payoutAmount: '1040.50',
    payoutFee: '0.00',
    payoutCurrency: 'PLN',
    payoutOnDemand: false,
    payoutBankAccount: '2874',
    payoutReason: 'returned_by_bank',
    payoutBankCode: 'AC04',
    payoutDate: '2026-11-23 18:05:00',
  },
  merchantId: account,
};

export interface Webhook {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly contentType: string;
  readonly schema: TSchema;
  readonly examples: Readonly<Record<string, { readonly summary: string; readonly value: object }>>;
  /** What a receiver responds with; nothing for events that are only read. */
  readonly confirms: readonly string[];
}

const json = 'application/json';
const sent = 'Signed and retried as the guide says under Notifications.';

export const webhooks: readonly Webhook[] = [
  {
    name: 'transaction',
    summary: 'Transaction notification',
    description: `A transaction is paid, declined for good or refunded. Sent to \`callbacks.notification.url\`, or to the URL of your point of sale. ${sent}`,
    contentType: 'application/x-www-form-urlencoded',
    schema: TransactionNotification,
    examples: {
      paid: { summary: 'Paid', value: paid },
      savedCard: {
        summary: 'Paid, and the card was saved',
        value: { ...paid, tr_channel: shownMethod('card').channelId, ...savedCard },
      },
      refunded: { summary: 'Refunded in full', value: { ...paid, tr_status: 'CHARGEBACK' } },
      declined: { summary: 'Declined for good', value: { ...paid, tr_status: 'FALSE', tr_paid: '0.00' } },
      attemptDeclined: {
        summary: 'An attempt was declined (only if your account has that switched on)',
        value: { ...paid, tr_status: 'FALSE', tr_error: 'insufficient_funds', tr_paid: '0.00' },
      },
    },
    confirms: ['TRUE'],
  },
  {
    name: 'recurring',
    summary: 'Recurring notification',
    description: `A recurring payment was charged, or an attempt failed. Sent to \`callbackUrl\` after each attempt. ${sent}`,
    contentType: json,
    schema: RecurringNotification,
    examples: {
      correct: { summary: 'Charged', value: charged },
      failed: {
        summary: 'Failed, and tried again later',
        value: {
          ...charged,
          status: 'failed',
          reason: 'insufficient funds',
          nextChargeDate: '2027-01-01T10:00:00+01:00',
        },
      },
      last: { summary: 'Charged for the last time', value: { ...charged, iterationCount: 12, nextChargeDate: null } },
    },
    confirms: ['{"result": true}', 'TRUE'],
  },
  {
    name: 'marketplace',
    summary: 'Marketplace notification',
    description: `A marketplace transaction is paid. Sent to the partner: to its callback of type 3, or to the URL of the point of sale. ${sent}`,
    contentType: json,
    schema: MarketplaceNotification,
    examples: { paid: { summary: 'Paid', value: paidMarket } },
    confirms: ['{"result": true}', 'TRUE'],
  },
  {
    name: 'refund',
    summary: 'Refund event',
    description: 'A refund has a new status; only read, never sent. The payload of such an event at GET /events.',
    contentType: json,
    schema: RefundEvent,
    examples: { done: { summary: 'Completed by the bank', value: movedRefund } },
    confirms: [],
  },
  {
    name: 'dispute',
    summary: 'Dispute event',
    description:
      "The payer's bank takes a payment back, or the dispute was won or lost; only read, never sent. The payload of such an event at GET /events.",
    contentType: json,
    schema: DisputeEvent,
    examples: {
      opened: { summary: 'Opened', value: openedDispute },
      won: {
        summary: 'Won',
        value: {
          ...openedDispute,
          data: { ...openedDispute.data, disputeStatus: 'won', disputeReturned: '49.90', respondUntil: null },
        },
      },
    },
    confirms: [],
  },
  {
    name: 'settlement',
    summary: 'Settlement notification',
    description: `A settlement was made. Sent to the URL of notifications about payouts and settlements of your account; without one there is no such event. ${sent}`,
    contentType: json,
    schema: SettlementNotification,
    examples: { made: { summary: 'Made', value: madeSettlement } },
    confirms: ['{"result": true}', 'TRUE'],
  },
  {
    name: 'payout',
    summary: 'Payout notification',
    description: `A payout has another status. Sent to the URL of notifications about payouts and settlements of your account; without one there is no such event. ${sent}`,
    contentType: json,
    schema: PayoutNotification,
    examples: { returned: { summary: 'Returned by the bank', value: returnedPayout } },
    confirms: ['{"result": true}', 'TRUE'],
  },
];

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

const signatures = [
  header('webhook-id', 'The id of the event: the same at every try. Handle each id once.'),
  header('webhook-timestamp', 'When it was sent, in Unix seconds.'),
  header('webhook-signature', 'Standard Webhooks, with your `whsec_` secret.'),
  header('X-JWS-Signature', 'Detached JWS (RS256) with a certificate chain; names the account, the id and the time.'),
];

/** The `webhooks` of the document. */
export function webhookOperations(): object {
  return Object.fromEntries(webhooks.map((webhook) => [webhook.name, { post: operation(webhook) }]));
}

function operation({ name, summary, description, contentType, schema, examples, confirms }: Webhook): object {
  const confirmed = confirms.map((text) => `\`${text}\``).join(' or ');
  return {
    operationId: `${name}Notification`,
    summary,
    description,
    tags: ['Notifications'],
    security: [],
    parameters: confirms.length > 0 ? signatures : [],
    requestBody: {
      required: true,
      content: { [contentType]: { schema: described(schema, { of: 'request', id: name }), examples } },
    },
    responses: {
      200: {
        description:
          confirms.length > 0 ? `Respond with ${confirmed}; anything else is tried again.` : 'Nothing is sent.',
        ...(confirms.length > 0
          ? { content: { 'text/plain': { schema: { type: 'string' }, example: confirms[0] } } }
          : {}),
      },
    },
  };
}
