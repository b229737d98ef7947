// Elements of a file as they come, however large it is. There are no entities but those of XML itself, a document type is
// refused, and no value is kept that is longer than banks write.

import { SaxesParser } from 'saxes';
import { FileFault, located, tooLong } from './fault.ts';

export type Attributes = Readonly<Record<string, string>>;

export interface Elements {
  /** Names are without their prefix. */
  open(name: string, attributes: Attributes): void;
  close(name: string, text: string): void;
}

/** Of a value, or of what the parser keeps between two elements. */
const charactersAtMost = 65_536;
const depthAtMost = 40;

const withoutPrefix = (name: string) => name.slice(name.indexOf(':') + 1);

/** What the parser says, without the place, which is said otherwise. */
const reasonOf = (error: Error) => error.message.replace(/^[\d:]*\s*/, '').replace(/\.$/, '');

export class XmlText {
  readonly #parser = new SaxesParser();
  readonly #elements: Elements;
  #text = '';
  #depth = 0;
  /** Where the last element ended, and how much was read. */
  #at = 0;
  #read = 0;
  #isOver = false;

  constructor(elements: Elements) {
    this.#elements = elements;
    const parser = this.#parser;
    parser.on('doctype', () => {
      throw new FileFault({ code: 'doctype_refused', parameters: {} });
    });
    parser.on('text', (text) => this.#add(text));
    parser.on('cdata', (text) => this.#add(text));
    parser.on('opentag', ({ name, attributes }) => this.#open(name, attributes));
    parser.on('closetag', ({ name }) => this.#close(name));
  }

  #add(text: string): void {
    this.#text += text;
  }

  #open(name: string, attributes: Attributes): void {
    this.#text = '';
    this.#depth += 1;
    if (this.#depth > depthAtMost) throw new FileFault({ code: 'nested_too_deep', parameters: {} });
    this.#elements.open(withoutPrefix(name), attributes);
  }

  #close(name: string): void {
    this.#depth -= 1;
    this.#at = this.#parser.position;
    this.#isOver = this.#depth === 0;
    const text = this.#text.trim();
    this.#text = '';
    this.#elements.close(withoutPrefix(name), text);
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
