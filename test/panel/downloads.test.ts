// Files that people download, while something happens to their reader.

import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { Streamed } from '../../src/http/index.ts';
import type { Person } from '../../src/identity/index.ts';
import { Downloads } from '../../src/panel/downloads.ts';
import { within } from '../../src/runtime/index.ts';
import { aPerson, type TestPerson } from '../support/panel.ts';
import { openSocket } from '../support/raw.ts';
import { aMerchant, aService, type Service, type TestMerchant } from '../support/service.ts';

suite('downloads', () => {
  let service: Service;
  let merchant: TestMerchant;
  let downloads: Downloads;

  before(async () => {
    service = await aService();
    merchant = await aMerchant(service);
    downloads = new Downloads(service.world);
  });

  async function personOf({ cookie }: TestPerson, viewed?: string): Promise<Person> {
    const { authenticate } = service.rooms.identity;
    return (await authenticate.ask(cookie.split('=')[1])).actAs(viewed);
  }

  /** A file that never ends, and how it goes on. */
  function endless(text: string) {
    const seen = { read: 0, ended: false };
    async function* pages() {
      try {
        for (;;) {
          seen.read += 1;
          yield text;
          await service.world.db.sql.many(() => 0)`select 1`;
        }
      } finally {
        seen.ended = true;
      }
    }
    return { file: new Streamed({}, pages()), seen };
  }

  const partsOf = ({ chunks }: Streamed) => chunks[Symbol.asyncIterator]();
  const turn = () => service.world.db.sql.many(() => 0)`select 1`;
  /** Fails instead of waiting for what never happens. */
  const until = async (what: string, isSo: () => boolean) => {
    for (let left = 5_000; left > 0 && !isSo(); left -= 1) await turn();
    assert.ok(isSo(), what);
  };

  const blockings: Record<string, (person: TestPerson, accountId: string) => Promise<unknown>> = {
    'they are blocked': async ({ id }) => {
      const owner = await aPerson(service, 'owner', merchant.id);
      const { status } = await owner.ask('POST', `/panel/api/users/${id}`, { body: { blocked: true } });
      assert.equal(status, 200);
    },
    'their account is blocked': async (_, accountId) => {
      const operator = await aPerson(service, 'operator', null);
      const body = { status: 'blocked' };
      assert.equal((await operator.ask('POST', `/panel/api/operator/accounts/${accountId}`, { body })).status, 200);
    },
    'they sign out': (person) => person.ask('POST', '/panel/api/sign-out'),
  };
  for (const [what, happens] of Object.entries(blockings)) {
    // Guarantee: who may see an account no more gets nothing more of it, and no file that looks whole.
    test(`break off when ${what}`, async () => {
      const accountId = what.startsWith('their') ? (await aMerchant(service)).id : merchant.id;
      const person = await aPerson(service, 'read_only', accountId);
      const { file, seen } = endless('row\n');
      const parts = partsOf(downloads.guard(await personOf(person), file));
      assert.deepEqual(
        [await parts.next(), await parts.next()].map(({ value }) => value),
        ['row\n', 'row\n'],
      );
      await happens(person, accountId);
      await assert.rejects(parts.next(), /may see it no more/);
      assert.deepEqual([seen.read, (await parts.next()).done], [2, true]);
    });
  }

  test('go on for an operator who looks at a blocked account', async () => {
    const operator = await aPerson(service, 'operator', null);
    const { id } = await aMerchant(service);
    const parts = partsOf(downloads.guard(await personOf(operator, id), endless('row\n').file));
    await parts.next();
    await operator.ask('POST', `/panel/api/operator/accounts/${id}`, { body: { status: 'blocked' } });
    assert.equal((await parts.next()).value, 'row\n');
    await parts.return?.();
  });

  // Guarantee: a search that finds nothing does not go on for somebody who left.
  test('end when the reader hangs up, also between parts', async () => {
    const { file, seen } = endless('');
    const parts = partsOf(downloads.guard(await personOf(await aPerson(service, 'staff', merchant.id)), file));
    const next = parts.next();
    await until('it reads on', () => seen.read >= 3);
    await parts.return?.();
    assert.equal((await within(30_000, 'The download never ended.', next)).done, true);
    const { read } = seen;
    await until('its pages end', () => seen.ended);
    assert.ok(seen.read <= read + 1);
  });

  // Guarantee: a file ends with its last part, and leaves its place to the next one.
  test('end with their last part', async () => {
    const person = await personOf(await aPerson(service, 'staff', merchant.id));
    async function* pages() {
      yield* ['one\n', '', 'two\n'];
    }
    for (let times = 0; times < 4; times += 1) {
      const parts = partsOf(downloads.guard(person, new Streamed({}, pages())));
      const read = async () => [await parts.next(), await parts.next(), await parts.next()];
      const turns = await within(30_000, 'The download never ended.', read());
      assert.deepEqual(
        turns.map(({ value, done }) => (done ? 'the end' : value)),
        ['one\n', 'two\n', 'the end'],
      );
    }
  });

  // Guarantee: one person cannot keep the database busy with files; whoever hung up does not count.
  test('429 for the fourth at once', async () => {
    const person = await personOf(await aPerson(service, 'staff', merchant.id));
    const all = [1, 2, 3].map(() => partsOf(downloads.guard(person, endless('row\n').file)));
    const refused = /too_many_requests/;
    assert.throws(() => downloads.guard(person, endless('row\n').file), refused);
    await all[0]?.return?.();
    await all[0]?.return?.();
    const again = partsOf(downloads.guard(person, endless('row\n').file));
    assert.throws(() => downloads.guard(person, endless('row\n').file), refused);
    for (const parts of [again, ...all]) await parts.return?.();
  });

  // Guarantee: downloads whose reader was gone before the response keep no place.
  test('connections that break before the response leave nothing behind', async () => {
    const person = await aPerson(service, 'staff', merchant.id);
    const path = '/panel/api/transactions/export?amountFrom=1';
    for (let index = 0; index < 12; index += 1) {
      const socket = await openSocket(service.url);
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nCookie: ${person.cookie}\r\n\r\n`);
      if (index % 2 === 0) await turn();
      socket.resetAndDestroy();
      service.world.wall.advance({ milliseconds: 100 });
    }
    const tries = { left: 500, status: 0 };
    for (; tries.left > 0 && tries.status !== 200; tries.left -= 1) {
      service.world.wall.advance({ milliseconds: 20 });
      tries.status = (await person.ask('GET', path)).status;
    }
    assert.equal(tries.status, 200, 'a place is free again');
    service.world.wall.advance({ seconds: 1 });
    const all = await Promise.all([1, 2, 3].map(() => person.ask('GET', path)));
    assert.deepEqual(
      all.map(({ status }) => status),
      [200, 200, 200],
    );
  });
});
