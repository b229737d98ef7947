// Files that are streamed: page by page from the database, as CSV or JSON.

import type { PanelLanguage } from '../../contract/panel/shared.ts';
import { laterTurn } from '../runtime/index.ts';
import { byteOrderMark, type Cell, csvLine } from './csv.ts';
import { Streamed } from './route.ts';

/** A column of a CSV file, with its heading in the reader's language. */
export interface FileColumn<Row> {
  readonly title: string;
  readonly cell: (row: Row) => Cell;
}

export interface FileOf<Row> {
  /** Without an ending. */
  readonly name: string;
  readonly format: 'csv' | 'json';
  readonly language: PanelLanguage;
  /** How many rows come; null if nobody knows. */
  readonly total: number | null;
  readonly columns: readonly FileColumn<Row>[];
  readonly objectOf: (row: Row) => object;
  /** Pages in order, some of them perhaps empty; each is read when the one before it has been sent. */
  readonly pages: AsyncIterable<readonly Row[]>;
}

/** At most one page is in memory. */
export function streamFile<Row>(file: FileOf<Row>): Streamed {
  const { name, format, total } = file;
  const headers = {
    'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8',
    'content-disposition': `attachment; filename="${name}.${format}"`,
    ...(total === null ? {} : { 'x-total-rows': String(total) }),
  };
  return new Streamed(headers, format === 'csv' ? csvOf(file) : jsonOf(file));
}

async function* csvOf<Row>({ columns, language, pages }: FileOf<Row>): AsyncGenerator<string> {
  const cellsOf = (row: Row) => columns.map(({ cell }) => cell(row));
  const titles = columns.map(({ title }) => title);
  yield byteOrderMark + csvLine(titles, language);
  for await (const page of pages) yield await textOf(page, (row) => csvLine(cellsOf(row), language), '');
}

async function* jsonOf<Row>({ objectOf, pages }: FileOf<Row>): AsyncGenerator<string> {
  let before = '[\n';
  for await (const page of pages) {
    if (page.length === 0) {
      yield '';
      continue;
    }
    yield before + (await textOf(page, (row) => JSON.stringify(objectOf(row)), ',\n'));
    before = ',\n';
  }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}

/** Written in a few milliseconds. */
const rowsOfTurn = 100;

/** The text of a page, written in several turns of the loop: many files at once hold up nobody. */
async function textOf<Row>(page: readonly Row[], write: (row: Row) => string, between: string): Promise<string> {
  const texts: string[] = [];
  for (const [index, row] of page.entries()) {
    if (index % rowsOfTurn === 0) await laterTurn('heavy');
    texts.push(write(row));
  }
  return texts.join(between);
}
