// A list that grows below its rows. One request looks through a bounded number of rows, so a page may be empty although
// there is more.

import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Answer, ReadName } from '../../api/endpoints.ts';
import { Loaded } from '../loaded.tsx';
import { useAsked } from './declared.tsx';
import { ask, type Declaration, ListFrame, None, Rows } from './list.tsx';

export interface Grown<N extends ReadName> {
  readonly count: number;
  readonly last: Answer<N>;
  readonly isMore: boolean;
  readonly busy: boolean;
  readonly more: () => void;
}

interface GrowingListProps<N extends ReadName, Row> extends Omit<Declaration<N, Row>, 'above'> {
  /** Above the filters, by their values. */
  readonly above?: (filters: Readonly<Record<string, string>>) => ReactNode;
  /** Below the rows: how many there are, and a way to more. */
  readonly foot: (grown: Grown<N>) => ReactNode;
}

const nextBefore = (answer: { readonly nextBefore?: string | null }) => answer.nextBefore ?? null;

export function GrowingList<N extends ReadName, Row>({ above, foot, ...rest }: GrowingListProps<N, Row>) {
  const asked = useAsked(rest.filters ?? {}, 'before');
  const list: Declaration<N, Row> = { ...rest, above: above?.(asked.values) };
  const found = useInfiniteQuery({
    queryKey: [list.endpoint, { query: asked.query }, 'pages'],
    queryFn: ({ pageParam: before, signal }) =>
      ask(list.endpoint, before === null ? asked.query : { ...asked.query, before }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => nextBefore(last as object),
    placeholderData: keepPreviousData,
  });
  const more = () => void found.fetchNextPage();
  return (
    <ListFrame list={list} asked={asked}>
      <Loaded query={found}>
        {({ pages }) => {
          const rows = pages.flatMap(list.rows);
          const last = pages.at(-1);
          const isMore = last !== undefined && nextBefore(last as object) !== null;
          if (last === undefined || (rows.length === 0 && !isMore))
            return <None list={list} isPart={asked.active > 0} hasMore={false} />;
          return (
            <>
              {rows.length > 0 ? <Rows list={list} rows={rows} /> : null}
              {foot({ count: rows.length, last, isMore, busy: found.isFetchingNextPage, more })}
            </>
          );
        }}
      </Loaded>
    </ListFrame>
  );
}
