// Every POST of the contract with an idempotency key, while every batch queue is full most of the time: some step of a
// request gets a 503, whatever was done before it, and the merchant repeats the request.

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { checkInvariants } from '../support/payments.ts';
import { aPostStage, keyedPosts, type PostKind, type PostStage } from '../support/posts.ts';
import { untilAnswered } from '../support/repeats.ts';
import { aNode, type Service, serve } from '../support/service.ts';

const batchLimits = { rowsAtMost: 1, lanes: 1, queueAtMost: 1 };
const atOnce = 12;

suite('every POST, every queue tiny', () => {
  let stage: PostStage;
  let nodes: Service[];
  let sent = 0;

  before(async () => {
    stage = await aPostStage();
    const node = async () => serve(await aNode(stage.home.world, { batchLimits }));
    nodes = [await node(), await node()];
  });
  after(() => checkInvariants(stage.home.world));

  function anyNode(): string {
    sent += 1;
    return nodes[sent % nodes.length]?.url ?? '';
  }

  async function storm(id: string, kind: PostKind): Promise<void> {
    const posts = [];
    for (let made = 0; made < (kind.alone ? 1 : atOnce); made += 1) posts.push(await kind.prepare(stage));
    const answers = await Promise.all(
      posts.map((post, index) => untilAnswered(post, `${id}-${kind.name.replaceAll(/\W/g, '-')}-${index}`, anyNode)),
    );
    for (const { status, text } of answers) assert.ok(status === 200 || status === 201, text);
    assert.deepEqual(
      await Promise.all(posts.map((post) => post.effects())),
      posts.map(() => 1),
    );
  }

  for (const { id, kinds } of keyedPosts) {
    for (const kind of kinds) {
      // Guarantee: a request repeated with its key has one effect, wherever its first run got a 503.
      test(`${id} ${kind.name}`, () => storm(id, kind));
    }
  }
});
