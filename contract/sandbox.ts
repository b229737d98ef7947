// The sandbox: its clock (docs/decisions/0017) and the faults of its bank. None of it exists in live mode.

import { endpoint } from './endpoint.ts';
import { type FaultName, faultNames } from './faults.ts';
import { Amount, mustBe, nullable, optional, success, Type, text } from './schema.ts';
import { MerchantIdentifier } from './wallet.ts';

function isDuration(value: string): boolean {
  try {
    const duration = Temporal.Duration.from(value);
    return (
      duration.sign >= 0 && duration.years + duration.months / 12 + duration.weeks / 52 + duration.days / 365 <= 100
    );
  } catch {
    return false;
  }
}

function isInstant(value: string): boolean {
  try {
    return Temporal.Instant.from(value).epochMilliseconds > 0;
  } catch {
    return false;
  }
}

const clockAnswer = Type.Object(
  {
    ...success,
    now: Type.String({ format: 'date-time' }),
    movingTo: nullable(
      Type.String({
        format: 'date-time',
        description: 'The target while the clock is being moved; null when it is done.',
      }),
    ),
    movingFrom: nullable(Type.String({ format: 'date-time', description: 'Where the move began.' })),
    done: nullable(Type.Integer({ description: 'How many charges, deliveries and other items the move did so far.' })),
    fixedBy: Type.Array(Type.String(), {
      description: 'Acquirers that keep their own time, as in ACQUIRERS: while one is open, the clock cannot be moved.',
    }),
  },
  { additionalProperties: false },
);

const exampleClock = {
  result: 'success',
  requestId: '3f2a9c0d81e47b56aa10',
  now: '2026-12-15T11:30:00Z',
  movingTo: null,
  movingFrom: null,
  done: null,
  fixedBy: [],
};

export const getClock = endpoint({
  id: 'S1',
  name: 'getSandboxClock',
  method: 'GET',
  path: '/sandbox/clock',
  tag: 'Sandbox',
  access: 'read',
  summary: 'Get the sandbox clock',
  description: 'Shows the business clock of the sandbox.',
  responses: { 200: clockAnswer },
  example: { response: exampleClock },
});

export const moveClock = endpoint({
  id: 'S2',
  name: 'moveSandboxClock',
  method: 'POST',
  path: '/sandbox/clock',
  tag: 'Sandbox',
  access: 'operator',
  summary: 'Move the sandbox clock',
  description:
    'Moves the business clock forward. ' +
    'All accounts share one clock, so moving it takes an operator credential, such as those of the demo accounts. It ' +
    'moves at most ten years ahead of the wall clock. Charges, retries, delivery backoff, refunds and expiries follow; ' +
    'the response comes when everything that fell due is done. While an acquirer is open that keeps its own time, it is 409 `clock_cannot_move`. If that takes longer than ten seconds it is 202, and ' +
    '`GET /sandbox/clock` tells how far the move is: it is done when `movingTo` is null. Access tokens, idempotency keys and signatures keep the ' +
    'wall clock.',
  body: Type.Object({
    advance: optional(
      Type.Refine(
        Type.String({ maxLength: 64, description: 'ISO 8601 duration, such as P1M.' }),
        isDuration,
        mustBe('duration', {}),
      ),
    ),
    to: optional(
      Type.Refine(
        Type.String({ maxLength: 64, description: 'ISO 8601 date-time with offset.' }),
        isInstant,
        mustBe('instant', {}),
      ),
    ),
  }),
  responses: { 200: clockAnswer, 202: clockAnswer },
  failures: [400, 403, 409, 413, 415, 422],
  example: { request: { advance: 'P1M' }, response: exampleClock },
});

const Fault = Type.Object(
  {
    probability: Type.Number({ minimum: 0, maximum: 1 }),
    seed: Type.Union([Type.Integer(), text(100)], { description: 'The same seed affects the same keys.' }),
    seconds: optional(Type.Number({ minimum: 0, maximum: 31_536_000 })),
  },
  { additionalProperties: false },
);

const Faults = Type.Object(
  Object.fromEntries(faultNames.map((name) => [name, optional(Fault)])) as Record<
    FaultName,
    ReturnType<typeof optional<typeof Fault>>
  >,
  { additionalProperties: false },
);

const faultsAnswer = Type.Object({ ...success, faults: Faults }, { additionalProperties: false });

