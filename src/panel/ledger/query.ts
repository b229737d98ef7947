// What the ledger on screen is asked.

import type { listLedger } from '../../../contract/panel/money.ts';
import type { Merchant } from '../../accounts/index.ts';
import { askedBy, type Conditions, equals, type QueryOf } from '../list/filters.ts';
import { parsePlace, readDays } from '../list/place.ts';
import type { Asked } from '../list/read.ts';

export type LedgerQuery = QueryOf<typeof listLedger>;

const ledgerConditions: Conditions<LedgerQuery> = { kind: equals('kind') };

export function askedOf(query: LedgerQuery, { id, zone }: Pick<Merchant, 'id' | 'zone'>) {
  return {
    accountId: id,
    ...askedBy(ledgerConditions, query),
    period: readDays(query, zone),
    after: query.before === undefined ? null : parsePlace(query.before),
  } satisfies Asked;
}
