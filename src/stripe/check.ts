// Whether everything is set up as docs/stripe.md says: the key and what it may do, the clock, a payment that is created and
// canceled, and the way of events to this service. No money moves, in live mode nothing is created either.

import type { Stripe } from 'stripe';
import type { Check } from '../../contract/codes/checks.ts';
import { eventsPath, type Waited } from '../acquirer/index.ts';
import { decimalText, type Secret } from '../kernel/index.ts';
import { pause } from '../runtime/index.ts';
import { leastMinor } from './account.ts';
import { Allowance, type Line, type Outcome } from './line.ts';
import type { StripeTools } from './model.ts';
import { ageSecondsAtMost } from './webhook.ts';

export interface CheckTools extends Pick<StripeTools, 'line' | 'wall' | 'account' | 'live' | 'ids' | 'installation'> {
  readonly secrets: readonly Secret[];
  readonly restricted: boolean;
  readonly baseUrl: string;
  readonly methods: readonly string[];
  /** Asks with the publishable key, as browsers do; undefined without one, so that no cards are taken. */
  openPublic?(): Promise<Line>;
}

const askMilliseconds = 10_000;
const eventSeconds = 20;
const looksEveryMilliseconds = 500;
const missing = 'grosz_check';

export async function* checkStripe(tools: CheckTools, waited: Waited): AsyncIterable<Check> {
  const account = await askAccount(tools);
  yield* accountChecks(tools, account);
  if (account.kind !== 'done') return;
  yield* permissionChecks(tools);
  yield* intentChecks(tools, waited);
  // At last: it is a callback as well, and would be taken for that of the intent, or hide it.
  yield await echoCheck(tools);
}

async function* intentChecks(tools: CheckTools, waited: Waited): AsyncIterable<Check> {
  if (tools.live) {
    yield { code: 'intent_not_tried', parameters: {} };
    return;
  }
  const begun = tools.wall.now();
  const [made, known] = await makeAndCancel(tools);
  yield made;
  if (known) yield known;
  if (made.code === 'intent_made') yield await eventCheck(tools, waited, begun);
}

type Account = Outcome<Stripe.Response<Stripe.Account>>;

function askAccount({ line }: CheckTools): Promise<Account> {
  return ask(line, 'GET /v1/account', (stripe, options) => stripe.accounts.retrieveCurrent({}, options));
}

function ask<T>(
  line: Line,
  endpoint: string,
  run: (stripe: Stripe, options: Stripe.RequestOptions) => Promise<T>,
  idempotencyKey?: string,
): Promise<Outcome<T>> {
  const time = new Allowance(askMilliseconds);
  // Whatever comes of it is said.
  return line.ask({ endpoint, time, run, quiet: true, ...(idempotencyKey !== undefined && { idempotencyKey }) });
}

function* accountChecks(tools: CheckTools, asked: Account): Iterable<Check> {
  if (asked.kind === 'forbidden' && asked.status === 401) yield { code: 'key_unknown', parameters: {} };
  else if (asked.kind === 'forbidden') yield permission('Account', 'read', false);
  else if (asked.kind !== 'done') yield { code: 'not_reached', parameters: { what: 'Stripe' } };
  if (asked.kind !== 'done') return;
  const { id, default_currency: currency, lastResponse } = asked.value;
  yield id === tools.account
    ? { code: 'account', parameters: { account: id } }
    : { code: 'key_of_another_account', parameters: { account: id, pinned: tools.account } };
  if (!tools.restricted) yield { code: 'key_does_everything', parameters: {} };
  if (currency !== 'pln') yield { code: 'currency_other', parameters: { currency: String(currency) } };
  for (const method of ['blik', 'transfer', ...(tools.openPublic ? ['card'] : [])])
    if (!tools.methods.includes(method)) yield { code: 'method_inactive', parameters: { method } };
  // With `fetch` they are not what the types say.
  const theirs = Date.parse(new Headers(lastResponse.headers).get('date') ?? '');
  if (!Number.isNaN(theirs)) yield clockCheck(Math.round((tools.wall.now().epochMilliseconds - theirs) / 1_000));
}

/** Half of what makes events too old is already wrong. */
export function clockCheck(seconds: number): Check {
  const off = Math.abs(seconds) > ageSecondsAtMost / 2;
  return { code: off ? 'clock_off' : 'clock_agrees', parameters: { seconds } };
}

function permission(resource: string, level: 'read' | 'write', there: boolean): Check {
  return { code: there ? 'permission_there' : 'permission_missing', parameters: { resource, level } };
}

type Trial = readonly [
  resource: string,
  level: 'read' | 'write',
  endpoint: string,
  run: (stripe: Stripe, options: Stripe.RequestOptions) => Promise<unknown>,
];

/** To write is tried on an id that does not exist: whoever may gets 404, whoever may not 403. */
const trials: readonly Trial[] = [
  [
    'PaymentIntents',
    'write',
    'POST /v1/payment_intents/:id/cancel',
    (stripe, options) => stripe.paymentIntents.cancel(`pi_${missing}`, {}, options),
  ],
  [
    'Charges and Refunds',
    'write',
    'POST /v1/refunds',
    (stripe, options) => stripe.refunds.create({ payment_intent: `pi_${missing}`, amount: 1 }, options),
  ],
  [
    'Balance',
    'read',
    'GET /v1/balance_transactions',
    (stripe, options) => stripe.balanceTransactions.list({ limit: 1 }, options),
  ],
  ['Payouts', 'read', 'GET /v1/payouts', (stripe, options) => stripe.payouts.list({ limit: 1 }, options)],
  ['Disputes', 'read', 'GET /v1/disputes', (stripe, options) => stripe.disputes.list({ limit: 1 }, options)],
];

