import type { WorkName } from '../../contract/codes/works.ts';
import type { Verifying } from '../database/index.ts';
import type { Work } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';
import { openAuthenticate } from './authenticate.ts';
import { accountRoutes } from './routes.ts';
import { verifyAccounts } from './verify.ts';
import { forgetExpiredTokens } from './work.ts';

export function openAccounts(tools: Tools) {
  return {
    name: 'accounts',
    singleHeaders: ['X-Merchant-Id'],
    routes: accountRoutes(tools),
    works: [{ name: 'forget_tokens', run: () => forgetExpiredTokens(tools, 1_000) }] satisfies Work<WorkName>[],
    authenticate: openAuthenticate(tools),
    journalKinds: ['opening'],
    verify: (verifying: Verifying) => verifyAccounts(tools, verifying),
  };
}
