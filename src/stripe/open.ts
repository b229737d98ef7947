// Opens the connector: the port, and the reader of the provider's events.

import type { Check } from '../../contract/codes/checks.ts';
import type { Acquirer, Receiver, Waited } from '../acquirer/index.ts';
import type { Secret } from '../kernel/index.ts';
import { offersOf, openAccount } from './account.ts';
import { cancel } from './cancel.ts';
import { charge } from './charge.ts';
import { checkStripe } from './check.ts';
import { findCharge } from './find.ts';
import { isRestricted, type KeyMode } from './keys.ts';
import { Line } from './line.ts';
import { type StripeTools, stripeName, unknown } from './model.ts';
import { liveRates, Pace, type Rates, testRates } from './pace.ts';
import { findRefund, refund } from './refund.ts';
import { statement } from './statement.ts';
import { eventBytesAtMost, receiveEvent } from './webhook.ts';

export interface StripeSettings {
  readonly secretKey: Secret;
  readonly webhookSecrets: readonly Secret[];
  readonly apiUrl: string | undefined;
}

export interface StripeOptions {
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

type Base = Pick<StripeTools, 'db' | 'clock' | 'wall' | 'ids' | 'log'> & {
  readonly config: { readonly mode: KeyMode; readonly baseUrl: string };
};

export async function openStripe(
  base: Base,
  settings: StripeSettings,
  { rates, send }: StripeOptions = {},
): Promise<StripeConnector> {
  const { db, clock, wall, ids, log, config } = base;
  const live = config.mode === 'live';
  const { secretKey: key, webhookSecrets: secrets, apiUrl } = settings;
  const pace = new Pace(rates ?? (live ? liveRates : testRates));
  const line = await Line.open({ key, apiUrl, pace, log, send });
  if (!isRestricted(key))
    log.warn('STRIPE_SECRET_KEY may do everything with the account; a restricted key (rk_) is safer');
  const { account, installation, methods } = await openAccount({ db, wall, ids, log, line });
  const tools: StripeTools = { db, clock, wall, ids, log, line, account, installation, live };
  /** A fault of our own, or of the database, says nothing about the money. */
  const safely = async <Answer>(work: Promise<Answer>): Promise<Answer | typeof unknown> => {
    try {
      return await work;
    } catch (error) {
      log.error({ err: error }, 'the connector of Stripe failed');
      return unknown;
    }
  };
  const acquirer: Acquirer = {
    name: stripeName,
    offers: offersOf(methods),
    charge: (request) => safely(charge(tools, request)),
    refund: (request) => safely(refund(tools, request)),
    cancel: (request) => safely(cancel(tools, request)),
    findCharge: (request) => safely(findCharge(tools, request)),
    findRefund: (request) => safely(findRefund(tools, request)),
    statement: (request) => safely(statement(tools, request)),
  };
  const receiver: Receiver = {
    bodyBytesAtMost: eventBytesAtMost,
    acceptedStatus: 200,
    receive: async (raw) => {
      const received = await safely(receiveEvent({ ...tools, secrets }, raw));
      return received.kind === 'unknown' ? { kind: 'later', why: 'a fault of ours' } : received;
    },
  };
  const about = { ...tools, secrets, methods, restricted: isRestricted(key), baseUrl: config.baseUrl };
  return { acquirer, receiver, account, check: (waited) => checkStripe(about, waited) };
}
