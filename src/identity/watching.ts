// Whether somebody who reads for a while, a file or what changes, may still see the account that they began with.

import type { Tools } from '../tools.ts';
import { accountOf, type Person } from './model.ts';
import { idleTime } from './session/rules.ts';
import { listWatching } from './session/store.ts';

/** Who looks at which account. */
export interface Viewer {
  readonly userId: string;
  readonly sessionId: string;
  readonly accountId: string;
  /** Null for operators. */
  readonly ownAccountId: string | null;
}

export function viewerOf(person: Person): Viewer {
  const { user, session } = person;
  return { userId: user.id, sessionId: session.id, accountId: accountOf(person).id, ownAccountId: user.accountId };
}

const keyOf = ({ sessionId, accountId }: Pick<Viewer, 'sessionId' | 'accountId'>) => `${sessionId} ${accountId}`;

/** Asks once for all of them: not if their session ended, they or their account are blocked, or they lost access. */
export async function watchingOf(
  { db, wall }: Pick<Tools, 'db' | 'wall'>,
  viewers: readonly Viewer[],
): Promise<(viewer: Viewer) => boolean> {
  const now = wall.now();
  const asked = [...new Map(viewers.map((viewer) => [keyOf(viewer), viewer])).values()];
  const watching = new Set((await listWatching(db.sql, asked, now, now.subtract(idleTime))).map(keyOf));
  return (viewer) => watching.has(keyOf(viewer));
}
