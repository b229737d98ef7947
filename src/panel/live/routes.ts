import { followLive } from '../../../contract/panel/live.ts';
import { on, type Route, Streamed } from '../../http/index.ts';
import { type Person, viewerOf } from '../../identity/index.ts';
import type { LiveFeed } from './feed.ts';

export const liveRoutes = (feed: LiveFeed): Route<Person>[] => [
  on(followLive, async ({ caller }) => {
    // Without buffering by proxies.
    const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' };
    return new Streamed(headers, await feed.follow(viewerOf(caller)));
  }),
];
