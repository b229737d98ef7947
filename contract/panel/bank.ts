// Our accounts at banks for operators: statements, files, and lines that wait for a decision: P180 to P182.

import { statementProblems } from '../codes/statements.ts';
import { nullable, optional, Type } from '../schema.ts';
import { answer, done, doneExample, instantShown, messageShown, panelEndpoint, SignedAmount } from './shared.ts';

const path = '/panel/api/operator/bank';
const closed = { additionalProperties: false } as const;

/** As in `grosz statements decide`. */
export const lineDecisions = [
  'acquirer_payout',
  'acquirer_payout_returned',
  'payout',
  'payout_returned',
  'fee',
  'fee_returned',
  'suspense',
] as const;
export type LineDecisionName = (typeof lineDecisions)[number];

const decision = Type.Enum([...lineDecisions]);

const day = Type.String({ format: 'date' });

const accountShown = Type.Object(
  {
    number: Type.String({ description: 'An IBAN, ours.' }),
    name: Type.String(),
    currency: Type.String(),
    statements: Type.Integer({ description: 'How many statements it has.' }),
    gaps: Type.Integer({ description: 'How many gaps between them were accepted.' }),
    closing: nullable(Type.Number({ description: 'The last closing balance; null: there is no statement yet.' })),
    closedOn: nullable(day),
  },
  closed,
);

const lineShown = Type.Object(
  {
    id: Type.String(),
    account: Type.String({ description: 'How the number of our account ends.' }),
    statement: Type.String({ description: 'As the bank names it.' }),
    day,
    left: Type.Number({ description: 'What of it is not decided; negative: it left.' }),
    title: Type.String({ description: 'Written by the other party.' }),
    party: nullable(Type.String({ description: 'The name of the other party.' })),
    isBalance: Type.Boolean({ description: 'What came with an opening balance: it may be several payouts.' }),
    parkedAt: nullable(instantShown),
    proposed: Type.Array(Type.Object({ decision, target: Type.String() }, closed), {
      description: 'What it could be, by its amount.',
    }),
  },
  closed,
);

const statementShown = Type.Object(
  {
    id: Type.String(),
    account: Type.String({ description: 'How the number of our account ends.' }),
    name: Type.String({ description: 'As the bank names it.' }),
    from: nullable(day),
    to: nullable(day),
    lines: Type.Integer(),
    booked: Type.Integer({ description: 'How many of its lines are booked by now.' }),
    opening: SignedAmount,
    closing: SignedAmount,
    brought: Type.Number({ description: 'What is in no statement before it; 0: it continues the one before.' }),
    file: Type.String({ description: 'The name of its file.' }),
  },
  closed,
);

const fileShown = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    format: Type.String(),
    state: Type.Enum(['reading', 'accepted', 'booked', 'noted', 'refused']),
    by: Type.String({ description: 'An email address; command_line: a command of grosz.' }),
    at: instantShown,
    lines: Type.Integer(),
    problem: nullable(messageShown(statementProblems)),
  },
  closed,
);

const decidedShown = Type.Object(
  {
    lineId: Type.String(),
    decision: Type.Enum(lineDecisions.filter((one) => one !== 'suspense')),
    target: nullable(Type.String()),
    amount: SignedAmount,
    by: Type.String({ description: 'An email address; recognized: the line named it.' }),
    at: instantShown,
    undoneBy: nullable(Type.String()),
    undoneAt: nullable(instantShown),
  },
  closed,
);

