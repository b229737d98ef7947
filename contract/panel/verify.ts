// Verifying the books: P92 and P93.

import { byItself } from '../codes/actors.ts';
import { findings } from '../codes/findings.ts';
import { nullable, Type } from '../schema.ts';
import { answer, doneExample, instantShown, messageShown, panelEndpoint } from './shared.ts';

const verifyShown = Type.Object(
  {
    startedAt: instantShown,
    sinceAt: nullable({ ...instantShown, description: 'What was made or moved since; null: everything.' }),
    endedAt: nullable(instantShown),
    problems: Type.Array(messageShown(findings)),
    journals: nullable(Type.Integer()),
    entries: nullable(Type.Integer()),
    startedBy: Type.String({ description: 'An email address; service: by itself; command_line: grosz verify.' }),
  },
  { additionalProperties: false },
);
const verifyExample = {
  startedAt: '2026-07-01T10:05:00Z',
  sinceAt: null,
  endedAt: '2026-07-01T10:05:09Z',
  problems: [],
  journals: 1200,
  entries: 3600,
  startedBy: 'olga@example.com',
};

const changedExample = { ...verifyExample, sinceAt: '2026-07-01T09:05:00Z', startedBy: byItself };
/** The last of everything, and the last of what changed. */
const runsShown = { last: nullable(verifyShown), changed: nullable(verifyShown) };

export const getVerify = panelEndpoint({
  id: 'P92',
  name: 'getVerify',
  method: 'GET',
  path: '/panel/api/operator/verify',
  access: 'operator',
  summary: 'Get the last verifications',
  description: 'The last verification of everything, and the last of what changed: one every hour.',
  responses: { 200: answer(runsShown) },
  example: {
    response: {
      ...doneExample,
      last: verifyExample,
      changed: changedExample,
    },
  },
});

export const startVerify = panelEndpoint({
  id: 'P93',
  name: 'startVerify',
  method: 'POST',
  path: '/panel/api/operator/verify',
  access: 'operator',
  summary: 'Verify the books now',
  description: 'Runs in the background, one at a time; P92 shows the result.',
  responses: { 200: answer(runsShown) },
  example: {
    response: {
      ...doneExample,
      last: { ...verifyExample, endedAt: null, journals: null, entries: null },
      changed: changedExample,
    },
  },
});

export const verifyEndpoints = [getVerify, startVerify];
