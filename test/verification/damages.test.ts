// The table of damages is complete: `npm run prove -- damage` makes each of them, and test/prove/share.test.ts some.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { findings } from '../../contract/codes/findings.ts';
import { allDamages, type Damages } from '../support/damages/all.ts';
import { draw } from '../support/damages/drawn.ts';
import { nobody, noticed, noticedAtStripe } from '../support/damages/noticed.ts';
import { aService, type Service } from '../support/service.ts';
import { listMoneyColumns } from '../support/tampering.ts';

const fewest = 150;

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

  // Guarantee: money is never nobody's. Lines of a statement exist only while a run compares them.
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
