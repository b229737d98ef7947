// A list: a table on wide screens, cards on phones. Sorting and pages are the service's work.

import type { ReactNode } from 'react';

export interface Column<Row> {
  readonly key: string;
  readonly label: string;
  readonly cell: (row: Row) => ReactNode;
  /** end: for amounts and numbers. */
  readonly align?: 'start' | 'end';
  /** In one line however many columns there are: times, ids. */
  readonly nowrap?: boolean;
  /** The heading of the card on phones; without a label there. */
  readonly lead?: boolean;
  /** The heading of the column is for screen readers only. */
  readonly hideLabel?: boolean;
}

interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Whether the first cell is a link for the whole row: rows react to the pointer. */
  readonly links?: boolean;
  /** Many columns of figures: closer to each other. */
  readonly dense?: boolean;
}

// Roles are given again because browsers drop them from tables that are laid out as blocks.
export function Table<Row>({ label, columns, rows, keyOf, links = false, dense = false }: TableProps<Row>) {
  return (
    <div className="wide">
      {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
      <table className={dense ? 'table dense' : 'table'} role="table" aria-label={label}>
        {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
        <thead role="rowgroup">
          {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
          <tr role="row">
            {columns.map((column) => (
              // biome-ignore lint/a11y/noRedundantRoles: see above
              <th key={column.key} role="columnheader" scope="col" data-align={column.align}>
                {column.hideLabel ? <span className="hidden-label">{column.label}</span> : column.label}
              </th>
            ))}
          </tr>
        </thead>
        {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
        <tbody role="rowgroup">
          {rows.map((row) => (
            // biome-ignore lint/a11y/noRedundantRoles: see above
            <tr key={keyOf(row)} role="row" data-link={links}>
              {columns.map((column) => (
                <Cell key={column.key} column={column} content={column.cell(row)} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell<Row>({ column, content }: { readonly column: Column<Row>; readonly content: ReactNode }) {
  const empty = content === null || content === undefined || content === '';
  const labeled = !column.lead && !column.hideLabel;
  return (
    // biome-ignore lint/a11y/noRedundantRoles: see above
    <td role="cell" data-align={column.align} data-lead={column.lead} data-bare={column.hideLabel} data-empty={empty}>
      {labeled ? (
        <span className="cell-label" aria-hidden="true">
          {column.label}
        </span>
      ) : null}
      <div
        className={['cell', column.align === 'end' && 'numeric', column.nowrap && 'nowrap'].filter(Boolean).join(' ')}
      >
        {content}
      </div>
    </td>
  );
}
