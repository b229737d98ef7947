// What is shown of an acquirer.

import { methods } from '../../../contract/methods.ts';
import { type Behavior, type OpenAcquirer, shownOffers } from '../../acquirer/index.ts';
import { decimalFromMinor } from '../../kernel/index.ts';
import type { Tools } from '../../tools.ts';
import type { LastStatement } from './store.ts';

interface Seen {
  readonly callbackAt: Temporal.Instant | undefined;
  readonly statement: LastStatement | undefined;
  readonly recent: Behavior | undefined;
}

type State = 'running' | 'agreed' | 'differs' | 'incomplete';

function offerShown({
  method,
  currency,
  leastMinor,
  mostMinor,
  fields,
  ...of
}: ReturnType<typeof shownOffers>[number]) {
  const { recurring, recurringMostMinor } = of;
  return {
    channelId: methods[method].id,
    currency,
    least: decimalFromMinor(leastMinor),
    most: decimalFromMinor(mostMinor),
    fields,
    recurring: [...recurring],
    recurringMost: recurringMostMinor === null ? null : decimalFromMinor(recurringMostMinor),
  };
}

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
    offers: acquirer.offers === undefined ? null : shownOffers(acquirer.offers).map(offerShown),
    recent: recent ?? null,
  };
}
