// What changed, as it changes: P40.

import { Type } from '../schema.ts';
import { panelEndpoint } from './shared.ts';

export const liveKinds = ['transactions', 'money', 'refunds', 'recurring', 'marketplace', 'notifications'] as const;

export const followLive = panelEndpoint({
  id: 'P40',
  name: 'followLive',
  method: 'GET',
  path: '/panel/api/live',
  access: 'read',
  summary: 'Follow changes',
  description:
    'Server-sent events. `ready` comes first; then `changed` with `{"kinds": [...]}`, at most once a second: what of the ' +
    'account is to be read again. `money` comes when the kept sums have changed, shortly after the payment itself. ' +
    '`ended` comes when the session has ended; otherwise connect again when the connection ends. A user can follow on ' +
    'ten connections.',
  responses: { 200: Type.String({ description: `Kinds: ${liveKinds.join(', ')}.` }) },
  streams: ['text/event-stream'],
  failures: [429],
  example: { response: '' },
});

export const liveEndpoints = [followLive];
