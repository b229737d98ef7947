// What the list of recurring payments is asked.

import type { listRecurring } from '../../../contract/panel/recurring.ts';
import { type Conditions, equals, type QueryOf } from '../list/filters.ts';

export const recurringConditions: Conditions<QueryOf<typeof listRecurring>> = { status: equals('status') };
