// A screen with a list. It declares its endpoint, filters, columns and words; everything that lists have in common is here:
// filters in the address, one page after the other, the file, and what is shown while it loads, fails or is empty.

import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Args, callWith } from '../../api/client.ts';
import type { FileName } from '../../api/download.ts';
import type { Answer, QueryOf, ReadName } from '../../api/endpoints.ts';
import { useText } from '../../language/text.ts';
import { Loaded } from '../loaded.tsx';
import { Page } from '../page.tsx';
import { type Asked, DeclaredFilters, type FiltersOf, useAsked } from './declared.tsx';
import { Empty, type EmptyProps } from './empty.tsx';
import { Export } from './export.tsx';
import { Older, type OlderLook } from './older.tsx';
import { Pages } from './pages.tsx';
import { type Column, Table } from './table.tsx';
import { listText } from './words.ts';

/** What every list has on screen, however it goes on. */
export interface Declaration<N extends ReadName, Row> {
  readonly endpoint: N;
  readonly title: string;
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  /** The same list as a file. */
  readonly file?: FileName;
  /** Above the filters. */
  readonly above?: ReactNode;
  /** Below everything: dialogs, other parts of the screen. */
  readonly below?: ReactNode;
  /** By their names in the contract, in their order on screen. */
  readonly filters?: FiltersOf<N>;
  /** Whether all filters can be removed at once. */
  readonly clearable?: boolean;
  readonly rows: (answer: Answer<N>) => readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Those of some rows where columns without a value are left out. */
  readonly columns: readonly Column<Row>[] | ((rows: readonly Row[]) => readonly Column<Row>[]);
  /** What the table is called, if not like the screen. */
  readonly label?: string;
  /** Whether the first cell is a link for the whole row. */
  readonly links?: boolean;
  /** Shown while there is nothing at all. A list without it is shown even then. */
  readonly empty?: EmptyProps;
  /** Shown if nothing matches, where the usual words do not do. */
  readonly unmatched?: (hasMore: boolean) => EmptyProps;
}

interface ListProps<N extends ReadName, Row> extends Declaration<N, Row> {
  /** Whether the service counts it and gives it in numbered pages. */
  readonly numbered?: boolean;
  /** How the buttons to older rows look. */
  readonly older?: OlderLook;
}

/** The part of an answer that says how it goes on. */
interface Going {
  readonly nextBefore?: string | number | null;
  readonly page?: number;
  readonly limit?: number;
  readonly total?: number;
}

/** One page of a list: the newest rows and those before a place, or numbered pages, as the service gives them. */
export function List<N extends ReadName, Row>(list: ListProps<N, Row>) {
  const { endpoint, rows: rowsOf, numbered = false, older = {} } = list;
  const asked = useAsked(list.filters ?? {}, numbered ? 'page' : 'before');
  const found = useQuery(reading(endpoint, placed(asked, numbered)));
  const going: Going | undefined = found.data as object | undefined;
  const pager = <Older {...older} before={asked.place} nextBefore={going?.nextBefore} open={asked.open} />;
  return (
    <ListFrame list={list} asked={asked} after={older.inside ? null : pager}>
      <Loaded query={found}>
        {(answer) => (
          <>
            <Found list={list} rows={rowsOf(answer)} asked={asked} hasMore={Boolean(going?.nextBefore)} />
            {older.inside ? pager : null}
            <Numbers {...(answer as Going)} open={asked.open} />
          </>
        )}
      </Loaded>
    </ListFrame>
  );
}

function placed({ query, place }: Asked, numbered: boolean): object {
  if (numbered) return { ...query, page: Number(place) || 1 };
  return place ? { ...query, before: place } : query;
}

function reading<N extends ReadName>(endpoint: N, query: object) {
  return {
    queryKey: [endpoint, { query }] as QueryKey,
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => ask(endpoint, query, signal),
    placeholderData: keepPreviousData,
  };
}

/** The types of a request follow from its endpoint only where that is known, which it is to the screens. */
export function ask<N extends ReadName>(endpoint: N, query: object, signal: AbortSignal): Promise<Answer<N>> {
  return callWith({ signal }, endpoint, ...([{ query }] as unknown as Args<N>));
}

function Numbers({ page, limit, total, open }: Going & Pick<Asked, 'open'>) {
  if (!total || page === undefined || limit === undefined) return null;
  return <Pages page={page} limit={limit} total={total} open={(to) => open(String(to))} />;
}

interface FrameProps<N extends ReadName, Row> {
  readonly list: Declaration<N, Row>;
  readonly asked: Asked;
  readonly after?: ReactNode;
  readonly children: ReactNode;
}

export function ListFrame<N extends ReadName, Row>({ list, asked, after, children }: FrameProps<N, Row>) {
  const { title, about, actions, file, above, below, clearable = true } = list;
  return (
    <Page
      title={title}
      about={about}
      actions={
        file ? (
          <>
            <Export name={file} query={asked.query as QueryOf<FileName>} />
            {actions}
          </>
        ) : (
          actions
        )
      }
    >
      {above}
      <DeclaredFilters asked={asked} clearable={clearable} />
      <div className="card">{children}</div>
      {after}
      {below}
    </Page>
  );
}

interface FoundProps<N extends ReadName, Row> {
  readonly list: Declaration<N, Row>;
  readonly rows: readonly Row[];
  readonly asked: Asked;
  readonly hasMore: boolean;
}

function Found<N extends ReadName, Row>({ list, rows, asked, hasMore }: FoundProps<N, Row>) {
  const isPart = asked.active > 0 || asked.place !== '' || hasMore;
  if (rows.length > 0 || !list.empty) return <Rows list={list} rows={rows} />;
  return <None list={list} isPart={isPart} hasMore={hasMore} />;
}

interface NoneProps<N extends ReadName, Row> {
  readonly list: Declaration<N, Row>;
  /** Whether there may be others: behind the filters, or on another page. */
  readonly isPart: boolean;
  readonly hasMore: boolean;
}

export function None<N extends ReadName, Row>({ list: { empty, unmatched }, isPart, hasMore }: NoneProps<N, Row>) {
  const t = useText(listText);
  if (!isPart && empty) return <Empty {...empty} />;
  return <Empty {...(unmatched?.(hasMore) ?? { title: t('nothingMatches'), children: t('nothingMatchesHint') })} />;
}

interface RowsProps<N extends ReadName, Row> {
  readonly list: Declaration<N, Row>;
  readonly rows: readonly Row[];
}

export function Rows<N extends ReadName, Row>({ list, rows }: RowsProps<N, Row>) {
  const { label, title, columns, keyOf, links = false } = list;
  return (
    <Table
      label={label ?? title}
      columns={typeof columns === 'function' ? columns(rows) : columns}
      rows={rows}
      keyOf={keyOf}
      links={links}
    />
  );
}
