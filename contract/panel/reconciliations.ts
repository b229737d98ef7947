// The books against the acquirer's statement: P110 and P111.

import { statementFaults } from '../codes/parking.ts';
import { AmountShown, nullable, Type } from '../schema.ts';
import { answer, done, doneExample, instantShown, messageShown, panelEndpoint, SignedAmount } from './shared.ts';

const totalShown = Type.Object(
  {
    kind: Type.Enum(['capture', 'refund', 'fee', 'dispute', 'payout', 'other'], {
      description: 'other: what the acquirer’s account has in the books and no kind explains.',
    }),
    bank: SignedAmount,
    books: SignedAmount,
    elsewhere: Type.Number({ description: 'Booked in another period than the one in which the acquirer names it.' }),
    named: Type.Number({ description: 'What open differences explain.' }),
    unexplained: Type.Number({ description: 'What nothing explains: it is parked.' }),
  },
  { additionalProperties: false },
);

const reconciliationShown = Type.Object(
  {
    acquirer: Type.String({ description: 'Whose statement: its name in the ledger.' }),
    from: instantShown,
    to: instantShown,
    startedAt: instantShown,
    endedAt: nullable(instantShown),
    state: Type.Enum(['running', 'agreed', 'differs', 'incomplete'], {
      description:
        'agreed: nothing was found and nothing is open. differs: differences were found or are open; they are parked; or the statement ' +
        'repeats lines. incomplete: it could not be read whole.',
    }),
    captures: Type.Integer({ description: 'Captures in the statement.' }),
    captured: AmountShown,
    refunds: Type.Integer({ description: 'Refunds in the statement.' }),
    refunded: AmountShown,
    payouts: Type.Integer({ description: 'Payouts in the statement.' }),
    paidOut: AmountShown,
    fees: AmountShown,
    applied: Type.Integer({ description: 'Results passed on to payments, refunds and disputes.' }),
    found: Type.Integer({ description: 'New differences.' }),
    open: Type.Integer({ description: 'Differences that were open when it ended.' }),
    totals: Type.Array(totalShown, { description: 'The sums of the statement against those of the books.' }),
    why: Type.Union([messageShown(statementFaults), Type.Null()], { description: 'What is wrong with the statement.' }),
  },
  { additionalProperties: false },
);
const reconciliationExample = {
  acquirer: 'simulator',
  from: '2026-06-27T04:00:00Z',
  to: '2026-07-01T04:00:00Z',
  startedAt: '2026-07-01T04:00:01Z',
  endedAt: '2026-07-01T04:00:03Z',
  state: 'agreed' as const,
  captures: 1200,
  captured: 59880,
  refunds: 14,
  refunded: 310.5,
  payouts: 4,
  paidOut: 59450.36,
  fees: 119.14,
  applied: 0,
  found: 0,
  open: 0,
  totals: [{ kind: 'capture' as const, bank: 59880, books: 59880, elsewhere: 0, named: 0, unexplained: 0 }],
  why: null,
};

export const listReconciliations = panelEndpoint({
  id: 'P110',
  name: 'listReconciliations',
  method: 'GET',
  path: '/panel/api/operator/reconciliations',
  access: 'operator',
  summary: 'List reconciliations',
  description: 'The last comparisons with the statements of acquirers. ' + 'Newest first, at most 20.',
  responses: { 200: answer({ runs: Type.Array(reconciliationShown) }) },
  example: { response: { ...doneExample, runs: [reconciliationExample] } },
});

export const startReconciliation = panelEndpoint({
  id: 'P111',
  name: 'startReconciliation',
  method: 'POST',
  path: '/panel/api/operator/reconciliations',
  access: 'operator',
  summary: 'Start a reconciliation',
  description:
    "Compare the books with every acquirer's statement now. " +
    'From three days before the end of the last period until now; in the background, one at a time for each acquirer.',
  responses: { 200: done },
  example: { response: doneExample },
});

export const reconciliationEndpoints = [listReconciliations, startReconciliation];
