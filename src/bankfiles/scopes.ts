// The values of an ISO 20022 file by their paths: a scope is an element with values of its own, such as an entry. What
// nobody wants is not kept.

import { FileFault, missing, tooLong } from './fault.ts';
import type { Attributes, Elements } from './xml.ts';

/** By the name of the scope, the paths within it that are kept; `Amt@Ccy` is an attribute. */
export type Wanted = Readonly<Record<string, ReadonlySet<string>>>;

const textAtMost = 20_000;

export class Scope {
  readonly name: string;
  readonly #values = new Map<string, string>();

  constructor(name: string) {
    this.name = name;
  }

  /** The first value of a path counts; lines of text are joined. */
  add(path: string, value: string): void {
    const before = this.#values.get(path);
    if (before === undefined) this.#values.set(path, value);
    else if (path.endsWith('/Ustrd')) {
      if (before.length + value.length > textAtMost) throw tooLong();
      this.#values.set(path, `${before} ${value}`);
    }
  }

  /** The first of these paths that has a value. */
  find(...paths: readonly string[]): string | null {
    for (const path of paths) {
      const value = this.#values.get(path);
      if (value !== undefined && value !== '') return value;
    }
    return null;
  }

  get(...paths: readonly string[]): string {
    const value = this.find(...paths);
    if (value === null) throw missing(`${this.name}/${paths[0]}`);
    return value;
  }
}

export class Scopes implements Elements {
  readonly #wanted: Wanted;
  readonly #opened: (scope: Scope) => void;
  readonly #closed: (scope: Scope) => void;
  readonly #scopes: { readonly scope: Scope; readonly wanted: ReadonlySet<string>; readonly paths: string[] }[] = [];

  constructor(wanted: Wanted, opened: (scope: Scope) => void, closed: (scope: Scope) => void) {
    this.#wanted = wanted;
    this.#opened = opened;
    this.#closed = closed;
  }

  open(name: string, attributes: Attributes): void {
    const wanted = Object.hasOwn(this.#wanted, name) ? this.#wanted[name] : undefined;
    const last = this.#scopes.at(-1);
    if (wanted) {
      const scope = new Scope(name);
      this.#scopes.push({ scope, wanted, paths: [] });
      this.#opened(scope);
    } else if (last) {
      const above = last.paths.at(-1);
      const path = above === undefined ? name : `${above}/${name}`;
      last.paths.push(path);
      const currency = attributes.Ccy;
      if (currency !== undefined && last.wanted.has(`${path}@Ccy`)) last.scope.add(`${path}@Ccy`, currency);
    }
  }

  close(_name: string, text: string): void {
    const last = this.#scopes.at(-1);
    if (!last) return;
    const path = last.paths.pop();
    if (path === undefined) {
      this.#scopes.pop();
      this.#closed(last.scope);
    } else if (last.wanted.has(path)) last.scope.add(path, text);
  }
}

/** The version of a document's namespace, such as camt.053.001.08. */
export function versionOf(attributes: Attributes): string {
  const space = Object.entries(attributes).find(
    ([name, value]) => /^xmlns(:|$)/.test(name) && value.startsWith('urn:iso:std:iso:20022:tech:xsd:'),
  );
  if (!space) throw new FileFault({ code: 'format_unknown', parameters: {} });
  return space[1].slice(space[1].lastIndexOf(':') + 1);
}
