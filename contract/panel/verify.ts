// Verifying the books: P92 and P93.

import { findings } from '../codes/findings.ts';
import { nullable, Type } from '../schema.ts';
import { answer, doneExample, instantShown, messageShown, panelEndpoint } from './shared.ts';

const verifyShown = Type.Object(
  {
    startedAt: instantShown,
    endedAt: nullable(instantShown),
    problems: Type.Array(messageShown(findings)),
    journals: nullable(Type.Integer()),
    entries: nullable(Type.Integer()),
    startedBy: Type.String(),
  },
  { additionalProperties: false },
);
const verifyExample = {
  startedAt: '2026-07-01T10:05:00Z',
  endedAt: '2026-07-01T10:05:09Z',
  problems: [],
  journals: 1200,
  entries: 3600,
  startedBy: 'olga@example.com',
};

export const getVerify = panelEndpoint({
  id: 'P92',
  name: 'getVerify',
  method: 'GET',
  path: '/panel/api/operator/verify',
  access: 'operator',
  summary: 'Get the last verification',
  description: 'The last verification of the books.',
  responses: { 200: answer({ last: nullable(verifyShown) }) },
  example: { response: { ...doneExample, last: verifyExample } },
});

export const startVerify = panelEndpoint({
  id: 'P93',
  name: 'startVerify',
  method: 'POST',
  path: '/panel/api/operator/verify',
  access: 'operator',
  summary: 'Verify the books now',
  description: 'Runs in the background, one at a time; P92 shows the result.',
  responses: { 200: answer({ last: verifyShown }) },
  example: { response: { ...doneExample, last: { ...verifyExample, endedAt: null, journals: null, entries: null } } },
});

export const verifyEndpoints = [getVerify, startVerify];
