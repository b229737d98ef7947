import { followLive } from '../../../contract/panel/live.ts';
import { on, type Route, Streamed } from '../../platform/index.ts';
import { accountOf, type Person } from '../model.ts';
import type { LiveFeed } from './feed.ts';

export const liveRoutes = (feed: LiveFeed): Route<Person>[] => [
  on(followLive, async ({ caller }) => {
    const viewer = { userId: caller.user.id, sessionId: caller.session.id, accountId: accountOf(caller).id };
    // Without buffering by proxies.
    const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' };
    return new Streamed(headers, await feed.follow(viewer));
  }),
];
