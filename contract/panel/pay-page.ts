// What an account shows to payers: P95, P96.

import { languages } from '../languages.ts';
import { nullable, optional, shaped, Type } from '../schema.ts';
import { answer, doneExample, panelEndpoint } from './shared.ts';

const switches = {
  paid: Type.Boolean({ description: 'When a payment was confirmed.' }),
  charged: Type.Boolean({ description: 'When a recurring charge succeeded.' }),
  chargeFailed: Type.Boolean({ description: 'When a recurring charge failed.' }),
  refunded: Type.Boolean({ description: 'When a refund was paid out.' }),
  order: Type.Boolean({ description: 'When a marketplace transaction waits for its payment.' }),
};

const shown = Type.Object(
  {
    color: nullable(Type.String({ description: 'As #rrggbb.' })),
    language: nullable(Type.Enum([...languages])),
    logoUrl: nullable(Type.String()),
    embedOrigins: Type.Array(Type.String(), { description: 'The origins whose pages may show the payment form.' }),
    cardUrl: nullable(
      Type.String({ description: 'Where payers change the card of a recurring payment; {id} stands for its id.' }),
    ),
    mails: Type.Object(switches, { additionalProperties: false, description: 'Which mails payers get.' }),
  },
  { additionalProperties: false },
);
const example = {
  color: '#0b6650',
  language: 'pl',
  logoUrl: 'http://127.0.0.1:3000/assets/logos/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  embedOrigins: ['https://shop.example'],
  cardUrl: 'https://shop.example/subscriptions/{id}',
  mails: { paid: true, charged: true, chargeFailed: true, refunded: true, order: true },
};

export const getPayPage = panelEndpoint({
  id: 'P95',
  name: 'getPayPage',
  method: 'GET',
  path: '/panel/api/settings/pay-page',
  access: 'read',
  summary: 'Get pay page settings',
  description: 'What payers see: color, logo, language, mails, and who may embed the form.',
  responses: { 200: answer({ payPage: shown }) },
  example: { response: { ...doneExample, payPage: example } },
});

/** A host name has at most 253 characters; in other scripts it is shorter. */
const originCharactersAtMost = 300;

/** 100 KiB in base64, with the other settings. */
const bodyBytes = 163_840;
const logoCharactersAtMost = 140_000;

export const changePayPage = panelEndpoint({
  id: 'P96',
  name: 'changePayPage',
  method: 'POST',
  path: '/panel/api/settings/pay-page',
  access: 'owner',
  summary: 'Change pay page settings',
  description: 'What is not given stays.',
  bodyBytesAtMost: bodyBytes,
  body: Type.Object({
    color: optional(
      shaped('^(#[0-9a-fA-F]{6})?$', 'color', {
        description: 'As #rrggbb; empty: the usual one.',
      }),
    ),
    language: optional(
      Type.Enum(['', ...languages], {
        description: 'For payers whose own language the page does not have; empty: en.',
      }),
    ),
    logo: optional(
      Type.String({
        maxLength: logoCharactersAtMost,
        description: 'A PNG, JPEG or WebP image of at most 100 KiB and 2,000 × 2,000 pixels, in base64; empty: none.',
      }),
    ),
    embedOrigins: optional(
      Type.Array(Type.String({ maxLength: originCharactersAtMost }), {
        maxItems: 20,
        description:
          'The origins whose pages may show the payment form in a frame, such as https://shop.example. In the sandbox also http for this machine.',
      }),
    ),
    cardUrl: optional(
      shaped('^(https?://[^\\s]{1,990})?$', 'web_address', {
        description:
          'Where payers change the card of a recurring payment; {id} stands for its id. Mails about failed charges lead there; empty: to the address of the shop.',
      }),
    ),
    mails: optional(
      Type.Object(
        {
          paid: optional(switches.paid),
          charged: optional(switches.charged),
          chargeFailed: optional(switches.chargeFailed),
          refunded: optional(switches.refunded),
          order: optional(switches.order),
        },
        { description: 'Which mails payers get.' },
      ),
    ),
  }),
  responses: { 200: answer({ payPage: shown }) },
  example: { request: { color: '#0b6650' }, response: { ...doneExample, payPage: example } },
});

export const payPageEndpoints = [getPayPage, changePayPage];
