// Signing in to the panel, and what a user sees and changes of their own: P1 to P22.

import { answer, done, doneExample, instantShown, panelEndpoint, panelLanguages } from '../panel/shared.ts';
import { Email, nullable, optional, Type, text } from '../schema.ts';
import { userRoles } from './roles.ts';

const password = Type.String({ minLength: 1, maxLength: 256, description: 'At most 256 characters.' });
const newPassword = Type.String({
  minLength: 12,
  maxLength: 256,
  description: '12 to 256 characters; not one of the most common passwords, and not the email address.',
});
const code = Type.String({
  minLength: 6,
  maxLength: 32,
  description: 'Six digits of the authenticator app, or a recovery code.',
});
// Without a list of its fields: those that are not listed would be dropped.
const webAuthn = Type.Unsafe<Record<string, unknown>>({ type: 'object', description: 'As defined by WebAuthn.' });
const mailToken = Type.String({ minLength: 20, maxLength: 100, description: 'From the link in the mail.' });

const signedIn = answer({
  status: Type.Enum(['signed_in', 'second_factor'], {
    description: 'second_factor: the session is usable after P2 or P4.',
  }),
  methods: Type.Array(Type.Enum(['totp', 'passkey', 'recovery']), {
    description: 'What the second step accepts; empty when signed in.',
  }),
});
const signedInExample = { ...doneExample, status: 'signed_in', methods: [] };
const options = answer({ options: webAuthn });

export const signIn = panelEndpoint({
  id: 'P1',
  name: 'signIn',
  method: 'POST',
  path: '/panel/api/sign-in',
  access: 'none',
  summary: 'Sign in',
  description:
    'Sets the session cookie. A wrong address and a wrong password look the same. After ten wrong guesses within 15 ' +
    'minutes it is refused for a while: counted on this device if the person has signed in there before, else for ' +
    'the person, from wherever.',
  body: Type.Object({ email: Email, password }),
  responses: { 200: signedIn },
  failures: [401, 429],
  example: { request: { email: 'anna@example.com', password: 'correct horse battery' }, response: signedInExample },
});

export const signInCode = panelEndpoint({
  id: 'P2',
  name: 'signInWithCode',
  method: 'POST',
  path: '/panel/api/sign-in/code',
  access: 'none',
  summary: 'Sign in: code',
  description:
    'Second step: a code. With the cookie of P1. A code works once. Wrong codes count as with P1, and at most thirty a ' +
    'day; recovery codes only for the address.',
  body: Type.Object({ code }),
  responses: { 200: signedIn },
  failures: [401, 429],
  example: { request: { code: '123456' }, response: signedInExample },
});

export const signInPasskeyOptions = panelEndpoint({
  id: 'P3',
  name: 'getSignInPasskeyOptions',
  method: 'POST',
  path: '/panel/api/sign-in/passkey/options',
  access: 'none',
  summary: 'Sign in: passkey options',
  description: 'Second step: options for the passkey.',
  responses: { 200: options },
  failures: [401],
  example: { response: { ...doneExample, options: {} } },
});

export const signInPasskey = panelEndpoint({
  id: 'P4',
  name: 'signInWithPasskey',
  method: 'POST',
  path: '/panel/api/sign-in/passkey',
  access: 'none',
  summary: 'Sign in: passkey',
  description: 'Second step: a passkey.',
  body: Type.Object({ response: webAuthn }),
  responses: { 200: signedIn },
  failures: [401],
  example: { request: { response: {} }, response: signedInExample },
});

export const signOut = panelEndpoint({
  id: 'P5',
  name: 'signOut',
  method: 'POST',
  path: '/panel/api/sign-out',
  access: 'read',
  summary: 'Sign out',
  responses: { 200: done },
  example: { response: doneExample },
});

const accountShown = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    kind: Type.Enum(['merchant', 'partner', 'seller']),
    status: Type.Enum(['active', 'blocked']),
    zone: Type.String({ description: 'Time zone of all dates on screen.' }),
    marketplace: Type.Boolean(),
  },
  { additionalProperties: false },
);