export const getBank = panelEndpoint({
  id: 'P180',
  name: 'getBank',
  method: 'GET',
  path,
  access: 'operator',
  summary: 'Get our accounts at banks',
  description:
    'With whether the books agree with the last closing balances, the lines that wait for a decision (the oldest 200), and ' +
    'the newest 50 statements, files and decisions.',
  responses: {
    200: answer({
      accounts: Type.Array(accountShown),
      agreement: Type.Object(
        {
          bank: Type.Number({ description: 'The sum of the last closing balances.' }),
          books: Type.Number({ description: 'What is booked on `bank:client`.' }),
          underway: Type.Number({ description: 'Paid out by acquirers, and in no statement yet.' }),
          openings: Type.Number({ description: 'What accounts of a demo began with, which is at no bank.' }),
          unexplained: Type.Number({ description: 'The rest: 0 if the books agree with the bank.' }),
          currency: Type.String(),
        },
        closed,
      ),
      waitingCount: Type.Integer(),
      waiting: Type.Array(lineShown),
      statements: Type.Array(statementShown),
      files: Type.Array(fileShown),
      decisions: Type.Array(decidedShown),
    }),
  },
  example: {
    response: {
      ...doneExample,
      accounts: [
        {
          number: 'PL61109010140000071219812874',
          name: 'Clients’ money',
          currency: 'PLN',
          statements: 45,
          gaps: 0,
          closing: 1_300,
          closedOn: '2026-11-18',
        },
      ],
      agreement: { bank: 1_300, books: 1_439.73, underway: 139.73, openings: 0, unexplained: 0, currency: 'PLN' },
      waitingCount: 1,
      waiting: [
        {
          id: '01K9Z4M7Q1T4W7A0B2C5E8F9GH-0000007',
          account: '2874',
          statement: '45',
          day: '2026-11-18',
          left: 139.73,
          title: 'transfer',
          party: 'Acquirer',
          isBalance: false,
          parkedAt: '2026-11-19T06:00:00Z',
          proposed: [{ decision: 'acquirer_payout', target: 'simulator:PO-7' }],
        },
      ],
      statements: [
        {
          id: '01K9Z4M7Q1T4W7A0B2C5E8F9GH',
          account: '2874',
          name: '45',
          from: '2026-11-18',
          to: '2026-11-18',
          lines: 2,
          booked: 2,
          opening: 100,
          closing: 1_300,
          brought: 0,
          file: 'statement.xml',
        },
      ],
      files: [
        {
          id: '01K9Z4M7Q1T4W7A0B2C5E8F9GG',
          name: 'statement.xml',
          format: 'camt053',
          state: 'booked',
          by: 'command_line',
          at: '2026-11-19T06:00:00Z',
          lines: 2,
          problem: null,
        },
      ],
      decisions: [
        {
          lineId: '01K9Z4M7Q1T4W7A0B2C5E8F9GH-0000002',
          decision: 'fee',
          target: null,
          amount: -5,
          by: 'anna@grosz.example',
          at: '2026-11-19T06:10:00Z',
          undoneBy: null,
          undoneAt: null,
        },
      ],
    },
  },
});

const body = Type.Object({
  decision,
  target: optional(
    Type.String({
      minLength: 1,
      maxLength: 300,
      description:
        '`NAME:KEY` of an acquirer’s payout, or the id of one of ours; required where the decision is one of these.',
    }),
  ),
  password: Type.String({ minLength: 1, maxLength: 256, description: 'Of the person who decides.' }),
  code: Type.String({
    minLength: 1,
    maxLength: 40,
    description: 'Of the authenticator app, or a recovery code. Each works once.',
  }),
});
const example = {
  decision: 'acquirer_payout',
  target: 'simulator:PO-7',
  password: 'correct horse battery staple',
  code: '123456',
};
const params = Type.Object({ id: Type.String() });

export const decideBankLine = panelEndpoint({
  id: 'P181',
  name: 'decideBankLine',
  method: 'POST',
  path: `${path}/lines/{id}/decide`,
  access: 'operator',
  summary: 'Decide a bank line',
  description: 'It moves money in the books. A refused decision has `why`: a code with parameters.',
  params,
  body,
  responses: { 200: done },
  failures: [403, 409, 429],
  example: { request: example, response: doneExample },
});

export const undoBankLine = panelEndpoint({
  id: 'P182',
  name: 'undoBankLine',
  method: 'POST',
  path: `${path}/lines/{id}/undo`,
  access: 'operator',
  summary: 'Take back a decision',
  description: 'In the books too: the line waits again. A refusal has `why`: a code with parameters.',
  params,
  body,
  responses: { 200: done },
  failures: [403, 409, 429],
  example: { request: example, response: doneExample },
});

export const bankEndpoints = [getBank, decideBankLine, undoBankLine] as const;
