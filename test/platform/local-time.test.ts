// Every list by local time, around DST changes and at the ends of the calendar.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { endpoints } from '../../contract/endpoints.ts';
import { localText } from '../../src/kernel/index.ts';
import { aChild, aPartner, aSplit, type TestPartner } from '../support/marketplace.ts';
import { aPaidTransaction } from '../support/payments.ts';
import { aRefund, fund } from '../support/refunds.ts';
import { type Answer, aMerchant, aService, faultsOf, type Service, type TestMerchant } from '../support/service.ts';

const zone = 'Europe/Warsaw';

/** On both sides of each change, and in both hours that are 02 in autumn. */
const moments = [
  '2026-03-29T00:59:59Z',
  '2026-03-29T01:00:00Z',
  '2026-03-29T01:20:00Z',
  '2026-03-29T02:20:00Z',
  '2026-10-24T23:20:00Z',
  '2026-10-25T00:20:00Z',
  '2026-10-25T01:20:00Z',
  '2026-10-25T01:59:59Z',
  '2026-10-25T02:20:00Z',
] as const;

interface Span {
  readonly from?: string;
  readonly to?: string;
}

suite('lists by local time', () => {
  let service: Service;
  let merchant: TestMerchant;
  let partner: TestPartner;
  let refunded: string;

  /** At each instant a transaction, one of the marketplace, an exhausted notification, and a refund of one transaction. */
  before(async () => {
    service = await aService();
    service.world.clock.set('2026-03-01T09:00:00Z');
    merchant = await aMerchant(service, { zone });
    partner = await aPartner(service, [{}], { zone });
    await fund(service, merchant, 100_000n);
    refunded = await aPaidTransaction(service, merchant);
    const callbacks = { notification: { url: 'http://127.0.0.1:9/' } };
    for (const moment of moments) {
      service.world.clock.set(moment);
      await aPaidTransaction(service, merchant, { callbacks });
      await aSplit(service, partner, [aChild(partner, 0, 100)]);
      await aRefund(service, merchant, refunded, { amount: 0.01 });
    }
  });

  const get = (path: string, span: Span, { token } = merchant) =>
    service.ask('GET', `${path}?${new URLSearchParams({ ...span })}`, { token });

  /** Every endpoint that takes `from` and `to`, by its id in the contract. */
  const lists: Readonly<Record<string, (span: Span) => Promise<Answer>>> = {
    T2: (span) => get('/transactions', span),
    E5: (span) => get(`/transactions/${refunded}/refunds`, span),
    E6: (span) => get('/refunds', span),
    M7: (span) => get('/marketplace/v1/transaction', span, partner),
    N3: async (span) => {
      await service.world.db.sql.run`update delivery set status = 'exhausted', next_try_at = null`;
      return service.ask('POST', '/events/resend', { token: merchant.token, body: { status: 'exhausted', ...span } });
    },
  };
  const found = async (list: (span: Span) => Promise<Answer>, span: Span): Promise<number> => {
    const { status, body, text } = await list(span);
    assert.equal(status, 200, text);
    return body.total ?? body.count;
  };

  // Guarantee: a new list by local time is tested here too.
  test('all of them are here', () => {
    const takesFrom = (schema: unknown) => Object.hasOwn((schema as Shape | undefined)?.properties ?? {}, 'from');
    const ids = endpoints.filter(({ query, body }) => takesFrom(query) || takesFrom(body)).map(({ id }) => id);
    assert.deepEqual(ids.sort(), Object.keys(lists).sort());
  });

  for (const [id, list] of Object.entries(lists)) {
    // Guarantee: reading hour by hour returns everything, including what happened in an hour that occurs twice.
    test(`${id}: each moment is in the hour that it shows`, async () => {
      for (const moment of moments) {
        const shown = localText(Temporal.Instant.from(moment), zone);
        const same = moments.filter((other) =>
          localText(Temporal.Instant.from(other), zone).startsWith(shown.slice(0, 13)),
        );
        const hour = { from: `${shown.slice(0, 13)}:00:00`, to: `${shown.slice(0, 13)}:59:59` };
        assert.equal(await found(list, hour), same.length, shown);
        assert.ok((await found(list, { from: shown, to: shown })) > 0, shown);
      }
    });

    // Guarantee: `from` is the first and `to` the last time that a clock shows it; a skipped time is the instant of the
    // change.
    for (const [span, count] of [
      [{ from: '2026-10-25 02:20:00', to: '2026-10-25 02:20:00' }, 2],
      [{ from: '2026-10-25 02:00:00', to: '2026-10-25 02:59:59' }, 3],
      [{ from: '2026-10-25 02:20:00' }, 4],
      [{ from: '2026-10-25 02:20:01' }, 3],
      [{ from: '2026-10-25 00:00:00', to: '2026-10-25 02:20:00' }, 3],
      [{ from: '2026-10-25 00:00:00', to: '2026-10-25 23:59:59' }, 5],
      [{ from: '2026-03-29 02:30:00', to: '2026-03-29 23:59:59' }, 3],
      [{ from: '2026-03-29 02:00:00', to: '2026-03-29 02:59:59' }, 0],
      [{ from: '2026-03-29 02:59:59', to: '2026-03-29 03:00:00' }, 1],
      [{ from: '2026-03-29 00:00:00', to: '2026-03-29 02:30:00' }, 1],
      [{ from: '2026-03-29 00:00:00', to: '2026-03-29 23:59:59' }, 4],
      // The ends of the calendar, as programs write "no limit".
      [{ from: '2026-03-02 00:00:00', to: '9999-12-31 23:59:59' }, 9],
      [{ from: '1969-12-31 23:59:59', to: '2026-03-29 01:59:59' }, id === 'T2' ? 2 : 1],
      [{ from: '0001-01-01 00:00:00', to: '2026-03-29 01:59:59' }, id === 'T2' ? 2 : 1],
      [{ to: '0001-01-01 00:00:00' }, 0],
    ] satisfies [Span, number][]) {
      test(`${id}: ${JSON.stringify(span)} are ${count}`, async () => assert.equal(await found(list, span), count));
    }

    // Guarantee: an impossible date is refused and causes no 500.
    for (const from of ['0000-01-01 00:00:00', '0000-12-31 23:59:59', '9999-01-01 00:00:00', '9999-12-31 23:59:59']) {
      test(`${id}: 400 for from=${from}`, async () => {
        const answer = await list({ from });
        assert.equal(answer.status, 400, answer.text);
        assert.deepEqual(faultsOf(answer), ['not_valid from']);
      });
    }
  }
});

type Shape = { readonly properties?: object };
