// HTML that escapes by default: whatever is in `${}` is text, unless it is Html created by this template.

import { escapeHtml } from '../kernel/index.ts';

/** Markup. Created only by `html`, so text can never be mistaken for it. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toString(): string {
    return this.text;
  }
}

/** `undefined`, `null` and `false` render as nothing, for `condition && html...`. */
export type Part = Html | string | number | false | null | undefined | readonly Part[];

function render(part: Part): string {
  if (typeof part === 'string') return escapeHtml(part);
  if (part instanceof Html) return part.text;
  if (typeof part === 'number') return String(part);
  if (Array.isArray(part)) {
    let text = '';
    for (const item of part as readonly Part[]) text += render(item);
    return text;
  }
  return '';
}

/** Attributes must be quoted in the template; nothing may be inserted into script or style. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = strings[0] ?? '';
  for (let index = 0; index < parts.length; index += 1) text += render(parts[index]) + strings[index + 1];
  return new Html(text);
}