export const getSession = panelEndpoint({
  id: 'P6',
  name: 'getSession',
  method: 'GET',
  path: '/panel/api/session',
  access: 'read',
  summary: 'Get the session',
  description: 'csrfToken is required as the header X-CSRF-Token of every request that changes something.',
  responses: {
    200: answer({
      csrfToken: Type.String(),
      user: Type.Object(
        {
          id: Type.String(),
          email: Type.String(),
          name: Type.String(),
          role: Type.Enum([...userRoles]),
          language: Type.Enum([...panelLanguages]),
          secondFactor: Type.Object(
            {
              totp: Type.Boolean(),
              recoveryCodesLeft: Type.Integer(),
              passkeys: Type.Array(
                Type.Object(
                  {
                    id: Type.String(),
                    name: Type.String(),
                    createdAt: instantShown,
                    lastUsedAt: nullable(instantShown),
                  },
                  { additionalProperties: false },
                ),
              ),
            },
            { additionalProperties: false },
          ),
        },
        { additionalProperties: false },
      ),
      account: nullable(accountShown),
      viewing: Type.Boolean({
        description: 'Whether account is that of X-View-As: everything is read-only then.',
      }),
      readOnly: Type.Boolean(),
      mode: Type.Enum(['sandbox', 'live']),
    }),
  },
  example: {
    response: {
      ...doneExample,
      csrfToken: 'b1946ac92492d2347c6235b4d2611184b1946ac92492d2347c6235b4d2611184',
      user: {
        id: '01JZ8D3K7R4M5N6P7Q8R9S0T1V',
        email: 'anna@example.com',
        name: 'Anna',
        role: 'owner',
        language: 'pl',
        secondFactor: { totp: false, recoveryCodesLeft: 0, passkeys: [] },
      },
      account: {
        id: '01JZ8D3K7R4M5N6P7Q8R9S0T1W',
        name: 'Tea shop',
        kind: 'merchant',
        status: 'active',
        zone: 'Europe/Warsaw',
        marketplace: false,
      },
      viewing: false,
      readOnly: false,
      mode: 'sandbox',
    },
  },
});

export const forgotPassword = panelEndpoint({
  id: 'P7',
  name: 'forgotPassword',
  method: 'POST',
  path: '/panel/api/password/forgot',
  access: 'none',
  summary: 'Request a password link',
  description: 'Send a link to set a new password. The response is the same whether there is such a user or not.',
  body: Type.Object({ email: Email }),
  responses: { 200: done },
  failures: [429],
  example: { request: { email: 'anna@example.com' }, response: doneExample },
});

export const lookAtMailToken = panelEndpoint({
  id: 'P8',
  name: 'getMailLink',
  method: 'POST',
  path: '/panel/api/password/token',
  access: 'none',
  summary: 'Inspect a mailed link',
  description: 'What a link from a mail is for.',
  body: Type.Object({ token: mailToken }),
  responses: {
    200: answer({
      email: Type.String(),
      name: Type.String(),
      purpose: Type.Enum(['invitation', 'reset']),
    }),
  },
  failures: [404],
  example: {
    request: { token: 'p7Zk0fJ2mV9sQ4wX1yB8nC3d' },
    response: { ...doneExample, email: 'anna@example.com', name: 'Anna', purpose: 'invitation' },
  },
});

export const setPassword = panelEndpoint({
  id: 'P9',
  name: 'setPassword',
  method: 'POST',
  path: '/panel/api/password/set',
  access: 'none',
  summary: 'Set a password',
  description:
    'Set a password with a link from a mail. The link works once. All sessions of the user end; sign in afterwards.',
  body: Type.Object({ token: mailToken, password: newPassword, name: optional(text(100, 1)) }),
  responses: { 200: done },
  failures: [404],
  example: { request: { token: 'p7Zk0fJ2mV9sQ4wX1yB8nC3d', password: 'correct horse battery' }, response: doneExample },
});

export const changePassword = panelEndpoint({
  id: 'P10',
  name: 'changePassword',
  method: 'POST',
  path: '/panel/api/me/password',
  access: 'read',
  summary: 'Change your password',
  description: 'All other sessions of yours end.',
  body: Type.Object({ current: password, password: newPassword }),
  responses: { 200: done },
  failures: [429],
  example: { request: { current: 'correct horse', password: 'correct horse battery' }, response: doneExample },
});

export const changeMe = panelEndpoint({
  id: 'P11',
  name: 'changeMe',
  method: 'POST',
  path: '/panel/api/me',
  access: 'read',
  summary: 'Change your profile',
  description: 'Change your name or language.',
  body: Type.Object({ name: optional(text(100, 1)), language: optional(Type.Enum([...panelLanguages])) }),
  responses: { 200: done },
  example: { request: { language: 'en' }, response: doneExample },
});

export const listSessions = panelEndpoint({
  id: 'P12',
  name: 'listSessions',
  method: 'GET',
  path: '/panel/api/me/sessions',
  access: 'read',
  summary: 'List your sessions',
  responses: {
    200: answer({
      sessions: Type.Array(
        Type.Object(
          {
            id: Type.String(),
            current: Type.Boolean(),
            createdAt: instantShown,
            lastSeenAt: instantShown,
            address: Type.String(),
            userAgent: Type.String(),
          },
          { additionalProperties: false },
        ),
      ),
    }),
  },
  example: {
    response: {
      ...doneExample,
      sessions: [
        {
          id: '01JZ8D3K7R4M5N6P7Q8R9S0T1V',
          current: true,
          createdAt: '2026-07-01T10:00:00Z',
          lastSeenAt: '2026-07-01T10:05:00Z',
          address: '203.0.113.7',
          userAgent: 'Mozilla/5.0',
        },
      ],
    },
  },
});

