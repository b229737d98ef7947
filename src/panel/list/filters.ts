// The filters of a list. A filter's name is in the contract; here it gets its condition, once for every statement.

import type { Endpoint } from '../../../contract/endpoint.ts';
import type { Static, TSchema } from '../../../contract/schema.ts';
import { allOf, type SqlPart, SqlText, sqlPart } from '../../database/index.ts';

/** What the endpoint of a list is asked, as the contract says it. */
export type QueryOf<E extends Endpoint> = E['query'] extends TSchema ? Static<E['query']> : never;

/** What every list has: the place, the size of a page, the days, the format of a file. */
const common = ['before', 'limit', 'from', 'to', 'format'] as const;
type Common = (typeof common)[number];

/** Over the columns of the list's rows; null matches all. */
export type Condition<Value> = (value: Value | null) => SqlPart;

/** A filter of the query that has no condition does not compile, except those that the list reads itself. */
export type Conditions<Query, Own extends keyof Query = never> = {
  readonly [Name in Exclude<keyof Query, Common | Own>]-?: Condition<NonNullable<Query[Name]>>;
};

/** Rows that match every filter of the query. */
export function matching<Query extends object, Own extends keyof Query = never>(
  conditions: Conditions<Query, Own>,
  query: Query,
): SqlPart {
  const values = query as Readonly<Record<string, unknown>>;
  const all = Object.entries<Condition<never>>(conditions as Readonly<Record<string, Condition<never>>>);
  return allOf(all.map(([name, condition]) => condition((values[name] ?? null) as never)));
}

/** What a list is asked by its filters, with the size of a page. */
export function askedBy<Query extends { readonly limit?: number }, Own extends keyof Query = never>(
  conditions: Conditions<Query, Own>,
  query: Query,
) {
  return { matches: matching(conditions, query), filtered: filtersSet(query).length > 0, limit: query.limit ?? 50 };
}

/** The names of the filters that are set, without days and places. */
export function filtersSet(query: object): string[] {
  const isCommon = (name: string) => (common as readonly string[]).includes(name);
  return Object.entries(query).flatMap(([name, value]) => (value === undefined || isCommon(name) ? [] : [name]));
}

function compared(column: string, sign: '=' | '>=' | '<=', type: string): Condition<string | number | bigint> {
  const [left, kind] = [new SqlText(`${column} ${sign}`), new SqlText(`::${type}`)];
  return (value) => sqlPart`${value}${kind} is null or ${left} ${value}${kind}`;
}

export const equals = (column: string, type: 'text' | 'integer' = 'text') => compared(column, '=', type);

/** For amounts of a query in minor units. */
export const atLeast = (column: string) => compared(column, '>=', 'bigint');
export const atMost = (column: string) => compared(column, '<=', 'bigint');
