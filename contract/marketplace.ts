// The marketplace (docs/decisions.md 16).

import { endpoint } from './endpoint.ts';
import { success, Type, Ulid } from './schema.ts';
import { BankGroup } from './transactions.ts';

export const listMarketplaceBankGroups = endpoint({
  id: 'M4',
  method: 'GET',
  path: '/marketplace/v1/bank-groups',
  tag: 'Marketplace',
  access: 'read',
  summary: 'Lists the payment methods that all given sellers have in common.',
  description:
    'Name every seller of the transaction in one call: repeat `merchantId[]`, or write `merchantId[0]`, `merchantId[1]` ' +
    'and so on. Sellers of other partners are named in `unassociatedMerchants` of the 403.',
  query: Type.Object({
    merchantId: Type.Array(Ulid, { minItems: 1, maxItems: 100, description: 'Ids of sellers.' }),
  }),
  responses: {
    200: Type.Object(
      {
        ...success,
        groups: Type.Array(BankGroup),
      },
      { additionalProperties: false },
    ),
  },
  failures: [400, 403],
  example: {
    query: { 'merchantId[]': '01K9Z4M7Q2V5X8B1C3D6F9G0HJ' },
    response: {
      result: 'success',
      requestId: '3f2a9c0d81e47b56aa10',
      groups: [
        {
          id: '150',
          name: 'BLIK',
          img: 'https://pay.example.com/assets/methods/150.svg',
          mainChannel: '64',
          availablePaymentChannels: ['64'],
        },
      ],
    },
  },
});

export const marketplaceEndpoints = [listMarketplaceBankGroups] as const;
