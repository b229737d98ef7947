// Opens the connector: the port, and the reader of the provider's events.

import type { Check } from '../../contract/codes/checks.ts';
import type { Acquirer, Receiver, Waited } from '../acquirer/index.ts';
import { Secret } from '../kernel/index.ts';
import { AccountGuard, offersOf, openAccount, shownToPayers } from './account.ts';
import { cancel } from './cancel.ts';
import { cardFieldsOf, findToken, isToken } from './card.ts';
import { charge } from './charge.ts';
import { checkStripe } from './check.ts';
import { findCharge } from './find.ts';
import { isRestricted, type KeyMode } from './keys.ts';
import { Line, type LineOptions } from './line.ts';
import { type StripeTools, stripeName, unknown } from './model.ts';
import { liveRates, Pace, type Rates, testRates } from './pace.ts';
import { findRefund, refund } from './refund.ts';
import { mayBeForgotten } from './rules.ts';
import { statement } from './statement.ts';
import { findCharge as findRow } from './store.ts';
import { eventBytesAtMost, receiveEvent } from './webhook.ts';

const eventMilliseconds = 5_000;

export interface StripeSettings {
  readonly secretKey: Secret;
  readonly webhookSecrets: readonly Secret[];
  readonly apiUrl: string | undefined;
  /** For the card fields; undefined: there are none. */
  readonly publishableKey?: string | undefined;
  /** Another address of the provider's script. */
  readonly scriptUrl?: string | undefined;
  /** Whether the account may be sent card numbers. */
  readonly rawCards?: 'on' | 'off';
}

export interface StripeOptions {
  /** Of a command that makes no charges: the account is not pinned. */
  readonly onlyLooks?: boolean | undefined;
  readonly rates?: Rates;
  /** How requests are sent, if not by `fetch`. */
  readonly send?: typeof fetch;
}

export interface StripeConnector {
  readonly acquirer: Acquirer;
  readonly account: string;
  check(waited: Waited): AsyncIterable<Check>;
  /** Verifies an event and looks up what it is about. */
  readonly receiver: Receiver;
}

type Base = Pick<StripeTools, 'db' | 'clock' | 'wall' | 'ids' | 'log' | 'vault'> & {
  readonly config: { readonly mode: KeyMode; readonly baseUrl: string };
};

export async function openStripe(
  base: Base,
  settings: StripeSettings,
  { rates, send, onlyLooks = false }: StripeOptions = {},
): Promise<StripeConnector> {
  const { db, clock, wall, ids, log, vault, config } = base;
  const live = config.mode === 'live';
  const { secretKey: key, webhookSecrets: secrets, apiUrl, publishableKey } = settings;
  const rawCards = settings.rawCards === 'on';
  const pace = new Pace(rates ?? (live ? liveRates : testRates));
  const line = await Line.open({ key, apiUrl, pace, log, send });
  if (!isRestricted(key))
    log.warn('STRIPE_SECRET_KEY may do everything with the account; a restricted key (rk_) is safer');
  const { account, installation, methods, asked } = await openAccount({ db, wall, ids, log, line, onlyLooks });
  const guard = new AccountGuard({ line, log, account }, asked);
  const tools: StripeTools = { db, clock, wall, ids, log, vault, line, account, installation, live, rawCards };
  /** A fault of our own, or of the database, says nothing about the money. */
  const safely = async <Answer>(work: Promise<Answer>): Promise<Answer | typeof unknown> => {
    try {
      return await work;
    } catch (error) {
      log.error({ err: error }, 'the connector of Stripe failed');
      return unknown;
    }
  };
  const guarded =
    <Request extends { readonly deadlineMilliseconds: number }, Answer>(
      work: (tools: StripeTools, request: Request) => Promise<Answer>,
    ) =>
    async (request: Request) =>
      (await guard.isOurs(request.deadlineMilliseconds)) ? safely(work(tools, request)) : unknown;
  const acquirer: Acquirer = {
    name: stripeName,
    ...told(settings, methods, live),
    findToken: async (request) => (isToken(request.token) ? guarded(findToken)(request) : { kind: 'refused' }),
    charge: async (request) => {
      const answer = await guarded(charge)(request);
      return answer.kind === 'unknown' && !guard.letsThrough ? safely(unsent(tools, request.key)) : answer;
    },
    refund: guarded(refund),
    cancel: guarded(cancel),
    findCharge: guarded(findCharge),
    findRefund: guarded(findRefund),
    statement: guarded(statement),
  };
  const isOurAccount = () => guard.isOurs(eventMilliseconds);
  const receiver: Receiver = {
    bodyBytesAtMost: eventBytesAtMost,
    acceptedStatus: 200,
    receive: async (raw) => {
      const received = await safely(receiveEvent({ ...tools, secrets, isOurAccount }, raw));
      return received.kind === 'unknown' ? { kind: 'later', why: 'a fault of ours' } : received;
    },
  };
  const own = { secrets, methods, restricted: isRestricted(key), baseUrl: config.baseUrl };
  const about = { ...tools, ...own, ...publicLine(publishableKey, { apiUrl, pace, log, send }) };
  return { acquirer, receiver, account, check: (waited) => checkStripe(about, waited) };
}

/** What it takes, and what is shown of it. */
function told({ publishableKey: key, scriptUrl, rawCards }: StripeSettings, methods: readonly string[], live: boolean) {
  const offers = offersOf(methods, { vendorFields: key !== undefined, numbers: rawCards === 'on' });
  const shown = shownToPayers(live);
  return { offers, shown, ...(key !== undefined && { cardFields: cardFieldsOf(key, scriptUrl) }) };
}

/** Asks as browsers do, who have the publishable key only. */
function publicLine(publishableKey: string | undefined, options: Omit<LineOptions, 'key'>) {
  if (publishableKey === undefined) return {};
  return { openPublic: () => Line.open({ ...options, key: new Secret(publishableKey) }) };
}

/** Nothing was sent now; whether anything was before, a row says, or its key, if a restored database has lost the row. */
async function unsent({ db, clock }: StripeTools, key: string) {
  const sentBefore = mayBeForgotten(key, clock.now()) || (await findRow(db.sql, key)) !== undefined;
  return sentBefore ? unknown : ({ kind: 'notReached' } as const);
}
