import { checkDomain } from '../../../contract/panel/wallet.ts';
import { on, type Route } from '../../http/index.ts';
import { accountOf, done, type Person } from '../../identity/index.ts';
import type { Wallet } from '../../wallet/index.ts';

export function panelWalletRoutes({ domains }: Pick<Wallet, 'domains'>): Route<Person>[] {
  return [
    on(checkDomain, async ({ caller, params, requestId }) => {
      const { passed, rules } = await domains.check(accountOf(caller).id, params.domainName);
      return { ...done(requestId), domainName: params.domainName.toLowerCase(), passed, rules: [...rules] };
    }),
  ];
}
