// The wallet on screen: P113.

import { domainResults } from '../codes/domains.ts';
import { Type } from '../schema.ts';
import { domainRules } from '../wallet.ts';
import { answer, doneExample, messageShown, panelEndpoint } from './shared.ts';

export const checkDomain = panelEndpoint({
  id: 'P113',
  name: 'checkDomain',
  method: 'POST',
  path: '/panel/api/wallet/domains/{domainName}/check',
  access: 'write',
  summary: 'Check a wallet domain',
  description: 'The same check as W4, with codes instead of sentences.',
  params: Type.Object({ domainName: Type.String({ description: 'A registered domain.' }) }),
  responses: {
    200: answer({
      domainName: Type.String(),
      passed: Type.Boolean(),
      rules: Type.Array(
        Type.Object(
          { rule: Type.Enum([...domainRules]), passed: Type.Boolean(), result: messageShown(domainResults) },
          { additionalProperties: false },
        ),
      ),
    }),
  },
  failures: [403, 404],
  example: {
    response: {
      ...doneExample,
      domainName: 'shop.example.com',
      passed: false,
      rules: [{ rule: 'reachable', passed: true, result: { code: 'server_answered', parameters: {} } }],
    },
  },
});

export const panelWalletEndpoints = [checkDomain];