export const endSession = panelEndpoint({
  id: 'P13',
  name: 'endSession',
  method: 'DELETE',
  path: '/panel/api/me/sessions/{sessionId}',
  access: 'read',
  summary: 'End a session',
  description: 'End one of your sessions.',
  params: Type.Object({ sessionId: Type.String() }),
  responses: { 200: done },
  failures: [404],
  example: { response: doneExample },
});

export const endOtherSessions = panelEndpoint({
  id: 'P14',
  name: 'endOtherSessions',
  method: 'POST',
  path: '/panel/api/me/sessions/end-others',
  access: 'read',
  summary: 'End your other sessions',
  description: 'End all your sessions but this one.',
  responses: { 200: done },
  example: { response: doneExample },
});

export const beginTotp = panelEndpoint({
  id: 'P15',
  name: 'beginTotp',
  method: 'POST',
  path: '/panel/api/me/totp',
  access: 'read',
  summary: 'Set up an authenticator',
  description: 'Begin to set up codes of an authenticator app.',
  body: Type.Object({ password }),
  responses: {
    200: answer({
      secret: Type.String({ description: 'For typing it in.' }),
      uri: Type.String({ description: 'For the QR code.' }),
    }),
  },
  failures: [409, 429],
  example: {
    request: { password: 'correct horse battery' },
    response: { ...doneExample, secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/Grosz:anna' },
  },
});

export const confirmTotp = panelEndpoint({
  id: 'P16',
  name: 'confirmTotp',
  method: 'POST',
  path: '/panel/api/me/totp/confirm',
  access: 'read',
  summary: 'Confirm the authenticator',
  description: 'Confirm the authenticator app with a code.',
  body: Type.Object({ code }),
  responses: {
    200: answer({
      recoveryCodes: Type.Array(Type.String(), { description: 'Ten codes that work once each; shown only now.' }),
    }),
  },
  failures: [409, 429],
  example: { request: { code: '123456' }, response: { ...doneExample, recoveryCodes: ['k3f9-x2mq-7w1p'] } },
});

export const removeTotp = panelEndpoint({
  id: 'P17',
  name: 'removeTotp',
  method: 'POST',
  path: '/panel/api/me/totp/remove',
  access: 'read',
  summary: 'Remove the authenticator',
  body: Type.Object({ password }),
  responses: { 200: done },
  failures: [429],
  example: { request: { password: 'correct horse battery' }, response: doneExample },
});

export const passkeyOptions = panelEndpoint({
  id: 'P18',
  name: 'getPasskeyOptions',
  method: 'POST',
  path: '/panel/api/me/passkeys/options',
  access: 'read',
  summary: 'Get passkey options',
  description: 'Options for a new passkey.',
  body: Type.Object({ password }),
  responses: { 200: options },
  failures: [429],
  example: { request: { password: 'correct horse battery' }, response: { ...doneExample, options: {} } },
});

export const addPasskey = panelEndpoint({
  id: 'P19',
  name: 'addPasskey',
  method: 'POST',
  path: '/panel/api/me/passkeys',
  access: 'read',
  summary: 'Add a passkey',
  body: Type.Object({ name: text(60, 1), response: webAuthn }),
  responses: { 201: answer({ id: Type.String() }) },
  failures: [409],
  example: {
    request: { name: 'Laptop', response: {} },
    response: { ...doneExample, id: '01JZ8D3K7R4M5N6P7Q8R9S0T1V' },
  },
});

export const removePasskey = panelEndpoint({
  id: 'P20',
  name: 'removePasskey',
  method: 'POST',
  path: '/panel/api/me/passkeys/{passkeyId}/remove',
  access: 'read',
  summary: 'Remove a passkey',
  params: Type.Object({ passkeyId: Type.String() }),
  body: Type.Object({ password }),
  responses: { 200: done },
  failures: [404, 429],
  example: { request: { password: 'correct horse battery' }, response: doneExample },
});

export const sessionEndpoints = [
  signIn,
  signInCode,
  signInPasskeyOptions,
  signInPasskey,
  signOut,
  getSession,
  forgotPassword,
  lookAtMailToken,
  setPassword,
  changePassword,
  changeMe,
  listSessions,
  endSession,
  endOtherSessions,
  beginTotp,
  confirmTotp,
  removeTotp,
  passkeyOptions,
  addPasskey,
  removePasskey,
];
