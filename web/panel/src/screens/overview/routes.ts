import { IconLayoutDashboard } from '@tabler/icons-react';
import type { Screen } from '../../menu/screen.ts';

export const overview: readonly Screen[] = [
  {
    path: '/',
    name: 'overview',
    icon: IconLayoutDashboard,
    key: 'o',
    who: 'account',
    load: () => import('./screen.tsx'),
  },
];
