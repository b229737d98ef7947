// The filters of a list as its screen declares them, by their names in the contract. Everything else follows from that:
// the names in the address, what the service is asked for, how many are set, and the fields on screen.

import { useMemo } from 'react';
import { useFilters } from '../../address.ts';
import type { QueryOf, ReadName } from '../../api/endpoints.ts';
import { DayFilter, FilterBar, SelectFilter, TextFilter } from './filters.tsx';

/** Where in the list, and how much of it. */
type Place = 'before' | 'page' | 'limit' | 'format';

interface Common<Query> {
  readonly label: string;
  /** What a value asks the service for; undefined, or without this: the value itself. */
  readonly asks?: (value: string) => Partial<Query> | undefined;
}

interface Typed {
  readonly options?: undefined;
  readonly day?: undefined;
  readonly placeholder?: string;
  /** Finds by many things at once: it is wide, and never folded. */
  readonly wide?: boolean;
  /** What somebody typed as the service reads it. */
  readonly cleaned?: (text: string) => string;
}

interface Day {
  readonly options?: undefined;
  readonly day: true;
}

interface Choice<Value> {
  readonly day?: undefined;
  /** By value; the compiler names what the contract has and this lacks. */
  readonly options: Readonly<Record<Extract<Value, string>, string>> & Readonly<Record<string, string>>;
  /** Its first option, for all of them. */
  readonly all?: string;
  /** Whether there may be values besides these, such as ids: the service is asked for them too. */
  readonly open?: boolean;
  /** For long names. */
  readonly roomy?: boolean;
}

type Filter<Query, Value = never> = Common<Query> & (Typed | Day | Choice<Value>);
export type FiltersOf<N extends ReadName> = {
  readonly [K in Exclude<keyof QueryOf<N>, Place>]?: Filter<QueryOf<N>, NonNullable<QueryOf<N>[K]>>;
};

type Filters = Readonly<Record<string, Filter<Readonly<Record<string, unknown>>> | undefined>>;
type Values = Readonly<Record<string, string>>;

/** Choices that do not exist are left out; what was typed is for the service to judge. */
function asked(filters: Filters, values: Values): Record<string, unknown> {
  const parts = Object.entries(filters).map(([name, filter]) => {
    const value = values[name];
    if (!filter || !value || (filter.options && !filter.open && !(value in filter.options))) return {};
    return filter.asks?.(value) ?? { [name]: value };
  });
  return Object.assign({}, ...parts);
}

export interface Asked {
  readonly filters: Filters;
  /** As they are in the address. */
  readonly values: Values;
  /** How many filters are set. */
  readonly active: number;
  /** What the service is asked for, without the place. */
  readonly query: Record<string, unknown>;
  /** Empty at the beginning. */
  readonly place: string;
  readonly open: (place: string) => void;
  readonly change: (changes: Values) => void;
}

/** A filter that changes leads back to the beginning of the list. */
export function useAsked(declared: object, placeName: 'before' | 'page'): Asked {
  const filters = declared as Filters;
  const key = Object.keys(filters).join();
  const names = useMemo(() => [...key.split(',').filter(Boolean), placeName], [key, placeName]);
  const [{ [placeName]: place = '', ...values }, change] = useFilters(names);
  return {
    filters,
    values,
    active: Object.values(values).filter(Boolean).length,
    query: asked(filters, values),
    place,
    open: (to) => change({ [placeName]: to }, { push: true }),
    change: (changes) => change({ ...changes, [placeName]: '' }),
  };
}

/** Nothing if the list has none. */
export function DeclaredFilters({ asked, clearable }: { readonly asked: Asked; readonly clearable: boolean }) {
  const { filters, values, active, change } = asked;
  const names = Object.keys(filters);
  if (names.length === 0) return null;
  const none = Object.fromEntries(names.map((name) => [name, '']));
  return (
    <FilterBar active={clearable ? active : 0} clear={() => change(none)}>
      {names.map((name) => (
        <Declared
          key={name}
          filter={filters[name]}
          value={values[name] ?? ''}
          change={(value) => change({ [name]: value })}
        />
      ))}
    </FilterBar>
  );
}

interface DeclaredProps {
  readonly filter: Filters[string];
  readonly value: string;
  readonly change: (value: string) => void;
}

function Declared({ filter, value, change }: DeclaredProps) {
  if (filter === undefined) return null;
  const { label, ...look } = filter;
  if (look.day) return <DayFilter label={label} value={value} change={change} />;
  if (look.options) {
    const options = Object.entries(look.options).map(([one, name]) => ({ value: one, label: name }));
    const { all, roomy = false } = look;
    return <SelectFilter label={label} value={value} change={change} options={options} all={all} roomy={roomy} />;
  }
  const { placeholder, wide = false, cleaned = (text) => text } = look;
  const set = (text: string) => change(cleaned(text));
  return <TextFilter label={label} value={value} change={set} placeholder={placeholder} wide={wide} />;
}
