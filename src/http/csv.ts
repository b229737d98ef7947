// Files for spreadsheet programs. Pure.

import { type PanelLanguage, panelLanguages } from '../../contract/panel/shared.ts';
import { decimalText } from '../kernel/index.ts';

/** A cell: text is written so that no program takes it for a formula; an amount is a number. */
export type Cell = string | number | null | { readonly minor: bigint };

interface Manner {
  readonly between: string;
  readonly point: string;
}

/** What programs of the language expect: where the decimal sign is a comma, columns are separated by semicolons. */
function mannerOf(language: PanelLanguage): Manner {
  const parts = new Intl.NumberFormat(language).formatToParts(0.5);
  const point = parts.find(({ type }) => type === 'decimal')?.value ?? '.';
  return { between: point === ',' ? ';' : ',', point };
}

const manners = Object.fromEntries(panelLanguages.map((language) => [language, mannerOf(language)])) as Readonly<
  Record<PanelLanguage, Manner>
>;

/** Without it, some programs read UTF-8 as something else. */
export const byteOrderMark = '\u{feff}';

/** How a formula can begin, also in full-width letters, or after what programs skip. */
const formula = /^[\s\u{feff}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/**
 * The same behind a separator, also that of the other language, or a line's end: a program that is told the wrong
 * separator sees a cell begin there, whatever is quoted.
 */
const formulaInside = /([,;\r\n])(?=[\s\u{feff}"]*[=+\-@＝＋－＠])/gu;

function cellText(cell: Cell, { point }: Manner): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  if (typeof cell === 'object') return decimalText(cell.minor).replace('.', point);
  const text = cell.replaceAll(formulaInside, "$1'");
  return formula.test(text) ? `'${text}` : text;
}

/** One line with its end. Every cell that could be mistaken for something else is quoted. */
export function csvLine(cells: readonly Cell[], language: PanelLanguage): string {
  const manner = manners[language];
  const line = cells.map((cell) => {
    const text = cellText(cell, manner);
    return /[",;\r\n\t]|^[\s']|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return `${line.join(manner.between)}\r\n`;
}
