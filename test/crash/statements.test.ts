// The process dies at every edge of an import: while it reads, accepts and books. The edges are counted, not listed: it dies
// at the first, the second and so on, until it survives.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { importFile } from '../../src/statements/import.ts';
import { mt940 } from '../bankfiles/files.ts';
import { balanceOf, counts, fileOf, importInto, openOurs } from '../statements/support.ts';
import { inWords } from '../support/findings.ts';
import { aMortalNode } from '../support/mortal.ts';
import { aWorld, roomsOf } from '../support/service.ts';
import { findingsOf } from '../support/verify.ts';

const edgesAtMost = 60;
/** No payouts. */
const none = {
  settlePaid: async () => new Set<string>(),
  settleReturned: async () => new Set<string>(),
  undoMoved: async () => false,
};
/** More than a page, so that it also dies between two. */
const [lines, linesAtOnce] = [7, 3];

function statement(number: number): string {
  const day = Temporal.PlainDate.from('2026-10-01').add({ days: number }).toString().replaceAll('-', '').slice(2);
  const all = Array.from({ length: lines }, (_, index) => `:61:${day}C1,00NTRFX//${number}B${index}\r\n:86:title`);
  const opening = String((number - 1) * lines);
  const head = [`:20:S${number}`, ':25:PL61109010140000071219812874', `:28C:${number}/1`];
  return mt940({ head, opening: `C${day}PLN${opening},00`, closing: `C${day}PLN${number * lines},00`, lines: all });
}

suite('an import, killed at every edge', () => {
  // Guarantee: whenever the process dies, the same file is booked once, by the next import or by the engine.
  test('of a statement with more than a page of lines', async () => {
    const world = await aWorld();
    await openOurs(world);
    const died: string[] = [];
    for (let dieAt = 1; ; dieAt += 1) {
      assert.ok(dieAt <= edgesAtMost, 'too many edges');
      const content = statement(dieAt);
      const node = aMortalNode(world, dieAt);
      const edge = await node.live((dying) =>
        importFile(
          { ...dying, nodes: { self: null, isDead: () => false }, payouts: none, linesAtOnce },
          fileOf(content),
        ),
      );
      // Its lease is over.
      world.wall.advance({ minutes: 10 });
      const works = (await roomsOf(world)).works.filter(({ name }) => name === 'book_statements');
      if (dieAt % 2 === 0) for (const { run } of works) while ((await run()) > 0);
      await importInto(world, content);
      assert.deepEqual(
        await counts(world),
        { journals: dieAt * lines, lines: dieAt * lines, statements: dieAt },
        edge ?? 'lived',
      );
      assert.equal(await balanceOf(world, 'bank:client'), BigInt(dieAt * lines * 100), edge ?? 'lived');
      if (edge === undefined) break;
      died.push(edge);
    }
    assert.ok(died.filter((edge) => edge === 'before a commit').length >= 4, died.join());
    assert.deepEqual(inWords(await findingsOf(world)), []);
  });
});
