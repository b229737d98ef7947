// Statements as a file.

import type { PanelLanguage } from '../../../contract/panel/shared.ts';
import type { Merchant } from '../../accounts/index.ts';
import { type Streamed, streamFile } from '../../http/index.ts';
import type { Tools } from '../../tools.ts';

import { type StatementRequest, showStatements } from './show.ts';
import { serializeStatement, statementColumns } from './wire.ts';

export async function exportStatements(
  tools: Pick<Tools, 'db'>,
  account: Pick<Merchant, 'id' | 'zone'>,
  language: PanelLanguage,
  { format, request }: { readonly format: 'csv' | 'json'; readonly request: StatementRequest },
): Promise<Streamed> {
  const { rows } = await showStatements(tools, account, request);
  return streamFile({
    name: `statements-${request.from}-${request.to}`,
    format,
    language,
    total: rows.length,
    columns: statementColumns(language),
    objectOf: serializeStatement,
    pages: onePage(rows),
  });
}

async function* onePage<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  yield rows;
}
