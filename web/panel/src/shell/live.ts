// What is on screen is read again when something happens to it, for as long as somebody can see it.

import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { follow, type LiveKind, pause } from '../api/live.ts';
import { useSession } from '../api/session.ts';

/** Which endpoints show what. */
const shownBy: Readonly<Record<LiveKind, RegExp>> = {
  transactions: /\/transactions|\/overview|\/attention/,
  money: /\/overview|\/balance|\/ledger|\/statements|\/attention/,
  refunds: /refunds|\/transactions|\/attention/,
  recurring: /recurring|\/attention/,
  marketplace: /marketplace/,
  notifications: /notifications|\/attention|\/transactions\/\{/,
};
const allKinds = Object.keys(shownBy) as LiveKind[];

/** A shop that is paid all the time shall not keep the browser busy. */
const restMilliseconds = 2_000;

/** Whoever has gone on to older pages reads them, and would read all of them again each time. */
function isPaged({ state: { data } }: Query): boolean {
  const pages = (data as { readonly pages?: readonly unknown[] } | undefined)?.pages;
  return (pages?.length ?? 0) > 1;
}

/** Reads again what is on screen; what is told meanwhile is read together afterwards. */
function refresher(client: QueryClient, signal: AbortSignal): (kinds: readonly LiveKind[]) => void {
  const waiting = new Set<LiveKind>();
  let running = false;
  async function run(): Promise<void> {
    running = true;
    while (waiting.size > 0 && !signal.aborted) {
      const kinds = [...waiting];
      waiting.clear();
      const isShown = (query: Query) => kinds.some((kind) => shownBy[kind].test(String(query.queryKey[0])));
      await client.invalidateQueries({ predicate: (query) => isShown(query) && !isPaged(query) });
      await pause(restMilliseconds, signal);
    }
    running = false;
  }
  return (kinds) => {
    for (const kind of kinds) waiting.add(kind);
    if (!running) void run();
  };
}

/** While the page is visible: browsers allow few connections to a site, and hidden tabs would take them all. */
export function useLive(): void {
  const client = useQueryClient();
  const accountId = useSession().account?.id;
  useEffect(() => {
    if (accountId === undefined) return;
    let following: AbortController | undefined;
    function turn(): void {
      if (document.visibilityState === 'hidden') {
        following?.abort();
        following = undefined;
      } else if (!following) {
        following = new AbortController();
        const { signal } = following;
        void follow(signal, refresher(client, signal), allKinds);
      }
    }
    turn();
    document.addEventListener('visibilitychange', turn);
    return () => {
      document.removeEventListener('visibilitychange', turn);
      following?.abort();
    };
  }, [client, accountId]);
}
