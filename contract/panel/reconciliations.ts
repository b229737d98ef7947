// The books against the acquirer's statement: P110 and P111.

import { statementFaults } from '../codes/parking.ts';
import { AmountShown, nullable, Type } from '../schema.ts';
import { answer, done, doneExample, instantShown, messageShown, panelEndpoint } from './shared.ts';

const reconciliationShown = Type.Object(
  {
    from: instantShown,
    to: instantShown,
    startedAt: instantShown,
    endedAt: nullable(instantShown),
    state: Type.Enum(['running', 'agreed', 'differs', 'incomplete'], {
      description:
        'differs: new differences were found; they are parked; or the statement repeats lines. incomplete: it could not be read whole.',
    }),
    captures: Type.Integer({ description: 'Captures in the statement.' }),
    captured: AmountShown,
    refunds: Type.Integer({ description: 'Refunds in the statement.' }),
    refunded: AmountShown,
    payouts: Type.Integer({ description: 'Payouts in the statement.' }),
    paidOut: AmountShown,
    applied: Type.Integer({ description: 'Results passed on to payments and refunds that waited for them.' }),
    found: Type.Integer({ description: 'New differences.' }),
    why: Type.Union([messageShown(statementFaults), Type.Null()], { description: 'What is wrong with the statement.' }),
  },
  { additionalProperties: false },
);
const reconciliationExample = {
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
  applied: 0,
  found: 0,
  why: null,
};

export const listReconciliations = panelEndpoint({
  id: 'P110',
  name: 'listReconciliations',
  method: 'GET',
  path: '/panel/api/operator/reconciliations',
  access: 'operator',
  summary: 'List reconciliations',
  description: "The last comparisons with the acquirer's statement. " + 'Newest first, at most 20.',
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
    "Compare the books with the acquirer's statement now. " +
    'From three days before the end of the last period until now; in the background, one at a time.',
  responses: { 200: done },
  example: { response: doneExample },
});

export const reconciliationEndpoints = [listReconciliations, startReconciliation];
