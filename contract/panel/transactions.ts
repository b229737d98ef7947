// Transactions on screen: the search and everything about one of them. P32 and P33.

import { parkReasons } from '../codes/parking.ts';
import { refundDeclineReasons } from '../codes/refund-declines.ts';
import { deliveryStatuses } from '../events.ts';
import { methodNames, shownMethod } from '../methods.ts';
import { recurringStatuses } from '../recurring.ts';
import { AmountShown, nullable, optional, PayPageUrl, Type, Ulid } from '../schema.ts';
import { paymentMethods, paymentStatuses, transactionStatuses } from '../transactions.ts';
import {
  amountGiven,
  answer,
  beforeQuery,
  dayGiven,
  doneExample,
  instantShown,
  messageShown,
  panelEndpoint,
  SignedAmount,
} from './shared.ts';

const closed = { additionalProperties: false } as const;
const origins = ['api', 'recurring', 'marketplace'] as const;

const rowFields = {
  transactionId: Ulid,
  title: Type.String(),
  status: Type.Enum([...transactionStatuses]),
  paymentStatus: Type.Enum([...paymentStatuses]),
  origin: Type.Enum([...origins]),
  createdAt: instantShown,
  paidAt: nullable(instantShown),
  amount: AmountShown,
  amountPaid: AmountShown,
  refunded: AmountShown,
  currency: Type.String(),
  description: Type.String(),
  hiddenDescription: Type.String(),
  payerEmail: Type.String(),
  payerName: Type.String(),
  channelId: nullable(Type.String()),
  posId: Ulid,
};

const rowExample = {
  transactionId: '01K9Z4M7Q2V5X8B1C3D6F9G0HJ',
  title: 'TR-7X2M-Q4K9ZP1',
  status: 'paid',
  paymentStatus: 'correct',
  origin: 'api',
  createdAt: '2026-07-01T10:00:00Z',
  paidAt: '2026-07-01T10:01:00Z',
  amount: 123.45,
  amountPaid: 123.45,
  refunded: 0,
  currency: 'PLN',
  description: 'Order 1024',
  hiddenDescription: 'order-1024',
  payerEmail: 'jan.nowak@example.com',
  payerName: 'Jan Nowak',
  channelId: shownMethod('blik').channelId,
  posId: '01K9Z4M7Q1T4W7A0B2C5E8F9GH',
};

/** The filters of the search; also of its export. */
export const transactionFilters = {
  q: optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'A title, the id of the transaction or of one of its attempts or refunds, an amount, or how the payer’s email ' +
        'address or hiddenDescription begins.',
    }),
  ),
  status: optional(Type.Enum([...transactionStatuses])),
  paymentStatus: optional(
    Type.Enum([...paymentStatuses], {
      description: 'With status pending, declined means: declined, and may still be paid.',
    }),
  ),
  channelId: optional(Type.Integer({ minimum: 1 })),
  method: optional(Type.Enum([...paymentMethods])),
  origin: optional(Type.Enum([...origins])),
  posId: optional(Ulid),
  from: optional(dayGiven),
  to: optional(dayGiven),
  amountFrom: optional(amountGiven),
  amountTo: optional(amountGiven),
};

export const searchTransactions = panelEndpoint({
  id: 'P32',
  name: 'searchTransactions',
  method: 'GET',
  path: '/panel/api/transactions',
  access: 'read',
  summary: 'Search transactions',
  description:
    'Search transactions, newest first. ' +
    'Days are inclusive, of the account’s time zone, and mean the creation. One request looks through a bounded number of ' +
    'transactions: a page may be short, or empty, although there is more; ask again with `nextBefore` until it is null.',
  query: Type.Object({
    ...transactionFilters,
    ...beforeQuery,
    limit: optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
  }),
  responses: {
    200: answer({
      transactions: Type.Array(Type.Object(rowFields, closed)),
      nextBefore: nullable(Type.String()),
      searchedTo: nullable(
        Type.String({ format: 'date-time', description: 'Everything newer was looked through; null: everything was.' }),
      ),
    }),
  },
  failures: [400],
  example: {
    query: { q: 'order-1024' },
    response: { ...doneExample, transactions: [rowExample], nextBefore: null, searchedTo: null },
  },
});

const parked = nullable(Type.Object({ at: instantShown, why: messageShown(parkReasons) }, closed));

export const attemptStates = ['sent', 'waiting', 'unknown', 'correct', 'surplus', 'failed', 'canceled'] as const;
export const initiators = ['payer', 'merchant'] as const;

