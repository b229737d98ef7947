import type { FastifyInstance } from 'fastify';
import type { Merchant } from '../accounts/index.ts';
import type { Signing } from '../notifications/index.ts';
import type { Route } from '../platform/index.ts';
import type { Tools } from '../tools.ts';
import { Afterwards } from './afterwards.ts';
import { auditChain, verifyAudit } from './audit/verify.ts';
import { auditedRoute } from './audit/write.ts';
import { keyRoutes } from './developers/keys.ts';
import { RequestLog } from './developers/requests.ts';
import { developerRoutes } from './developers/routes.ts';
import { PanelFiles, registerPanelFiles } from './files.ts';
import { panelIdentification } from './guard.ts';
import { LiveFeed } from './live/feed.ts';
import { mirrorRoutes } from './mirror.ts';
import type { Person } from './model.ts';
import { type Installation, operatorRoutes } from './operator/routes.ts';
import { openPersons } from './person.ts';
import { readingRoutes, readingWorks, verifyReading } from './reading.ts';
import { Passwords } from './session/passwords.ts';
import { sessionRoutes } from './session/routes.ts';
import { deleteExpired } from './session/store.ts';
import { payPageRoutes } from './settings/pay-page.ts';
import { settingsRoutes } from './settings/routes.ts';
import type { PanelTools } from './tools.ts';
import { userRoutes } from './users/routes.ts';

const forgottenAtOnce = 1_000;
const guessesKept = Temporal.Duration.from({ hours: 24 });

/** `api`: the routes of the API, which people use too. */
export function openPanel(
  base: Tools,
  {
    sendsMail,
    signing,
    api,
    installation,
  }: {
    readonly sendsMail: boolean;
    readonly signing: Signing;
    readonly api: readonly Route<Merchant>[];
    readonly installation: Installation;
  },
) {
  const tools: PanelTools = {
    ...base,
    sendsMail,
    passwords: new Passwords(base.random),
    afterwards: new Afterwards(base.log),
  };
  const live = new LiveFeed(tools);
  const own: readonly Route<Person>[] = [
    ...sessionRoutes(tools),
    ...userRoutes(tools),
    ...readingRoutes(tools, live),
    ...developerRoutes(tools, signing),
    ...keyRoutes(tools),
    ...settingsRoutes(tools),
    ...payPageRoutes(tools),
    ...operatorRoutes(tools, installation),
  ];
  const requests = new RequestLog(tools);
  const forget = () => {
    const now = tools.wall.now();
    return deleteExpired(tools.db.sql, now, now.subtract(guessesKept), forgottenAtOnce);
  };
  const files = new PanelFiles(base);
  return {
    name: 'panel',
    register: (app: FastifyInstance) => {
      // Connections that follow would keep the server from closing.
      app.addHook('preClose', async () => live.end());
      return registerPanelFiles(app, base, files);
    },
    /** Builds the panel's files, unless they are there; nothing waits for it. */
    prepare: () => files.prepare(),
    works: [
      { name: 'forget panel sessions', run: forget },
      { name: 'forget logged requests', run: () => requests.forget() },
      ...readingWorks(tools),
    ],
    live,
    /** Gets the requests of the API. */
    requests,
    close: async () => {
      await tools.afterwards.settle();
      await requests.close();
    },
    verify: async () => [...(await verifyAudit(tools)), ...(await verifyReading(tools))],
    /** Of the audit log. */
    chain: auditChain(tools.db.sql),
    /** Registered beside the routes of the API, with their own identification. */
    panelRoutes: [...own, ...mirrorRoutes(api)].map((route) => auditedRoute(tools, route)),
    identification: panelIdentification(tools.config.baseUrl),
    authenticate: openPersons(tools),
    tools,
  };
}
