// The process dies after a request had its effect and before its response is stored; the merchant repeats the request
// at another node. What other merchants' requests and the engine did meanwhile is kept.

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import pg from 'pg';
import { type Answer, openIdempotency } from '../../src/http/index.ts';
import { Gate, gatedDatabase } from '../support/gate.ts';
import { checkInvariants } from '../support/payments.ts';
import { aPostNode, endLeases, type PostNode } from '../support/post-nodes.ts';
import { aPostStage, keyedPosts, type Post, type PostKind, type PostStage } from '../support/posts.ts';
import { send, untilAnswered } from '../support/repeats.ts';
import { aMerchant, aNode, aService, atEnd, type Service, serve, serveOnly } from '../support/service.ts';

const lease = { seconds: 60 };
const usualLimits = { rowsAtMost: 500, lanes: 1, queueAtMost: 20_000 };
const everyKind = keyedPosts.flatMap(({ id, kinds }) =>
  kinds.map((kind) => ({ id, name: `${id} ${kind.name}`, kind })),
);

suite('the service dies before a response is stored', () => {
  let stage: PostStage;
  let other: Service;

  before(async () => {
    stage = await aPostStage();
    other = await serve(await aNode(stage.home.world));
  });
  after(() => checkInvariants(stage.home.world));

  for (const [index, { id, name, kind }] of everyKind.entries()) {
    // Guarantee: the repeat succeeds, and the effect happened once, whatever others did in between; even if the first
    // process was only asleep.
    test(name, async () => {
      const { world } = stage.home;
      const post = await kind.prepare(stage);
      const gate = new Gate();
      const node = await aNode(world);
      const dying = await serveOnly({ ...node, db: gatedDatabase(node.db, { before: gate }, 'idempotency answer') }, [
        id,
      ]);
      const ghost = send(post, `crash-${index}`, dying.url);
      await gate.reachedBy(ghost);
      assert.equal(await post.effects(), 1);
      await post.meanwhile?.();
      world.wall.advance(lease);
      const again = await untilAnswered(
        { ...post, meanwhile: async () => undefined },
        `crash-${index}`,
        () => other.url,
      );
      assert.ok(again.status === 200 || again.status === 201, again.text);
      assert.equal(again.headers.get('idempotent-replayed'), null, 'it ran again');
      assert.equal(await post.effects(), 1);
      gate.open();
      await ghost;
      assert.equal(await post.effects(), 1);
      const replayed = await untilAnswered(post, `crash-${index}`, () => other.url);
      assert.equal(replayed.text, again.text);
    });
  }
});

/** No response is stored while the returned client holds lock 7. */
async function holdAnswers({ home: { world } }: PostStage): Promise<pg.Client> {
  await world.db.sql.run`
    create function hold_answer() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(7);
      return new;
    end $$`;
  await world.db.sql.run`
    create trigger held before update of answered_at on idempotency_key
      for each row execute function hold_answer()`;
  const client = new pg.Client({ connectionString: world.databaseUrl });
  await client.connect();
  atEnd(() => client.end());
  return client;
}