const cardTrials: readonly Trial[] = [
  [
    'Confirmation Tokens',
    'read',
    'GET /v1/confirmation_tokens/:id',
    (stripe, options) => stripe.confirmationTokens.retrieve(`ctoken_${missing}`, {}, options),
  ],
  [
    'Customers',
    'write',
    'POST /v1/customers/:id',
    (stripe, options) => stripe.customers.update(`cus_${missing}`, {}, options),
  ],
];

async function* permissionChecks({ line, ids, installation, openPublic }: CheckTools): AsyncIterable<Check> {
  for (const [resource, level, endpoint, run] of openPublic ? [...trials, ...cardTrials] : trials) {
    const key = level === 'write' ? `${installation}:check:${ids.ulid()}` : undefined;
    const asked = await ask(line, endpoint, run, key);
    if (asked.kind === 'done' || asked.kind === 'refused') yield permission(resource, level, true);
    else if (asked.kind === 'forbidden') yield permission(resource, level, false);
    else yield { code: 'not_reached', parameters: { what: `Stripe (${endpoint})` } };
  }
}

/** The least that can be paid, by the first method that the account has; never confirmed, so nobody can pay it. */
async function makeAndCancel(tools: CheckTools): Promise<readonly [Check, (Check | undefined)?]> {
  const { line, ids, installation, methods } = tools;
  const key = `${installation}:check:${ids.ulid()}`;
  const type = methods.includes('blik') ? 'blik' : 'p24';
  const made = await ask(
    line,
    'POST /v1/payment_intents',
    (stripe, options) =>
      stripe.paymentIntents.create(
        {
          amount: Number(leastMinor),
          currency: 'pln',
          allowed_payment_method_types: [type],
          capture_method: 'automatic',
        },
        options,
      ),
    `${key}:create`,
  );
  if (made.kind !== 'done') return [refusedAs(made)];
  const known = await publicCheck(tools, made.value);
  const canceled = await ask(
    line,
    'POST /v1/payment_intents/:id/cancel',
    (stripe, options) => stripe.paymentIntents.cancel(made.value.id, {}, options),
    `${key}:cancel`,
  );
  if (canceled.kind !== 'done') return [refusedAs(canceled)];
  return [{ code: 'intent_made', parameters: { amount: `${decimalText(leastMinor)} PLN` } }, known];
}

/** Only the account that made a payment knows it, in one mode; its client secret is used here, and shown to nobody. */
async function publicCheck(
  { openPublic }: CheckTools,
  { id, client_secret: secret }: Stripe.PaymentIntent,
): Promise<Check | undefined> {
  if (!openPublic || secret === null) return undefined;
  const found = await ask(await openPublic(), 'GET /v1/payment_intents/:id', (stripe, options) =>
    stripe.paymentIntents.retrieve(id, { client_secret: secret }, options),
  );
  if (found.kind === 'done') return { code: 'publishable_key_fits', parameters: {} };
  return { code: 'publishable_key_other', parameters: { why: whyNot(found) } };
}

type NotDone = Exclude<Outcome<unknown>, { kind: 'done' }>;

function refusedAs(outcome: NotDone): Check {
  return { code: 'intent_refused', parameters: { why: whyNot(outcome) } };
}

function whyNot(outcome: NotDone): string {
  const { kind } = outcome;
  return kind === 'refused' ? [outcome.refused.status, outcome.refused.code].filter(Boolean).join(' ') : kind;
}

/** To our own address, as the provider would: a proxy, another secret or another installation shows. */
async function echoCheck({ line, wall, ids, live, secrets, baseUrl }: CheckTools): Promise<Check> {
  const url = `${baseUrl}${eventsPath('stripe')}`;
  const seconds = Math.floor(wall.now().epochMilliseconds / 1_000);
  const payload = JSON.stringify({
    id: `evt_${ids.ulid()}`,
    object: 'event',
    type: 'grosz.check',
    livemode: live,
    created: seconds,
    data: { object: {} },
  });
  const [secret] = secrets;
  const signature = line.webhooks.generateTestHeaderString({
    payload,
    secret: secret?.reveal() ?? '',
    timestamp: seconds,
  });
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'stripe-signature': signature },
      body: payload,
      redirect: 'manual',
      signal: AbortSignal.timeout(askMilliseconds),
    });
    await response.body?.cancel();
    return response.status === 200
      ? { code: 'event_accepted', parameters: { url } }
      : { code: 'event_refused', parameters: { url, status: response.status } };
  } catch {
    return { code: 'service_not_reached', parameters: { url } };
  }
}

/** The cancel has an event of its own, which comes from the provider. */
async function eventCheck({ wall }: CheckTools, { cameSince }: Waited, begun: Temporal.Instant): Promise<Check> {
  const from = performance.now();
  while (performance.now() - from < eventSeconds * 1_000) {
    if (await cameSince(begun))
      return {
        code: 'event_came',
        parameters: { seconds: Math.max(0, Math.round(begun.until(wall.now()).total('seconds'))) },
      };
    await pause(looksEveryMilliseconds);
  }
  return { code: 'event_not_seen', parameters: { seconds: eventSeconds } };
}
