// What a read-only credential finds on every endpoint after payments of every kind.

import { furnishForReading, leaksTo } from '../support/read-only.ts';
import { aService } from '../support/service.ts';
import type { ProveOptions, Seen } from './figure.ts';

export async function proveReaders({ print }: ProveOptions): Promise<Seen[]> {
  const service = await aService();
  const furnished = await furnishForReading(service);
  const { asked, leaks } = await leaksTo(service, furnished.readOnly, furnished);
  if ((await leaksTo(service, furnished.full, furnished)).leaks.length === 0)
    throw new Error('A full credential finds nothing either: the search would prove nothing.');
  for (const leak of leaks) print(`  ${leak}`);
  return [
    {
      figure: 'secrets and card tokens readable by a read-only credential, on every endpoint',
      goal: '0',
      seen: `${leaks.length} of ${furnished.secrets.length}, in ${asked} answers`,
      met: leaks.length === 0,
    },
  ];
}
