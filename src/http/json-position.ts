// Finds the position at which a text stops being JSON. V8 gives it only in some messages, and quotes the text in
// others. Works on character codes, because for a hostile text this is the most expensive step of the refusal.

const [quote, backslash, comma, colon, space, letterU] = [34, 92, 44, 58, 32, 117];
const [minus, plus, point, zero, nine, letterE, capitalE] = [45, 43, 46, 48, 57, 101, 69];
const [openBrace, closeBrace, openBracket, closeBracket] = [123, 125, 91, 93];

const literals = ['true', 'false', 'null'];

/** The index of the first invalid character, or the length if the text ends too early. */
export function faultPosition(text: string): number {
  return new Scan(text).run();
}

type Step = 'value' | 'item' | 'key' | 'first key' | 'colon' | 'next';

/** One pass without recursion, so that nesting costs nothing. */
class Scan {
  readonly #text: string;
  /** The open brackets, as the codes that close them. */
  readonly #open: number[] = [];
  #at = 0;
  #step: Step = 'value';

  constructor(text: string) {
    this.#text = text;
  }

  run(): number {
    while (this.#skipSpace() && this.#readToken(this.#text.charCodeAt(this.#at))) {}
    return this.#at;
  }

  #skipSpace(): boolean {
    let code = this.#text.charCodeAt(this.#at);
    while (code === space || code === 10 || code === 13 || code === 9) {
      this.#at += 1;
      code = this.#text.charCodeAt(this.#at);
    }
    return this.#at < this.#text.length;
  }

  /** Consumes the token that starts here; false if it is not allowed here. */
  #readToken(code: number): boolean {
    switch (this.#step) {
      case 'next':
        if (code !== comma) return this.#close(code);
        if (this.#open.length === 0) return false;
        return this.#go(1, this.#open.at(-1) === closeBrace ? 'key' : 'value');
      case 'colon':
        return code === colon && this.#go(1, 'value');
      case 'first key':
        return code === quote ? this.#string('colon') : this.#close(code);
      case 'key':
        return code === quote && this.#string('colon');
      case 'item':
        return code === closeBracket ? this.#close(code) : this.#value(code);
      case 'value':
        return this.#value(code);
    }
  }

  #go(length: number, step: Step): true {
    this.#at += length;
    this.#step = step;
    return true;
  }

  #close(code: number): boolean {
    if (this.#open.at(-1) !== code) return false;
    this.#open.pop();
    return this.#go(1, 'next');
  }

  #value(code: number): boolean {
    if (code === quote) return this.#string('next');
    if (code === openBrace || code === openBracket) {
      this.#open.push(code === openBrace ? closeBrace : closeBracket);
      return this.#go(1, code === openBrace ? 'first key' : 'item');
    }
    if (code === minus || (code >= zero && code <= nine)) return this.#number();
    const literal = literals.find((word) => this.#text.startsWith(word, this.#at));
    return literal !== undefined && this.#go(literal.length, 'next');
  }

  /** Stops after what can be a number: `1.` and `01` fail at what follows the 1 and the 0. */
  #number(): boolean {
    const start = this.#code() === minus ? this.#at + 1 : this.#at;
    let end = this.#text.charCodeAt(start) === zero ? start + 1 : this.#behindDigits(start);
    if (end === start) return false;
    if (this.#text.charCodeAt(end) === point) {
      const behind = this.#behindDigits(end + 1);
      if (behind > end + 1) end = behind;
    }
    const letter = this.#text.charCodeAt(end);
    if (letter === letterE || letter === capitalE) {
      const sign = this.#text.charCodeAt(end + 1);
      const first = sign === plus || sign === minus ? end + 2 : end + 1;
      const behind = this.#behindDigits(first);
      if (behind > first) end = behind;
    }
    return this.#go(end - this.#at, 'next');
  }

  #behindDigits(start: number): number {
    let at = start;
    let code = this.#text.charCodeAt(at);
    while (code >= zero && code <= nine) {
      at += 1;
      code = this.#text.charCodeAt(at);
    }
    return at;
  }

  #code(): number {
    return this.#text.charCodeAt(this.#at);
  }

  /** Stops at a character that is not allowed in a string. */
  #string(step: Step): boolean {
    this.#at += 1;
    for (; this.#at < this.#text.length; ) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === quote) return this.#go(1, step);
      if (code < space) return false;
      const length = code === backslash ? this.#escapeLength() : 1;
      if (length === 0) return false;
      this.#at += length;
    }
    return false;
  }

  #escapeLength(): number {
    const kind = this.#text.charAt(this.#at + 1);
    if (kind.charCodeAt(0) !== letterU) return kind !== '' && '"\\/bfnrt'.includes(kind) ? 2 : 0;
    return /^[0-9a-fA-F]{4}$/.test(this.#text.slice(this.#at + 2, this.#at + 6)) ? 6 : 0;
  }
}
