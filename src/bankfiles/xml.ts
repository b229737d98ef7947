// The elements of an ISO 20022 file, one after the other, however large the file is. The only entities are those of XML
// itself; a document type is rejected, and so is a value longer than any that banks write. Elements of other namespaces
// are skipped.

import { SaxesParser } from 'saxes';
import { FileFault, located, tooLong } from './fault.ts';

export type Attributes = Readonly<Record<string, string>>;

export interface Elements {
  /** The version of the document, such as camt.053.001.08. Called first. */
  version(version: string): void;
  open(name: string, attributes: Attributes): void;
  /** With the text of the element. */
  close(text: string): void;
}

/** How many characters the parser may keep between two elements. */
const charactersAtMost = 65_536;
const nameAtMost = 100;
const depthAtMost = 40;

const space = 'urn:iso:std:iso:20022:tech:xsd:';

/** The bank's own extensions: what they contain is not part of the format. */
const extension = 'SplmtryData';

const prefixOf = (name: string) => name.slice(0, name.indexOf(':') + 1);

/** The parser's message without the position, which we name ourselves. */
const reasonOf = (error: Error) => error.message.replace(/^[\d:]*\s*/, '').replace(/\.$/, '');

const isSpace = (character: string | undefined) =>
  character === ' ' || character === '\n' || character === '\t' || character === '\r';

/** Without surrounding white space, as XML defines it. */
function trimmed(text: string): string {
  let [from, to] = [0, text.length];
  while (isSpace(text[from])) from += 1;
  while (isSpace(text[to - 1])) to -= 1;
  return text.slice(from, to);
}

export class XmlText {
  readonly #parser = new SaxesParser();
  readonly #elements: Elements;
  #text = '';
  #depth = 0;
  /** The namespace prefix of the document, which every element of the format has. */
  #prefix = '';
  #namespace = '';
  /** The depth at which a foreign element began; 0: not inside one. */
  #foreign = 0;
  /** Where the last element ended, and how much has been read. */
  #at = 0;
  #read = 0;
  #isOver = false;

  constructor(elements: Elements) {
    this.#elements = elements;
    const parser = this.#parser;
    parser.on('doctype', () => {
      throw new FileFault({ code: 'doctype_refused', parameters: {} });
    });
    const add = (text: string) => {
      this.#text += text;
    };
    parser.on('text', add);
    parser.on('cdata', add);
    parser.on('opentag', ({ name, attributes }) => this.#open(name, attributes));
    parser.on('closetag', () => this.#close());
  }

  #open(name: string, attributes: Attributes): void {
    this.#text = '';
    this.#depth += 1;
    if (this.#depth > depthAtMost) throw new FileFault({ code: 'nested_too_deep', parameters: {} });
    if (name.length > nameAtMost) throw tooLong();
    if (this.#depth === 1) this.#begin(name, attributes);
    if (this.#foreign > 0) return;
    if (this.#isForeign(name, attributes)) this.#foreign = this.#depth;
    else this.#elements.open(name.slice(this.#prefix.length), attributes);
  }

  #begin(name: string, attributes: Attributes): void {
    this.#prefix = prefixOf(name);
    this.#namespace = attributes[this.#declaration] ?? '';
    const isDocument = name === `${this.#prefix}Document` && this.#namespace.startsWith(space);
    if (!isDocument) throw new FileFault({ code: 'format_unknown', parameters: {} });
    this.#elements.version(this.#namespace.slice(space.length));
  }

  get #declaration(): string {
    return this.#prefix === '' ? 'xmlns' : `xmlns:${this.#prefix.slice(0, -1)}`;
  }

  #isForeign(name: string, attributes: Attributes): boolean {
    const namespace = attributes[this.#declaration];
    return (
      prefixOf(name) !== this.#prefix ||
      (namespace !== undefined && namespace !== this.#namespace) ||
      name === `${this.#prefix}${extension}`
    );
  }

  #close(): void {
    const isForeign = this.#foreign > 0;
    if (this.#foreign === this.#depth) this.#foreign = 0;
    this.#depth -= 1;
    this.#at = this.#parser.position;
    this.#isOver = this.#depth === 0;
    const text = trimmed(this.#text);
    this.#text = '';
    if (!isForeign) this.#elements.close(text);
  }

  take(text: string): void {
    this.#parse(() => this.#parser.write(text));
    this.#read += text.length;
    if (this.#read - this.#at > charactersAtMost) throw tooLong(this.#parser.line);
  }

  end(): void {
    if (!this.#isOver) throw new FileFault({ code: 'truncated', parameters: {} }, this.#parser.line);
    this.#parse(() => this.#parser.close());
  }

  #parse(work: () => void): void {
    try {
      work();
    } catch (error) {
      located(this.#parser.line, () => {
        if (error instanceof FileFault) throw error;
        throw new FileFault({ code: 'xml_broken', parameters: { why: reasonOf(error as Error) } });
      });
    }
  }
}
