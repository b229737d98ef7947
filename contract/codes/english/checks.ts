// What a test of an acquirer found, in English.

import type { checks } from '../checks.ts';
import type { Sentences } from '../message.ts';

const seconds = (count: number) => `${count} ${Math.abs(count) === 1 ? 'second' : 'seconds'}`;

export const checkSentences: Sentences<typeof checks> = {
  simulated: () => 'It is the simulated bank of this process: there is nothing to test.',
  answers: () => 'It answers a lookup with a valid signature.',
  offers_read: ({ count }) => `It says what it takes: ${count} ${count === 1 ? 'line' : 'lines'}.`,
  offers_not_said: () => 'It does not say what it takes, so it is assumed to take everything.',
  account: ({ account }) => `The key belongs to ${account}, the account of this database.`,
  clock_agrees: ({ seconds: off }) => `Its clock and ours differ by ${seconds(off)}.`,
  permission_there: ({ resource, level }) => `The key may ${level} ${resource}.`,
  intent_made: ({ amount }) => `A payment of ${amount} was created and canceled. No money moved.`,
  publishable_key_fits: () => 'The publishable key is of the same account and mode.',
  intent_not_tried: () => 'No payment was created: in live mode that is left to you.',
  event_accepted: ({ url }) => `The service accepts an event at ${url} that is signed with our secret.`,
  event_came: ({ seconds: after }) => `An event of the provider arrived after ${seconds(after)}.`,
  not_reached: ({ what }) =>
    `${what} did not answer. Check the network, the address and the secret; while it lasts, payments wait or go to the next acquirer.`,
  offers_refused: ({ why }) =>
    `What it takes could not be read: ${why}. Correct its response to GET /offers; until then, what it said before applies, or everything if it has said nothing yet.`,
  key_unknown: () =>
    'Stripe does not know the key: it was revoked, has expired, or is not complete. Create another one.',
  key_of_another_account: ({ account, pinned }) =>
    `The key belongs to ${account}, but this database to ${pinned}. Use a key of that account: no other one knows its payments.`,
  key_does_everything: () =>
    'The key (sk_) may do everything with the account. Create a restricted key (rk_) with the permissions of docs/stripe.md.',
  currency_other: ({ currency }) =>
    `The account settles in ${currency}, the books are in PLN. Add a bank account in PLN at Stripe and make it the default.`,
  method_inactive: ({ method }) =>
    `The account may not take ${method}. Activate it among the payment methods at Stripe, then restart the service.`,
  publishable_key_other: ({ why }) =>
    `STRIPE_PUBLISHABLE_KEY does not know a payment of our account (${why}): cards would be typed into the fields of another one. Use the publishable key of the same account.`,
  clock_off: ({ seconds: off }) =>
    `Its clock and ours differ by ${seconds(off)}. Events are refused from 300 on: synchronize the clock of this machine (NTP).`,
  permission_missing: ({ resource, level }) =>
    `The key may not ${level} ${resource}. Give it that permission at Stripe, or create another key.`,
  intent_refused: ({ why }) =>
    `A payment could not be created and canceled: ${why}. Check which payment methods are active at Stripe.`,
  service_not_reached: ({ url }) =>
    `${url} did not answer this machine. Start the service, and check BASE_URL and the proxy before it.`,
  event_refused: ({ url, status }) =>
    status === 404
      ? `${url} is not there (404): the running service has no such acquirer. Restart it with the same settings as this command.`
      : `The service at ${url} refused an event that is signed with our secret (${status}). It has another STRIPE_WEBHOOK_SECRET, or another clock.`,
  event_not_seen: ({ seconds: waited }) =>
    `No event of the provider arrived within ${seconds(waited)}. Check the webhook endpoint at Stripe: its address, its events (payment_intent.canceled among them), and that its secret is STRIPE_WEBHOOK_SECRET.`,
};
