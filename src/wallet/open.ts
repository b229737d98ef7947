import type { FastifyInstance } from 'fastify';
import type { WorkName } from '../../contract/codes/works.ts';
import { refuseOtherMethods } from '../http/index.ts';
import { type Outbound, openOutbound } from '../outbound/index.ts';
import type { Work } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';
import { countExpiring, listExpiring } from './certificates/keep.ts';
import type { Expiring, VendorBeside, WalletSetup } from './model.ts';
import { certificateActions, domainActions } from './operate.ts';
import { walletRoutes } from './routes.ts';
import { initOwnSession, type SessionWanted } from './session/init.ts';
import { openTokens } from './token/use.ts';
import type { WalletTools } from './tools.ts';

export type Wallet = ReturnType<typeof openWallet>;

/** `beside` is a vendor apart from the configured ones: the simulated one, in the sandbox only. */
export function openWallet(base: Tools, configured: WalletSetup, beside?: VendorBeside) {
  const { config } = base;
  const setup = beside ? withVendor(configured, beside) : configured;
  const isSandbox = config.mode === 'sandbox';
  const fetcher = openOutbound({
    policy: { allowHttp: isSandbox, allowPrivate: isSandbox && config.callbackPolicy.allowPrivate },
  });
  const vendor = openVendorOutbound(configured, beside);
  const tools: WalletTools = { ...base, setup, vendor, fetcher };
  base.metrics.measure(
    'grosz_wallet_certificates_expiring',
    'Wallet certificates that expire within 30 days or have expired.',
    () => countExpiring(tools, setup),
  );
  const tokens = openTokens(tools, setup);
  return {
    name: 'wallet',
    routes: walletRoutes(tools),
    works: [warnings(tools)],
    register: (app: FastifyInstance) => registerAssociation(app, setup),
    close: async () => {
      await Promise.all([vendor.close(), fetcher.close()]);
    },
    tokens,
    isOnWeb: tokens.isOnWeb,
    /** Scripts that provide the session object, for pages that offer the wallet. */
    scripts: [...(config.wallet.script ? [config.wallet.script] : []), ...(beside ? [beside.script] : [])],
    /** For the service's own pages. */
    initOwnSession: (wanted: SessionWanted) => initOwnSession(tools, wanted),
    domains: domainActions(tools),
    certificates: certificateActions(tools),
    setup,
    tools,
  };
}

function withVendor(configured: WalletSetup, { roots, own, hosts }: VendorBeside): WalletSetup {
  return {
    ...configured,
    roots: [...configured.roots, ...roots],
    hosts: () => [...configured.hosts(), ...hosts()],
    own: configured.own ?? own,
  };
}

/** The vendor beside the configured ones has its own CA and client identities, and runs on this machine. */
function openVendorOutbound({ tlsCa, own, hosts }: WalletSetup, beside: VendorBeside | undefined): Outbound {
  const real = openOutbound({
    policy: { allowHttp: false, allowPrivate: beside !== undefined, ports: hosts().map(({ port }) => port) },
    ...(tlsCa === undefined ? {} : { ca: tlsCa }),
    ...(own ? { identity: own.identity } : {}),
  });
  if (!beside) return real;
  const near = openOutbound({ policy: real.policy, ca: beside.authority, identity: beside.own.identity });
  const at = (url: string) => (beside.isHost(url) ? near : real);
  return {
    policy: real.policy,
    get: (url, ...rest) => at(url).get(url, ...rest),
    post: (url, ...rest) => at(url).post(url, ...rest),
    close: async () => {
      await Promise.all([real.close(), near.close()]);
    },
  };
}

export const associationUrlPath = '/wallet/domain-association';

function registerAssociation(app: FastifyInstance, { own }: WalletSetup): void {
  if (!own) return;
  app.get(associationUrlPath, async (_request, reply) =>
    reply
      .header('content-type', 'application/octet-stream')
      .header('cache-control', 'public, max-age=3600')
      .send(own.association),
  );
  refuseOtherMethods(app, associationUrlPath, ['GET']);
}

const dayMilliseconds = 24 * 3_600_000;

/** Once a day in each process. */
function warnings(tools: WalletTools): Work<WorkName> {
  let warnedAt = Number.NEGATIVE_INFINITY;
  return {
    name: 'warn_of_certificates',
    async run() {
      const now = tools.wall.now().epochMilliseconds;
      if (now - warnedAt < dayMilliseconds) return 0;
      const expiring = await listExpiring(tools, tools.setup);
      warnedAt = now;
      for (const certificate of expiring) warn(tools, certificate);
      return 0;
    },
  };
}

function warn({ log }: WalletTools, { expiresAt, ...certificate }: Expiring): void {
  log.warn({ ...certificate, expiresAt: expiresAt.toString() }, 'a wallet certificate expires soon: replace it');
}
