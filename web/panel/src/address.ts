// Filters live in the address, so that a view can be shared and the browser's back button works.

import { useLocation, useNavigate, useParams } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { Search } from './ui/link.tsx';

/** A part of the path, as in `/transactions/$transactionId`. */
export function usePathPart(name: string): string {
  const params: Readonly<Record<string, string | undefined>> = useParams({ strict: false });
  return params[name] ?? '';
}

/**
 * The values of the address's search with these names, empty if absent, and a function that changes some of them. It
 * replaces the entry in the history unless `push`.
 */
export function useFilters<const Name extends string>(names: readonly Name[]) {
  const { search } = useLocation();
  const navigate = useNavigate();
  const given = search as Search;
  const values = useMemo(
    () => Object.fromEntries(names.map((name) => [name, given[name] ?? ''])) as Record<Name, string>,
    [given, names],
  );
  const change = useCallback(
    (changes: Partial<Record<Name, string>>, { push = false } = {}) =>
      void navigate({
        to: '.',
        replace: !push,
        search: (before: Search) =>
          Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value)),
      }),
    [navigate],
  );
  return [values, change] as const;
}
