// Idempotency keys (docs/decisions/0015) and health.

import { endpoint } from './endpoint.ts';
import { nullable, secret, success, Type } from './schema.ts';

export const getIdempotency = endpoint({
  id: 'I1',
  name: 'getIdempotencyKey',
  method: 'GET',
  path: '/idempotency/{key}',
  tag: 'Idempotency',
  access: 'read',
  summary: 'Look up an idempotency key',
  description: 'Shows the state of an Idempotency-Key and the response to its request.',
  params: Type.Object({ key: Type.String() }),
  responses: {
    200: Type.Object(
      {
        ...success,
        key: Type.String(),
        status: Type.Enum(['running', 'answered']),
        method: Type.String(),
        path: Type.String(),
        startedAt: Type.String({ format: 'date-time' }),
        answeredAt: nullable(Type.String({ format: 'date-time' })),
        responseStatus: nullable(Type.Integer()),
        response: Type.Unknown({
          ...secret,
          description: 'The response; null while running, and for read-only credentials.',
        }),
      },
      { additionalProperties: false },
    ),
  },
  failures: [404],
  example: {
    response: {
      result: 'success',
      requestId: '3f2a9c0d81e47b56aa10',
      key: 'order-1024',
      status: 'answered',
      method: 'POST',
      path: '/transactions',
      startedAt: '2026-11-15T11:30:00Z',
      answeredAt: '2026-11-15T11:30:00.012Z',
      responseStatus: 200,
      response: { result: 'success', transactionId: '01K9Z4M7Q2V5X8B1C3D6F9G0HJ' },
    },
  },
});

const Health = Type.Object({ status: Type.Enum(['ok', 'unavailable']) }, { additionalProperties: false });

export const healthLive = endpoint({
  id: 'H1',
  name: 'getLiveness',
  method: 'GET',
  path: '/health/live',
  tag: 'Operation',
  access: 'none',
  summary: 'Check liveness',
  description: 'The process is running.',
  responses: { 200: Health },
  example: { response: { status: 'ok' } },
});

export const healthReady = endpoint({
  id: 'H2',
  name: 'getReadiness',
  method: 'GET',
  path: '/health/ready',
  tag: 'Operation',
  access: 'none',
  summary: 'Check readiness',
  description: 'The service is ready: the database accepts writes and has the schema of this version.',
  responses: { 200: Health },
  failures: [503],
  example: { response: { status: 'ok' } },
});
