// What is known about one thing: names and values.

import type { ReactNode } from 'react';
import { Copy } from './copy.tsx';

export interface Fact {
  readonly label: string;
  /** Left out if it is empty. */
  readonly value: ReactNode;
}

export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  const shown = facts.filter(({ value }) => value !== null && value !== undefined && value !== '');
  return (
    <dl className="facts">
      {shown.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** An id, for copying. */
export function Id({ text }: { readonly text: string }) {
  return (
    <span className="id">
      <span className="mono">{text}</span>
      <Copy text={text} />
    </span>
  );
}
