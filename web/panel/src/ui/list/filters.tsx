// The filters of a list. Their values are in the address; texts apply shortly after the last key, with Enter, or when the
// field is left.

import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks';
import { IconFilter } from '@tabler/icons-react';
import { Children, type ReactNode, useEffect, useRef, useState } from 'react';
import { useText } from '../../language/text.ts';
import { commonText } from '../words.ts';

interface FilterBarProps {
  /** How many filters are set. */
  readonly active: number;
  readonly clear: () => void;
  readonly children: ReactNode;
}

/** One row of them, on a phone. */
const alwaysShown = 2;

/** On a phone more than two are folded behind a button, except what finds by many things at once. */
export function FilterBar({ active, clear, children }: FilterBarProps) {
  const t = useText(commonText);
  const [unfolded, { toggle }] = useDisclosure(false);
  const folds = Children.count(children) > alwaysShown;
  const count = active > 0 ? ` (${active})` : '';
  return (
    <Group component="search" gap="sm" align="flex-end" className={folds && !unfolded ? 'folded-filters' : undefined}>
      {children}
      {folds ? (
        <Button
          className="phone-only"
          variant="default"
          leftSection={<IconFilter size={16} aria-hidden="true" />}
          aria-expanded={unfolded}
          onClick={toggle}
        >
          {t('filters')}
          {count}
        </Button>
      ) : null}
      {active > 0 ? (
        <Button variant="subtle" onClick={clear}>
          {t('clearFilters')}
        </Button>
      ) : null}
    </Group>
  );
}

interface FilterProps {
  readonly label: string;
  readonly value: string;
  readonly change: (value: string) => void;
}

interface TextFilterProps extends FilterProps {
  readonly placeholder?: string | undefined;
  /** For what finds by many things at once. */
  readonly wide?: boolean;
}

const typingMilliseconds = 400;

export function TextFilter({ label, value, change, placeholder, wide = false }: TextFilterProps) {
  const [text, setText] = useState(value);
  const applied = useRef(value);
  function apply(typed: string): void {
    if (typed.trim() === applied.current) return;
    applied.current = typed.trim();
    change(applied.current);
  }
  const applySoon = useDebouncedCallback(apply, typingMilliseconds);
  function applyNow(): void {
    applySoon.cancel();
    apply(text);
  }
  // Changed elsewhere: by Back, a saved view, or clearing all filters.
  useEffect(() => {
    if (value === applied.current) return;
    applied.current = value;
    setText(value);
  }, [value]);
  return (
    <TextInput
      className={wide ? 'list-filter searching' : 'list-filter'}
      label={label}
      value={text}
      placeholder={placeholder}
      onChange={(event) => {
        setText(event.currentTarget.value);
        applySoon(event.currentTarget.value);
      }}
      onBlur={applyNow}
      onKeyDown={(event) => event.key === 'Enter' && applyNow()}
    />
  );
}

export function DayFilter({ label, value, change }: FilterProps) {
  return (
    <TextInput
      className="list-filter"
      type="date"
      label={label}
      value={value}
      max="9999-12-31"
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}

interface SelectFilterProps extends FilterProps {
  readonly options: readonly { readonly value: string; readonly label: string }[];
  /** The first option, for all of them; false: there is none. */
  readonly all?: string | false | undefined;
  /** For long names. */
  readonly roomy?: boolean;
}

export function SelectFilter({ label, value, change, options, all, roomy = false }: SelectFilterProps) {
  const t = useText(commonText);
  return (
    <NativeSelect
      className={roomy ? 'filter' : 'list-filter'}
      label={label}
      value={value}
      onChange={(event) => change(event.currentTarget.value)}
      data={all === false ? options : [{ value: '', label: all ?? t('all') }, ...options]}
    />
  );
}
