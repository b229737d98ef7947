// The table of damages is complete, and each of them is noticed by the part that should; by verify as a whole in `npm run
// prove -- damage`, some of them in test/prove/share.test.ts.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { findings } from '../../contract/codes/findings.ts';
import { allDamages, type Damages } from '../support/damages/all.ts';
import { draw } from '../support/damages/drawn.ts';
import { nobody, noticed, noticedAtStripe } from '../support/damages/noticed.ts';
import { aService, type Service } from '../support/service.ts';
import { type Find, listMoneyColumns, unnoticed, untilFound } from '../support/tampering.ts';
import { findingsAgain, findingsOf } from '../support/verify.ts';
import { aWholeBusiness } from '../support/whole-business.ts';

const fewest = 150;

/** What only a run of everything finds, so that only another one says that it is gone. */
const onlyByEverything = new Set([
  'transactions_miscounted',
  'recurring_miscounted',
  'recurring_mislisted',
  'refunds_miscounted',
  'event_positions_gap',
  'move_wrong',
  'days_wrong',
  'price_changed',
  'price_list_changed',
  'own_price_differs',
  'sums_wrong',
  'statement_notes_differ',
  // Of the chain of journals every run of what changed since then reads the same.
  'journal_changed',
  'entry_changed',
  'seal_breaks_chain',
  'seals_missing',
  'journal_missing',
]);

suite('the table of damages', () => {
  let service: Service;
  let all: Damages;
  before(async () => {
    service = await aService();
    all = await allDamages(service.world.db.sql);
  });

  // Guarantee: whoever adds a table or a money column says who notices when it is damaged.
  test('has every table and every money column', () => {
    assert.deepEqual(all.unlisted, []);
  });

  // Guarantee: money is never nobody's. Lines of a statement are the acquirer's word, and exist only while a run compares them.
  test('leaves no table with money to nobody', async () => {
    const columns = await listMoneyColumns(service.world.db.sql);
    const left = [...new Set(columns.map(({ table }) => table))].filter((table) => table in nobody);
    assert.deepEqual(left.toSorted(), ['reconciliation_line']);
  });

  test('has nothing that is not in the schema', async () => {
    const drawn = new Set((await draw(service.world.db.sql)).map(({ what }) => what));
    assert.deepEqual(
      Object.keys({ ...noticed, ...noticedAtStripe }).filter((what) => !drawn.has(what)),
      [],
    );
  });

  // Guarantee: each says by which sentence it is noticed, and there are enough of them, each once.
  test('says who notices', () => {
    const unknown = all.damages.filter(({ noticed: by }) => by !== 'schema' && !(by in findings));
    assert.deepEqual(
      unknown.map(({ what }) => what),
      [],
    );
    assert.equal(new Set(all.damages.map(({ what }) => what)).size, all.damages.length);
    assert.ok(all.damages.length >= fewest, `${all.damages.length} damages`);
  });
});

suite('in a business', () => {
  let service: Service;
  before(async () => {
    service = await aWholeBusiness();
    // It leaves the checkpoint that some damages change.
    assert.deepEqual(await findingsOf(service.world), []);
  });

  // Guarantee: no single change by SQL to what concerns money is unnoticed by the one who should notice it.
  // Five hundred damages, each with a verify of its part: the limit is for one that never ends.
  test('each is noticed by the schema, or by verify with its sentence', { timeout: 400_000 }, async () => {
    const { damages } = await allDamages(service.world.db.sql);
    const parts = new Map<string, string>();
    const find = untilFound(parts);
    const [asked, lost] = [new Set<string>(), new Set<string>()];
    const findAgain: Find = async (world, sql, expected) => {
      const found = await find(world, sql, expected);
      const wrong = found.filter(({ code }) => code === expected);
      if (wrong.length > 0 && !asked.has(expected)) {
        const again = await findingsAgain(world, sql, { wrong, only: parts.get(expected) });
        if (!again.some(({ code }) => code === expected)) lost.add(expected);
        asked.add(expected);
      }
      return found;
    };
    const { tried, missed } = await unnoticed(service, damages, { find: findAgain });
    assert.deepEqual(missed, []);
    assert.equal(tried, damages.length);
    // What an hourly run named is named again by the next one, whatever became of its row.
    assert.deepEqual(
      [...lost].filter((code) => !onlyByEverything.has(code)),
      [],
    );
  });

  for (const [part, table, set] of [
    ['banking', 'charge', 'amount_minor = amount_minor + 1'],
    ['refunds', 'refund', 'fee_minor = fee_minor + 1'],
    ['disputes', 'dispute', 'amount_minor = amount_minor + 1'],
    ['payouts', 'payout', 'fee_minor = fee_minor + 1'],
    ['reconciliation', 'acquirer_payout', 'amount_minor = amount_minor + 1'],
  ] as const) {
    // Guarantee: the accounts that all payments share are what the rows of each room say, whatever else is noticed.
    test(`the sums of ${part} say it too`, async () => {
      const damage = { what: part, statements: [`update ${table} set ${set}`], noticed: 'account_sum_wrong' };
      const find: Find = (world, sql) => findingsOf(world, sql, part);
      assert.deepEqual((await unnoticed(service, [damage], { find })).missed, []);
    });
  }
});
