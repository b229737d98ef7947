// What somebody typed into the search box. Pure.

import { isUlid, minorFromDecimal } from '../../kernel/index.ts';
import type { Words } from './store.ts';

export type Query =
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'title'; readonly title: string }
  | ({ readonly kind: 'words' } & Words);

const titleShape = /^TR-[A-Z0-9]{4}-[A-Z0-9]{7}$/;
/** 1234,5 or 1 234.50 PLN */
const amountShape = /^(\d{1,3}(?:[ \u{a0}]\d{3})+|\d+)(?:[.,](\d{1,2}))? ?(?:zł|pln)?$/iu;

export function readQuery(typed: string): Query {
  const trimmed = typed.trim();
  const upper = trimmed.toUpperCase();
  if (isUlid(upper)) return { kind: 'id', id: upper };
  if (titleShape.test(upper)) return { kind: 'title', title: upper };
  return { kind: 'words', text: trimmed, amountMinor: readAmount(trimmed) };
}

function readAmount(text: string): bigint | null {
  const [, whole = '', part = ''] = amountShape.exec(text) ?? [];
  if (whole === '') return null;
  return minorFromDecimal(Number(`${whole.replaceAll(/[ \u{a0}]/gu, '')}.${part.padEnd(2, '0')}`)) ?? null;
}
