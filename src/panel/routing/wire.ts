// What is shown of an acquirer.

import { methods } from '../../../contract/methods.ts';
import type { Behavior, OpenAcquirer } from '../../acquirer/index.ts';
import { decimalFromMinor } from '../../kernel/index.ts';
import type { Tools } from '../../tools.ts';
import type { LastStatement } from './store.ts';

interface Seen {
  readonly callbackAt: Temporal.Instant | undefined;
  readonly statement: LastStatement | undefined;
  readonly recent: Behavior | undefined;
}

type State = 'running' | 'agreed' | 'differs' | 'incomplete';

export function serializeAcquirer(
  { mode }: Pick<Tools['config'], 'mode'>,
  { name, acquirer, takesNew, account, receiver }: OpenAcquirer,
  { callbackAt, statement, recent }: Seen,
) {
  return {
    name,
    ledgerName: acquirer.name,
    takesNew,
    money: name === 'simulator' ? ('simulated' as const) : mode === 'live' ? ('live' as const) : ('test' as const),
    account: account ?? null,
    callbacks: { expected: receiver !== undefined, lastAt: callbackAt?.toString() ?? null },
    statement: statement
      ? { to: statement.to.toString(), state: statement.state as State, open: statement.open }
      : null,
    offers:
      acquirer.offers?.map(({ method, currency, leastMinor, mostMinor, fields, recurring }) => ({
        channelId: methods[method].id,
        currency,
        least: decimalFromMinor(leastMinor),
        most: decimalFromMinor(mostMinor),
        fields,
        recurring: [...recurring],
      })) ?? null,
    recent: recent ?? null,
  };
}
