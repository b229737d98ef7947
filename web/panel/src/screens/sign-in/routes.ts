/** For people who are not signed in. */
export const publicPages = [
  { path: '/sign-in', load: () => import('./screen.tsx') },
  { path: '/forgot', load: () => import('./forgot.tsx') },
  { path: '/password', load: () => import('./password.tsx') },
];
