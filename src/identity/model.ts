// A signed-in person, as handlers see it.

import type { Merchant } from '../accounts/index.ts';
import type { RowOf } from '../database/index.ts';
import type { Caller, Client } from '../http/index.ts';
import { refuse } from '../kernel/index.ts';
import type { sessionTable, userTable } from './table.ts';

export type User = RowOf<typeof userTable>;
export type Session = RowOf<typeof sessionTable>;

export interface Person extends Caller {
  readonly user: User;
  readonly session: Session;
  /** The account on screen: their own, or the one that they look at; operators may have none. */
  readonly account: Merchant | undefined;
  /** Whether they look through the eyes of an account that is not their own. */
  readonly viewing: boolean;
  readonly owner: boolean;
}

/** The account on screen; refuses operators who have not chosen one. */
export function accountOf(person: Person): Merchant {
  return person.account ?? refuse('access_denied', '', 'Choose an account first.', 'Send its id as X-View-As.');
}

/** What the panel needs of a request to write it into the audit log. */
export interface Actor {
  readonly userId: string | null;
  readonly email: string;
  readonly accountId: string | null;
  readonly client: Client;
}

/** In the log of their own account: whoever looks at another one changes nothing there. */
export function actorOf({ user }: Person, client: Client): Actor {
  return { userId: user.id, email: user.email, accountId: user.accountId, client };
}