const attemptShown = Type.Object(
  {
    attemptId: Type.String(),
    number: Type.Integer(),
    state: Type.Enum([...attemptStates]),
    reason: nullable(Type.String()),
    paymentErrorCode: nullable(Type.String()),
    channelId: Type.String(),
    instrument: Type.Object(
      {
        kind: Type.Enum(methodNames),
        brand: nullable(Type.String()),
        tail: nullable(Type.String({ description: 'The last four digits of the card.' })),
        expiry: nullable(Type.String({ description: 'MMYY' })),
      },
      closed,
    ),
    initiator: Type.Enum([...initiators]),
    acquirer: nullable(
      Type.String({
        description: 'Whom it went through, by its name in the ledger; null for those who are no operators.',
      }),
    ),
    amount: AmountShown,
    createdAt: instantShown,
    settledAt: nullable(instantShown),
    nextCheckAt: nullable(instantShown),
    parked,
  },
  closed,
);

export const refundCancelers = ['merchant', 'operator', 'bank'] as const;

const refundShown = Type.Object(
  {
    refundId: Type.String(),
    status: Type.String(),
    amount: AmountShown,
    fee: AmountShown,
    createdAt: instantShown,
    sentAt: nullable(instantShown),
    processedAt: nullable(instantShown),
    endedAt: nullable(instantShown),
    paidLateAt: nullable(instantShown),
    cameBackAt: nullable(instantShown),
    canceledBy: nullable(Type.Enum([...refundCancelers])),
    refusedWhy: nullable(Type.Enum([...refundDeclineReasons])),
    nextStepAt: nullable(instantShown),
    parked,
  },
  closed,
);

export const disputeStates = ['opened', 'won', 'lost'] as const;

const disputeShown = Type.Object(
  {
    disputeId: Type.String(),
    state: Type.Enum([...disputeStates]),
    amount: AmountShown,
    returned: Type.Number({
      minimum: 0,
      description: 'The part of the amount that was given back because the dispute was won.',
    }),
    reason: Type.String({ description: 'In the words of the acquirer; empty if it gave none.' }),
    respondUntil: nullable(instantShown),
    openedAt: instantShown,
    endedAt: nullable(instantShown),
    bearers: Type.Array(Type.Object({ accountId: Ulid, name: Type.String(), amount: AmountShown }, closed), {
      description:
        'Of a payment over several sellers: from whose balances the amount was taken, less what was given back. What a ' +
        'balance did not cover is owed.',
    }),
  },
  closed,
);

const surplusShown = Type.Object(
  {
    attemptId: Type.String(),
    amount: AmountShown,
    createdAt: instantShown,
    doneAt: nullable(instantShown),
    withdrawnAt: nullable(instantShown),
    parked,
  },
  closed,
);

export const ledgerAccountKinds = [
  'balance',
  'seller_balance',
  'owed',
  'seller_owed',
  'owed_by_bank',
  'bank_account',
  'owed_to_payer',
  'disputed',
  'payer_unallocated',
  'payment_fees',
  'refund_fees',
  'other',
] as const;

export const journalShown = Type.Object(
  {
    journalId: Type.String(),
    kind: Type.String(),
    source: Type.String({ description: 'The attempt, refund or step of a dispute that it is about.' }),
    postedAt: instantShown,
    entries: Type.Array(
      Type.Object(
        {
          account: Type.Enum([...ledgerAccountKinds]),
          sellerName: nullable(Type.String({ description: 'Of seller_balance and seller_owed.' })),
          amount: Type.Number({ description: 'What the account gained; negative: lost.' }),
        },
        closed,
      ),
    ),
  },
  closed,
);

const notificationShown = Type.Object(
  {
    eventId: Type.String(),
    type: Type.String(),
    subjectId: Type.String(),
    url: nullable(Type.String()),
    status: Type.Enum([...deliveryStatuses]),
    createdAt: instantShown,
    nextTryAt: nullable(instantShown),
    deliveredAt: nullable(instantShown),
    tries: Type.Array(
      Type.Object(
        {
          number: Type.Integer(),
          at: instantShown,
          status: nullable(Type.Integer({ description: 'Of HTTP; null without a response.' })),
          error: nullable(Type.String()),
          milliseconds: Type.Integer(),
        },
        closed,
      ),
    ),
  },
  closed,
);

const partShown = Type.Object(
  {
    childId: Type.String(),
    number: Type.Integer(),
    sellerId: Type.String(),
    sellerName: Type.String(),
    description: Type.String(),
    amount: AmountShown,
    fee: AmountShown,
    commission: AmountShown,
    refunded: AmountShown,
  },
  closed,
);

export const mailStatuses = ['pending', 'sent', 'failed'] as const;

const mailShown = Type.Object(
  {
    mailId: Type.String(),
    recipient: Type.String(),
    subject: Type.String(),
    status: Type.Enum([...mailStatuses]),
    createdAt: instantShown,
    endedAt: nullable(instantShown),
  },
  closed,
);

