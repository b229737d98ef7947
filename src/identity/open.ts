import type { WorkName } from '../../contract/codes/works.ts';
import type { Verifying } from '../database/index.ts';
import type { Route } from '../http/index.ts';
import type { Work } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';
import { Afterwards } from './afterwards.ts';
import { auditedRoute } from './audit/record.ts';
import { auditChain, verifyAudit } from './audit/verify.ts';
import { identification } from './guard.ts';
import type { Person } from './model.ts';
import { openPersons } from './person.ts';
import { Passwords } from './session/passwords.ts';
import { sessionRoutes } from './session/routes.ts';
import { deleteExpired } from './session/store.ts';
import type { IdentityTools } from './tools.ts';
import { userRoutes } from './users/routes.ts';

const forgottenAtOnce = 1_000;
const guessesKept = Temporal.Duration.from({ hours: 24 });

export type Identity = ReturnType<typeof openIdentity>;

export function openIdentity(base: Tools, { sendsMail }: { readonly sendsMail: boolean }) {
  const tools: IdentityTools = {
    ...base,
    sendsMail,
    passwords: new Passwords(base.random),
    afterwards: new Afterwards(base.log),
  };
  const forget = () => {
    const now = tools.wall.now();
    return deleteExpired(tools.db.sql, now, now.subtract(guessesKept), forgottenAtOnce);
  };
  return {
    name: 'identity',
    singleHeaders: ['X-View-As', 'X-CSRF-Token'],
    works: [{ name: 'forget_sessions', run: forget }] satisfies Work<WorkName>[],
    close: () => tools.afterwards.drain(),
    verify: (verifying: Verifying) => verifyAudit(tools, verifying),
    /** Of the audit log. */
    chain: auditChain(tools.db.sql),
    /** Endpoints for people; the panel registers them with its own. */
    personRoutes: [...sessionRoutes(tools), ...userRoutes(tools)],
    /** The route with an entry in the audit log for each request that changes something. */
    audited: (route: Route<Person>) => auditedRoute(tools, route),
    identification: identification(tools.config.baseUrl),
    authenticate: openPersons(tools),
    tools,
  };
}
