// What the list of accounts is asked.

import type { listAccounts } from '../../../contract/panel/accounts.ts';
import { sqlPart } from '../../database/index.ts';
import { type Conditions, equals, type QueryOf } from '../list/filters.ts';

const containing = (text: string) => `%${text.toLowerCase().replaceAll(/[\\%_]/g, (mark) => `\\${mark}`)}%`;

export const accountConditions: Conditions<QueryOf<typeof listAccounts>> = {
  search: (search) => {
    const pattern = search === null ? null : containing(search);
    return sqlPart`${pattern}::text is null or lower(name) like ${pattern} or lower(email) like ${pattern}
      or id = upper(${search}) or merchant_number::text = ${search}`;
  },
  kind: equals('kind'),
  status: equals('status'),
};
