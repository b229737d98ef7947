// What the list of notifications is asked.

import type { listNotifications } from '../../../contract/panel/developers.ts';
import { type Conditions, equals, type QueryOf } from '../list/filters.ts';

export const notificationConditions: Conditions<QueryOf<typeof listNotifications>> = { status: equals('status') };
