// Opens the acquirers of the installation: those that ACQUIRERS lists, and those that are set up and not listed.

import { existsSync } from 'node:fs';
import type { Check } from '../contract/codes/checks.ts';
import {
  type Acquirers,
  Activity,
  absentAcquirer,
  type HttpAcquirer,
  httpReceiver,
  KnownRoutes,
  type OpenAcquirer,
  openAcquirers,
  openHttpAcquirer,
} from './acquirer/index.ts';
import { listLeftBehind } from './banking/index.ts';
import type { AcquirerKind } from './config.ts';
import { hasAccountOf } from './ledger/index.ts';
import { StartFault } from './runtime/index.ts';
import { openSimulator, type Simulator } from './simulators/index.ts';
import { openStripe } from './stripe/index.ts';
import type { Tools } from './tools.ts';

type Base = Pick<Tools, 'config' | 'db' | 'clock' | 'wall' | 'ids' | 'random' | 'vault' | 'log' | 'metrics'>;
type Opened = Omit<OpenAcquirer, 'name' | 'takesNew' | 'isNew'> & { readonly bank?: Simulator };

export interface Opening {
  /**
   * Of a command that makes no charges: it leaves no acquirer behind in a database that has never used it, and creates no
   * file of the simulated bank.
   */
  readonly onlyLooks?: boolean;
}

interface Listed extends Opening {
  /** One that is not listed only goes on with what it began. */
  readonly isListed: boolean;
}

/** How each kind is opened; undefined: it is not set up. */
const openers: Readonly<Record<AcquirerKind, (base: Base, listed: Listed) => Promise<Opened | undefined>>> = {
  simulator: openSimulated,
  http: openHttp,
  stripe: async (base, { onlyLooks }) => base.config.stripe && openStripe(base, base.config.stripe, { onlyLooks }),
};

/** How many recurring charges each kind is sent per second and node, unless CHARGES_PER_SECOND says otherwise. */
const usualChargesPerSecond: Readonly<Record<AcquirerKind, (config: Base['config']) => number>> = {
  simulator: () => Number.POSITIVE_INFINITY,
  http: () => 500,
  stripe: ({ mode }) => (mode === 'live' ? 20 : 5),
};

/**
 * Refuses to run without an acquirer that has begun something: nobody would ever learn what became of it. Commands go on,
 * so that an operator can decide about it.
 */
export async function refuseLeftBehind({ acquirers, db }: Pick<Tools, 'acquirers' | 'db'>): Promise<void> {
  const open = acquirers.list.map(({ acquirer }) => acquirer.name);
  const left = await listLeftBehind(db.sql, open);
  if (left.length === 0) return;
  const lines = left.map(
    ({ acquirer, charges, outgoing }) =>
      `  ${acquirer}: ${charges} charges without a result, ${outgoing} refunds on their way`,
  );
  throw new StartFault(
    `Not every acquirer that has begun something is set up:\n${lines.join('\n')}\n` +
      'Restore its settings: without a place in ACQUIRERS it takes no new charges. Or decide what is parked: grosz parked list',
  );
}

/** The simulated bank is also named, because the sandbox and its pages use it. */
export async function openAcquirersOf(
  base: Base,
  { onlyLooks = false }: Opening = {},
): Promise<{ readonly acquirers: Acquirers; readonly bank: Simulator | undefined }> {
  const { acquirers: listed } = base.config;
  const others = (Object.keys(openers) as AcquirerKind[]).filter((name) => !listed.includes(name));
  const opened: OpenAcquirer[] = [];
  let bank: Simulator | undefined;
  try {
    for (const name of [...listed, ...others]) {
      const takesNew = listed.includes(name);
      const one = await openers[name](base, { isListed: takesNew, onlyLooks });
      if (!one) continue;
      const isNew = onlyLooks && !(await hasAccountOf(base.db.sql, one.acquirer.name));
      const { bank: simulated, ...rest } = one;
      bank ??= simulated;
      opened.push({ ...rest, name, takesNew, isNew, chargesPerSecond: usualChargesPerSecond[name](base.config) });
    }
    const routes = new KnownRoutes({ sql: base.db.sql, wall: base.wall, log: base.log });
    const { db, log, metrics, wall } = base;
    const activity = new Activity({ sql: db.sql, wall, log, metrics });
    const watched = opened.map((one) => ({ ...one, acquirer: activity.watch(one.acquirer) }));
    return { acquirers: openAcquirers({ log, activity }, watched, routes), bank };
  } catch (error) {
    for (const { close } of opened) await close?.();
    throw error;
  }
}

const simulatorName = 'simulator';

/**
 * The sandbox's bank, with its own record next to our database. One that is not listed is open only where it was before:
 * a record beside a service that never used it is that of `grosz bank`.
 */
async function openSimulated(
  { config, db, clock, random, log }: Base,
  { isListed, onlyLooks }: Listed,
): Promise<Opened | undefined> {
  if (config.mode === 'live') return undefined;
  const isKnown = await hasAccountOf(db.sql, simulatorName);
  if (!isListed && !isKnown) return undefined;
  if (onlyLooks && !(isKnown && existsSync(config.bankFile)))
    return { acquirer: absentAcquirer(simulatorName, log), check: checkSimulated };
  const pagesUrl = `${config.baseUrl}/bank`;
  const bank = openSimulator({ file: config.bankFile, clock, random, log, pagesUrl, name: simulatorName });
  return { acquirer: bank, bank, check: checkSimulated, close: async () => void (await bank.close()) };
}

async function openHttp({ config, ids, wall, log }: Base): Promise<Opened | undefined> {
  if (!config.acquirer) return undefined;
  const { url, keys, name } = config.acquirer;
  const allowPlainHttp = config.mode === 'sandbox';
  const acquirer = openHttpAcquirer({ url, keys, name, wall, log, allowPlainHttp });
  // If it does not answer now, it is asked again later: the service starts without it.
  await acquirer.readOffers();
  return {
    acquirer,
    receiver: httpReceiver(keys, wall),
    account: url,
    check: () => checkHttp(acquirer, url, ids.ulid()),
  };
}

async function* checkSimulated(): AsyncIterable<Check> {
  yield { code: 'simulated', parameters: {} };
}

/** Asks about a charge that never was: whoever answers that has our secret. */
async function* checkHttp(acquirer: HttpAcquirer, url: string, key: string): AsyncIterable<Check> {
  const found = await acquirer.findCharge({ key, deadlineMilliseconds: 10_000 });
  if (found.kind === 'unknown' || found.kind === 'notReached') {
    yield { code: 'not_reached', parameters: { what: url } };
    return;
  }
  yield { code: 'answers', parameters: {} };
  const said = await acquirer.readOffers();
  if (said.kind === 'offers') yield { code: 'offers_read', parameters: { count: said.offers.length } };
  else if (said.kind === 'everything') yield { code: 'offers_not_said', parameters: {} };
  else yield { code: 'offers_refused', parameters: { why: said.kind === 'refused' ? said.why : 'no valid response' } };
}