const exampleFaults = {
  result: 'success',
  requestId: '3f2a9c0d81e47b56aa10',
  faults: { lostAnswer: { probability: 0.1, seed: 7 } },
};

export const getFaults = endpoint({
  id: 'S3',
  name: 'getSandboxFaults',
  method: 'GET',
  path: '/sandbox/faults',
  tag: 'Sandbox',
  access: 'read',
  summary: 'List fault scenarios',
  description: 'Lists the active fault scenarios of the simulated bank.',
  responses: { 200: faultsAnswer },
  example: { response: exampleFaults },
});

export const setFaults = endpoint({
  id: 'S4',
  name: 'setSandboxFaults',
  method: 'POST',
  path: '/sandbox/faults',
  tag: 'Sandbox',
  access: 'operator',
  summary: 'Set fault scenarios',
  description: 'Activates exactly these fault scenarios; {} deactivates all.',
  body: Faults,
  responses: { 200: faultsAnswer },
  failures: [400, 403, 413, 415, 422],
  example: { request: exampleFaults.faults, response: exampleFaults },
});

export const deviceCardNames = ['approved', 'declined', 'insufficient_funds', 'callback'] as const;

export const mintWalletToken = endpoint({
  id: 'S5',
  name: 'createSandboxWalletToken',
  method: 'POST',
  path: '/sandbox/wallet/tokens',
  tag: 'Sandbox',
  access: 'write',
  summary: 'Make a wallet token',
  description:
    'Makes a wallet token as the simulated device does. ' +
    'For testing E1 and E2 without a browser. The token is signed now, valid for five minutes and for exactly this ' +
    'amount. With `merchantIdentifier` it is made for an active certificate of the account, as in a mobile app; without ' +
    "it for the service's own identifier, as on the web. `badKind` makes a token that must be refused; an unknown name " +
    'lists all of them.',
  idempotent: false,
  bodyBytesAtMost: 8_192,
  body: Type.Object({
    amount: Amount,
    currency: optional(Type.Enum(['PLN'])),
    card: optional(
      Type.Enum([...deviceCardNames], {
        description: 'What the simulated bank does with it; `approved` if not given.',
      }),
    ),
    merchantIdentifier: optional(text(255, 1)),
    badKind: optional(text(100, 1)),
  }),
  responses: {
    200: Type.Object({ ...success, walletPayPaymentData: Type.String() }, { additionalProperties: false }),
  },
  failures: [400, 403, 404, 413, 415],
  example: {
    request: { amount: 49.9, card: 'approved' },
    response: {
      result: 'success',
      requestId: '3f2a9c0d81e47b56aa10',
      walletPayPaymentData: 'eyJ2ZXJzaW9uIjoiRUNfdjEiLCJkYXRhIjoi...',
    },
  },
});

export const issueWalletCertificate = endpoint({
  id: 'S6',
  name: 'issueSandboxWalletCertificate',
  method: 'POST',
  path: '/sandbox/wallet/certificates',
  tag: 'Sandbox',
  access: 'write',
  summary: 'Issue a wallet certificate',
  description:
    'Issues a payment-processing certificate as the simulated vendor does. ' +
    'For testing the mobile path without the real vendor: send the `csr` of `POST /wallet/certificates`, and upload the ' +
    'certificate. It is valid for 25 months from now.',
  idempotent: false,
  body: Type.Object({
    csr: Type.String({ minLength: 1, maxLength: 8_192, description: 'The certificate signing request (PEM).' }),
    merchantIdentifier: MerchantIdentifier,
  }),
  responses: {
    200: Type.Object(
      { ...success, certificate: Type.String({ description: 'PEM.' }) },
      { additionalProperties: false },
    ),
  },
  failures: [400, 403, 413, 415],
  example: {
    request: {
      csr: '-----BEGIN CERTIFICATE REQUEST-----\nMIH5MIGgAgEAMCQx...\n-----END CERTIFICATE REQUEST-----\n',
      merchantIdentifier: 'merchant.com.example.shop',
    },
    response: {
      result: 'success',
      requestId: '3f2a9c0d81e47b56aa10',
      certificate: '-----BEGIN CERTIFICATE-----\nMIIB...\n-----END CERTIFICATE-----\n',
    },
  },
});

export const sandboxEndpoints = [
  getClock,
  moveClock,
  getFaults,
  setFaults,
  mintWalletToken,
  issueWalletCertificate,
] as const;
