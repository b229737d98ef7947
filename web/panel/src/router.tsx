// Routes from the list of screens. Everything but the sign-in pages needs a session.

import { QueryClient } from '@tanstack/react-query';
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouteComponent,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router';
import { whenSignedOut } from './api/client.ts';
import { ApiError } from './api/failure.ts';
import { type Session, sessionQuery, useSession } from './api/session.ts';
import { homeOf, isUsable, tabsOf } from './menu/menu.ts';
import type { Screen } from './menu/screen.ts';
import { publicPages } from './screens/sign-in/routes.ts';
import { screens } from './screens.ts';
import { Crash } from './shell/crash.tsx';
import { Forbidden } from './shell/forbidden.tsx';
import { Shell } from './shell/shell.tsx';
import { Unopened } from './shell/unopened.tsx';
import type { Search } from './ui/link.tsx';
import { Loading } from './ui/loaded.tsx';
import { Missing } from './ui/missing.tsx';

/** A refusal is final; what could not be reached is tried once more. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => failures < 1 && !(error instanceof ApiError && error.status < 500),
      staleTime: 5_000,
      refetchOnWindowFocus: true,
      // Without a network a request fails and says so, instead of waiting behind the rows of the previous question.
      networkMode: 'always',
      refetchOnReconnect: true,
    },
  },
});

const root = createRootRoute({
  component: Outlet,
  errorComponent: Unopened,
  search: { middlewares: [retainSearchParams(['as'] as never)] },
});

const publicRoutes = publicPages.map(({ path, load }) =>
  createRoute({ getParentRoute: () => root, path, component: lazyRouteComponent(load), pendingComponent: Loading }),
);

async function sessionOrSignIn(to: string): Promise<Session> {
  try {
    return await queryClient.ensureQueryData(sessionQuery);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) throw redirect({ to: '/sign-in', search: { to } as never });
    throw error;
  }
}

const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: Shell,
  pendingComponent: Loading,
  errorComponent: Unopened,
  beforeLoad: async ({ location }) => {
    await sessionOrSignIn(location.href);
  },
});

/** Where somebody lands who may not use the screen: on one that they may. */
async function enter(screen: Screen): Promise<void> {
  const session = await queryClient.ensureQueryData(sessionQuery);
  const [tab] = screen.load ? [] : tabsOf(screen.path, session);
  if (tab) throw redirect({ to: tab.path, replace: true });
  const home = homeOf(session);
  if (screen.path === '/' && home && !isUsable(screen, session)) throw redirect({ to: home.path, replace: true });
}

/** Screens are no secret, what is in them is: who may not see one learns who may. */
function guarded(screen: Screen): RouteComponent {
  if (!screen.load) return () => <Forbidden who={screen.who} />;
  const Content = lazyRouteComponent(screen.load, 'default');
  const Guarded = () => (isUsable(screen, useSession()) ? <Content /> : <Forbidden who={screen.who} />);
  return Content.preload ? Object.assign(Guarded, { preload: Content.preload }) : Guarded;
}

const screenRoutes = screens.map((screen) =>
  createRoute({
    getParentRoute: () => inside,
    path: screen.path,
    beforeLoad: () => enter(screen),
    component: guarded(screen),
    pendingComponent: Loading,
    errorComponent: Crash,
  }),
);
const nowhere = createRoute({ getParentRoute: () => inside, path: '$', component: Missing });

/** Values stay text as they are in the address: no JSON in it. */
const parseSearch = (text: string): Search => Object.fromEntries(new URLSearchParams(text));
function stringifySearch(search: Search): string {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) if (value) text.set(name, value);
  return text.size > 0 ? `?${text}` : '';
}

export const router = createRouter({
  routeTree: root.addChildren([...publicRoutes, inside.addChildren([...screenRoutes, nowhere])]),
  basepath: '/panel',
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPendingMs: 300,
  scrollRestoration: true,
});

/** Signed out, here or elsewhere: nothing of the session stays in memory, and sign-in leads back. */
whenSignedOut(() => {
  const { pathname, href } = router.state.location;
  if (publicPages.some(({ path }) => path === pathname)) return;
  queryClient.clear();
  void router.navigate({ to: '/sign-in', search: { to: href } as never });
});