suite('a real process ends', () => {
  let stage: PostStage;
  /** The node that all repeats are sent to. */
  let survivor: PostNode;
  let holder: pg.Client;

  before(async () => {
    stage = await aPostStage('of the machine');
    holder = await holdAnswers(stage);
    survivor = await aPostNode(stage, usualLimits);
    atEnd(() => survivor.kill());
  });

  async function untilDone(posts: readonly Post[]): Promise<void> {
    // Querying the database lets the requests continue where counting effects does not yield.
    for (const post of posts) while ((await post.effects()) === 0) await stage.home.world.db.sql.run`select`;
  }

  async function dieAndRepeat(kinds: readonly PostKind[], name: string): Promise<void> {
    const posts = [];
    for (const kind of kinds) posts.push(await kind.prepare(stage));
    const key = (index: number) => `killed-${name}-${index}`;
    const dying = await aPostNode(stage, usualLimits);
    await holder.query('select pg_advisory_lock(7)');
    const unanswered = posts.map((post, index) => send(post, key(index), dying.url));
    await untilDone(posts);
    await dying.kill();
    assert.deepEqual(
      await Promise.all(unanswered),
      posts.map(() => undefined),
    );
    await holder.query('select pg_advisory_unlock(7)');
    await Promise.all(posts.map((post) => post.meanwhile?.()));
    await endLeases(stage);
    const answers = await Promise.all(posts.map((post, index) => untilAnswered(post, key(index), () => survivor.url)));
    for (const { status, text, headers } of answers) {
      assert.ok(status === 200 || status === 201, text);
      assert.equal(headers.get('idempotent-replayed'), null, 'it ran again');
    }
    assert.deepEqual(
      await Promise.all(posts.map((post) => post.effects())),
      posts.map(() => 1),
    );
  }

  // Guarantee: ids derived from a key's seed are the same in every process, so that a repeat at another node after kill
  // -9 finds what the first one created, for every POST.
  test('every POST is repeated at another process', async () => {
    const kinds = everyKind.map(({ kind }) => kind);
    await dieAndRepeat(
      kinds.filter(({ alone }) => !alone),
      'merchants',
    );
    // Moving the clock makes other things due.
    await dieAndRepeat(
      kinds.filter(({ alone }) => alone),
      'sandbox',
    );
  });

  const usual = everyKind.filter(({ name }) => /^(E1|E2|E4|R1|R6|M3) /.test(name));

  for (const way of ['kill -9', 'SIGSTOP'] as const) {
    // Guarantee: a request whose process was killed or is frozen is carried on at another node within seconds, not after
    // the 60 s of its lease; when a frozen one goes on, nothing happens twice, and all get the same response.
    test(`${way}: the lease of a run ends with its process`, async () => {
      const keyOf = (index: number) => `ended-by-${way === 'SIGSTOP' ? 'stop' : 'kill'}-${index}`;
      const dying = await aPostNode(stage, usualLimits);
      const posts: Post[] = [];
      for (const { kind } of usual) posts.push(await kind.prepare(stage));
      await holder.query('select pg_advisory_lock(7)');
      const first = posts.map((post, index) => send(post, keyOf(index), dying.url));
      await untilDone(posts);
      if (way === 'SIGSTOP') dying.signal('SIGSTOP');
      else await dying.kill();
      const endedAt = performance.now();
      await holder.query('select pg_advisory_unlock(7)');
      const again = await Promise.all(
        posts.map((post, index) => untilAnswered(post, keyOf(index), () => survivor.url)),
      );
      const milliseconds = performance.now() - endedAt;
      for (const { status, text } of again) assert.ok(status === 200 || status === 201, text);
      // Four seconds, and what a busy machine adds.
      assert.ok(milliseconds < 20_000, `${milliseconds} ms`);
      if (way === 'SIGSTOP') {
        dying.signal('SIGCONT');
        const late = await Promise.all(first);
        for (const [index, answer] of late.entries()) assert.ok(answer, `${posts[index]?.path} was not answered`);
        await dying.kill();
      }
      assert.deepEqual(
        await Promise.all(posts.map((post) => post.effects())),
        posts.map(() => 1),
      );
      await checkInvariants(stage.home.world);
    });
  }
});

suite('the lease of a claim', () => {
  // Guarantee: while a run holds a key, first or resumed, no other run starts; after 60 seconds the next one takes
  // over.
  test('one run at a time', async () => {
    const service = await aService();
    const { id: accountId } = await aMerchant(service);
    const { db, wall, random, vault } = service.world;
    const nodes = Array.from({ length: 3 }, () => openIdempotency({ db, wall, random, vault }));
    const request = { accountId, key: 'one-at-a-time', method: 'POST', path: '/x', body: {} };
    const runs: boolean[] = [];
    const gates = [new Gate(), new Gate(), new Gate()];
    const run = (node: number): Promise<Answer> => {
      const idempotency = nodes[node] as (typeof nodes)[number];
      return idempotency.run(request, ({ resumed }) => ({
        check: () => undefined,
        async perform() {
          runs.push(resumed);
          await gates[node]?.pass();
          return { status: 200, body: String(node) };
        },
      }));
    };
    const isRefused = (node: number) => {
      const ran = gates[node]?.arrived().then(() => ({ status: 0, body: 'it ran' }));
      return assert.rejects(Promise.race([run(node), ran]), { code: 'request_in_progress' });
    };
    const first = run(0);
    await gates[0]?.reachedBy(first);
    wall.advance({ seconds: 59 });
    await isRefused(1);
    wall.advance({ seconds: 1 });
    const second = run(1);
    await gates[1]?.reachedBy(second);
    wall.advance({ seconds: 59 });
    await isRefused(2);
    wall.advance({ seconds: 1 });
    const third = run(2);
    await gates[2]?.reachedBy(third);
    assert.deepEqual(runs, [false, true, true]);
    for (const gate of gates.toReversed()) gate.open();
    assert.deepEqual(
      (await Promise.all([first, second, third])).map(({ status }) => status),
      [200, 200, 200],
    );
  });
});
