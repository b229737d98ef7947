// A text in the characters that a bank accepts. Accents that it does not accept are left out, symbols become similar ones
// or spaces. A letter that has no counterpart is named: a name without it would be another name.

const always = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Letters that Unicode does not decompose. */
const letters: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ł: 'l',
    Ł: 'L',
    ß: 'ss',
    ẞ: 'SS',
    æ: 'ae',
    Æ: 'AE',
    œ: 'oe',
    Œ: 'OE',
    ø: 'o',
    Ø: 'O',
    đ: 'd',
    Đ: 'D',
    ð: 'd',
    Ð: 'D',
    þ: 'th',
    Þ: 'TH',
    ħ: 'h',
    Ħ: 'H',
    ı: 'i',
    ŋ: 'n',
    Ŋ: 'N',
  }),
);

/** Each is written as the character below it, if the bank accepts that one. */
const symbols = '&;"„”“«»‘’‚`_–—−‐[]{}<>|\\⁄!*';
const similar = "+,''''''''''-----()()()///..";
const symbolOf: ReadonlyMap<string, string> = new Map(Array.from(symbols, (from, at) => [from, similar[at] ?? ' ']));

/** What nobody sees: marks above letters, and characters that steer the display. White space is not among them. */
const unseen = /[\p{M}\p{Cf}\0-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f]/u;
const meant = /[\p{L}\p{N}]/u;

export interface Spelled {
  readonly text: string;
  /** Letters and digits that cannot be written. */
  readonly unknown: string;
}

/** How many characters are remembered: names of one country have a few dozen. */
const rememberedAtMost = 1_000;

export class Alphabet {
  readonly #accepted: ReadonlySet<string>;
  readonly #plain: RegExp;
  readonly #others: RegExp;
  /** How other characters are written; undefined: a letter without counterpart. */
  readonly #remembered = new Map<string, string | undefined>();

  /** Beside A to Z, a to z, digits and spaces. */
  constructor(characters: string) {
    this.#accepted = new Set(always + characters);
    const inClass = [...this.#accepted].map((character) => RegExp.escape(character)).join('');
    this.#plain = new RegExp(`^(?:[${inClass}]+(?: [${inClass}]+)*)?$`, 'u');
    this.#others = new RegExp(`[^${inClass} ]`, 'gu');
  }

  spell(text: string): Spelled {
    if (this.#plain.test(text)) return { text, unknown: '' };
    let unknown = '';
    const written = text.normalize('NFC').replaceAll(this.#others, (character) => {
      const own = this.#write(character);
      if (own === undefined) unknown += character;
      return own ?? '';
    });
    return { text: written.replaceAll(/ {2,}/g, ' ').trim(), unknown };
  }

  #write(character: string): string | undefined {
    if (this.#remembered.has(character)) return this.#remembered.get(character);
    const own = this.#replace(character);
    if (this.#remembered.size < rememberedAtMost) this.#remembered.set(character, own);
    return own;
  }

  #replace(character: string): string | undefined {
    let written = '';
    for (const part of character.normalize('NFKD')) {
      const own = this.#accepted.has(part) ? part : this.#counterpart(part);
      if (own === undefined) return undefined;
      written += own;
    }
    return written;
  }

  #counterpart(part: string): string | undefined {
    if (meant.test(part)) return letters.get(part);
    if (unseen.test(part)) return '';
    const symbol = symbolOf.get(part);
    return symbol !== undefined && this.#accepted.has(symbol) ? symbol : ' ';
  }
}
