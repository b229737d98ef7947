// A merchant who repeats a request with its idempotency key, at any node, until it gets a response.

import { pause } from '../../src/runtime/index.ts';
import type { Post } from './posts.ts';
import { type Answer, ask, NoAnswer } from './service.ts';

const triesAtMost = 5_000;
/** At first without a pause, so that it meets the other requests; later it would only keep both nodes busy. */
const triesInARow = 20;
const pauseMilliseconds = 20;

/** Sends the request until its response is final. `url` chooses the node of each attempt. */
export async function untilAnswered(post: Post, key: string, url: () => string): Promise<Answer> {
  let meanwhile = post.meanwhile;
  let nextLook = 1;
  for (let tried = 1; tried <= triesAtMost; tried += 1) {
    const answer = await send(post, key, url());
    if (answer && isFinal(answer)) return answer;
    if (tried >= triesInARow) await pause(pauseMilliseconds);
    if (!meanwhile || tried < nextLook) continue;
    // With growing intervals: counting takes the database longer than refusing a request.
    nextLook *= 2;
    if ((await post.effects()) === 0) continue;
    await meanwhile();
    meanwhile = undefined;
  }
  throw new Error(`${post.path} was not answered in ${triesAtMost} tries.`);
}

/** One attempt; undefined if the node is gone. */
export async function send({ path, body, token }: Post, key: string, url: string): Promise<Answer | undefined> {
  try {
    return await ask(url, 'POST', path, { token, body, headers: { 'idempotency-key': key } });
  } catch (error) {
    if (error instanceof NoAnswer) return undefined;
    throw error;
  }
}

function isFinal({ status, body }: Answer): boolean {
  return status !== 503 && !(status === 409 && body.errors[0].errorCode === 'request_in_progress');
}
