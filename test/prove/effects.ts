// Effects beyond the first under one idempotency key: every POST of the contract, at two real processes with tiny batch
// queues, killed with -9 in turn, while the merchant repeats each request until it gets a response.

import { findProblems } from '../support/invariants.ts';
import { settleAll } from '../support/payments.ts';
import { aPostNode, endLeases, type PostNode } from '../support/post-nodes.ts';
import { aPostStage, keyedPosts, type Post, type PostKind, type PostStage } from '../support/posts.ts';
import { untilAnswered } from '../support/repeats.ts';
import { figureText, isOver, type ProveOptions, type Seen, scaled } from './figure.ts';

const goalRequests = 20_000;
const goalKills = 200;
const batchLimits = { rowsAtMost: 1, lanes: 1, queueAtMost: 1 };
const ofKindAtOnce = 10;

/** Two nodes, of which one at a time is killed and replaced. */
class Nodes {
  readonly #stage: PostStage;
  #living: PostNode[] = [];
  #asked = 0;
  kills = 0;

  constructor(stage: PostStage) {
    this.#stage = stage;
  }

  async start(): Promise<void> {
    this.#living = await Promise.all([aPostNode(this.#stage, batchLimits), aPostNode(this.#stage, batchLimits)]);
  }

  /** A live node, alternating. */
  readonly url = (): string => {
    this.#asked += 1;
    return this.#living[this.#asked % this.#living.length]?.url ?? '';
  };

  async killOne(): Promise<void> {
    const [victim, ...others] = this.#living;
    if (!victim || others.length === 0) return;
    this.#living = others;
    this.kills += 1;
    await victim.kill();
    await endLeases(this.#stage);
    this.#living.push(await aPostNode(this.#stage, batchLimits));
  }

  async stop(): Promise<void> {
    for (const node of this.#living) await node.kill();
  }
}

interface Tally {
  requests: number;
  beyond: number;
  wrong: string[];
}

let keys = 0;

/** Sends all at once, kills a node when the first third got responses, and counts when all have. */
async function drive(nodes: Nodes, posts: readonly Post[], tally: Tally): Promise<void> {
  const killAt = Math.ceil(posts.length / 3);
  let answered = 0;
  let killing = Promise.resolve();
  await Promise.all(
    posts.map(async (post) => {
      keys += 1;
      const { status, text } = await untilAnswered(post, `effect-${keys}`, nodes.url);
      if (status !== 200 && status !== 201) tally.wrong.push(`${post.path}: ${status} ${text}`);
      answered += 1;
      if (answered === killAt) killing = nodes.killOne();
    }),
  );
  await killing;
  for (const post of posts) {
    const effects = await post.effects();
    tally.requests += 1;
    tally.beyond += Math.max(0, effects - 1);
    if (effects !== 1) tally.wrong.push(`${post.path}: ${effects} effects`);
  }
}

async function prepare(stage: PostStage, kinds: readonly PostKind[], ofEach: number): Promise<Post[]> {
  const posts: Post[] = [];
  for (const kind of kinds) {
    for (let made = 0; made < ofEach; made += 1) posts.push(await kind.prepare(stage));
  }
  return posts;
}

/** The figure, together with the responses and the ledger. */
export async function proveEffects(options: ProveOptions): Promise<Seen[]> {
  const goal = scaled(goalRequests, options);
  const tally: Tally = { requests: 0, beyond: 0, wrong: [] };
  const kinds = keyedPosts.flatMap((keyed) => keyed.kinds);
  const stage = await aPostStage('of the machine');
  const nodes = new Nodes(stage);
  await nodes.start();
  do {
    const ofEach = Math.min(ofKindAtOnce, Math.ceil(goal / kinds.length));
    await drive(
      nodes,
      await prepare(
        stage,
        kinds.filter(({ alone }) => !alone),
        ofEach,
      ),
      tally,
    );
    // Moving the clock makes other things due.
    await drive(
      nodes,
      await prepare(
        stage,
        kinds.filter(({ alone }) => alone),
        1,
      ),
      tally,
    );
    options.print(`${figureText(tally.requests)} of ${figureText(goal)} requests, ${nodes.kills} kills`);
  } while (tally.requests < goal && !isOver(options));
  await nodes.stop();
  await stage.keepTime();
  await settleAll(stage.home.world);
  tally.wrong.push(...(await findProblems(stage.home.world)));
  for (const note of tally.wrong.slice(0, 10)) options.print(`  ${note}`);
  return [
    {
      figure:
        'effects beyond the first under one idempotency key, every POST, every batch queue tiny, kills in between',
      goal: `0 of ${figureText(goalRequests)} requests over ${goalKills} kills`,
      seen: `${tally.beyond} of ${figureText(tally.requests)} requests over ${nodes.kills} kills`,
      met: tally.beyond === 0 && tally.wrong.length === 0,
    },
  ];
}
