// An acquirer that rows name and nobody configured any more. Nothing is sent, and nothing is concluded: what is asked
// about stays unknown until its settings are back or an operator decides.

import type { Log } from '../runtime/index.ts';
import type { Acquirer } from './port.ts';

export function absentAcquirer(name: string, log: Log): Acquirer {
  const unknown = async () => {
    log.error({ acquirer: name }, 'an acquirer that is not configured was asked');
    return { kind: 'unknown' } as const;
  };
  return {
    name,
    charge: unknown,
    refund: unknown,
    cancel: unknown,
    findCharge: unknown,
    findRefund: unknown,
    statement: unknown,
  };
}