const recurringShown = Type.Object(
  {
    recurringId: Type.String(),
    description: Type.String(),
    status: Type.Enum([...recurringStatuses]),
    iteration: Type.Integer(),
    attempt: Type.Integer(),
    manual: Type.Boolean({ description: 'Whether it was a retry by hand.' }),
  },
  closed,
);

export const timelineKinds = [
  'created',
  'attempt_started',
  'attempt_ended',
  'attempt_parked',
  'paid',
  'canceled',
  'journal',
  'notification',
  'notification_tried',
  'refund_requested',
  'refund_sent',
  'refund_ended',
  'refund_paid_late',
  'refund_came_back',
  'refund_parked',
  'dispute_opened',
  'dispute_changed',
  'dispute_shared',
  'dispute_won',
  'dispute_lost',
  'surplus_found',
  'surplus_returned',
  'surplus_withdrawn',
  'surplus_parked',
  'mail',
] as const;

const timelineShown = Type.Object(
  {
    at: instantShown,
    kind: Type.Enum([...timelineKinds]),
    id: Type.String({ description: 'Of what it is about, in the lists of this response.' }),
    status: nullable(Type.String({ description: 'What it came to.' })),
    amount: nullable(SignedAmount),
    why: nullable(messageShown(parkReasons)),
    error: nullable(Type.String({ description: 'Of a notification that was tried: the code of its fault.' })),
  },
  closed,
);

export const showTransaction = panelEndpoint({
  id: 'P33',
  name: 'showTransaction',
  method: 'GET',
  path: '/panel/api/transactions/{transactionId}',
  access: 'read',
  summary: 'Get everything of a transaction',
  description:
    'At most the newest 200 refunds, 200 disputes and 200 notifications; of each notification at most the last 20 tries.',
  params: Type.Object({ transactionId: Type.String() }),
  responses: {
    200: answer({
      transaction: Type.Object(
        {
          ...rowFields,
          posName: Type.String(),
          paymentMethod: nullable(Type.Enum([...paymentMethods])),
          refundable: Type.Number({ minimum: 0, description: 'What can still be refunded; 0 if nothing can.' }),
          disputed: Type.Number({ minimum: 0, description: 'What disputes have taken and not given back.' }),
          refundFee: Type.Number({ minimum: 0, description: 'For each refund.' }),
          cancelable: Type.Boolean(),
          payer: Type.Object(
            {
              payerId: Type.String(),
              phone: Type.String(),
              address: Type.String(),
              city: Type.String(),
              postalCode: Type.String(),
              country: Type.String(),
              taxId: Type.String(),
              ip: nullable(Type.String()),
              userAgent: Type.String(),
            },
            closed,
          ),
          lang: Type.String(),
          successUrl: nullable(Type.String()),
          errorUrl: nullable(Type.String()),
          notificationUrl: nullable(Type.String()),
          notificationEmail: nullable(Type.String()),
          transactionPaymentUrl: PayPageUrl,
        },
        closed,
      ),
      attempts: Type.Array(attemptShown),
      refunds: Type.Array(refundShown),
      disputes: Type.Array(disputeShown),
      surpluses: Type.Array(surplusShown),
      journals: Type.Array(journalShown),
      notifications: Type.Array(notificationShown),
      mails: Type.Array(mailShown),
      recurring: nullable(recurringShown),
      parts: Type.Array(partShown),
      timeline: Type.Array(timelineShown, { description: 'What happened, oldest first.' }),
    }),
  },
  failures: [404],
  example: {
    response: {
      ...doneExample,
      transaction: {
        ...rowExample,
        posName: 'Tea shop',
        paymentMethod: 'pay_by_link',
        refundable: 123.45,
        disputed: 0,
        refundFee: 1,
        cancelable: false,
        payer: {
          payerId: '3RT5Q0V8W2X4Y6Z8A0B2C4D6E8',
          phone: '',
          address: '',
          city: '',
          postalCode: '',
          country: 'PL',
          taxId: '',
          ip: null,
          userAgent: '',
        },
        lang: 'pl',
        successUrl: null,
        errorUrl: null,
        notificationUrl: null,
        notificationEmail: null,
        transactionPaymentUrl: 'http://127.0.0.1:3000/pay/01K9Z4M7Q2V5X8B1C3D6F9G0HJ.dGhpcyBpcyBhIGtleQ',
      },
      attempts: [],
      refunds: [],
      disputes: [],
      surpluses: [],
      journals: [],
      notifications: [],
      mails: [],
      recurring: null,
      parts: [],
      timeline: [
        {
          at: '2026-07-01T10:00:00Z',
          kind: 'created',
          id: '01K9Z4M7Q2V5X8B1C3D6F9G0HJ',
          status: null,
          amount: 123.45,
          why: null,
          error: null,
        },
      ],
    },
  },
});

export const transactionEndpoints = [searchTransactions, showTransaction];
