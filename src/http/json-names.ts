// Finds names that an object of a JSON text has more than once. A parser keeps the last silently, and somebody who read
// the first has seen another request.

const [quote, backslash, comma, colon] = [34, 92, 44, 58];
const [openBrace, closeBrace, openBracket, closeBracket] = [123, 125, 91, 93];

/** More faults than anybody fixes in one go. */
const reportedAtMost = 100;
/** Of a name, and of a path: both may be as long as the body. */
const nameLengthAtMost = 100;
const pathLengthAtMost = 300;

/**
 * The dotted paths of the names that occur twice in one object; each once, at most 100. `text` is valid JSON, not nested
 * too deeply (shape.ts), and `value` is what it was parsed to. Nearly all bodies have none: then the names in the text
 * are as many as those in the value, and nothing else is looked at.
 */
export function repeatedNames(text: string, value: unknown): string[] {
  return namesInText(text) === namesInValue(value) ? [] : new Search(text).run();
}

/** Outside of strings there is exactly one colon for each name. */
function namesInText(text: string): number {
  let names = 0;
  const { length } = text;
  for (let at = 0; at < length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === colon) names += 1;
    else if (code === quote) at = endOfString(text, at);
  }
  return names;
}

/** The position of the closing quotation mark. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  for (let code = text.charCodeAt(at); code !== quote; code = text.charCodeAt(at)) at += code === backslash ? 2 : 1;
  return at;
}

/** Own names only, so that `__proto__`, which the parser takes for a name like any other, counts as one. */
function namesInValue(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const isList = Array.isArray(value);
  const inner: readonly unknown[] = isList ? value : Object.values(value);
  let names = isList ? 0 : inner.length;
  for (let index = 0; index < inner.length; index += 1) {
    const item = inner[index];
    if (typeof item === 'object' && item !== null) names += namesInValue(item);
  }
  return names;
}

/** An open object or array: what it has had so far. */
interface Open {
  readonly names: Set<string> | undefined;
  /** Of the value that is being read. */
  name: string;
  index: number;
}

/** The careful pass, only over texts with a repeated name. */
class Search {
  readonly #text: string;
  readonly #open: Open[] = [];
  readonly #found = new Set<string>();

  constructor(text: string) {
    this.#text = text;
  }

  run(): string[] {
    for (let at = 0; at < this.#text.length && this.#found.size < reportedAtMost; at += 1) {
      at = this.#readToken(this.#text.charCodeAt(at), at);
    }
    return [...this.#found];
  }

  /** Reads the token that starts here; returns the position of its last character. */
  #readToken(code: number, at: number): number {
    if (code === quote) return this.#string(at);
    if (code === openBrace) this.#open.push({ names: new Set(), name: '', index: 0 });
    else if (code === openBracket) this.#open.push({ names: undefined, name: '0', index: 0 });
    else if (code === closeBrace || code === closeBracket) this.#open.pop();
    else if (code === comma) this.#next();
    return at;
  }

  #next(): void {
    const open = this.#open.at(-1);
    if (!open || open.names) return;
    open.index += 1;
    open.name = String(open.index);
  }

  #string(start: number): number {
    const end = endOfString(this.#text, start);
    const open = this.#open.at(-1);
    if (open?.names && this.#isName(end + 1)) {
      const spelled = this.#text.slice(start, end + 1);
      // \u0061mount is amount too.
      const name = spelled.includes('\\') ? (JSON.parse(spelled) as string) : spelled.slice(1, -1);
      open.name = name;
      if (open.names.has(name)) this.#found.add(this.#path());
      else open.names.add(name);
    }
    return end;
  }

  /** Whether a colon follows: then the string before it is a name. */
  #isName(start: number): boolean {
    let at = start;
    while (this.#text.charCodeAt(at) <= 32) at += 1;
    return this.#text.charCodeAt(at) === colon;
  }

  #path(): string {
    return short(this.#open.map(({ name }) => short(name, nameLengthAtMost)).join('.'), pathLengthAtMost);
  }
}

function short(text: string, lengthAtMost: number): string {
  return text.length > lengthAtMost ? `${text.slice(0, lengthAtMost)}...` : text;
}
