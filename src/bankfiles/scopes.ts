// The values of an ISO 20022 file, by path. A scope is an element with values of its own, such as an entry; it is
// allowed in one place only. Values that nobody reads are not kept.

import { misplaced, missing, notValid, tooLong, twice } from './fault.ts';
import type { Attributes } from './xml.ts';

export interface ScopeGiven {
  /** The scope that contains it ('': none), and the elements in between. */
  readonly within: string;
  readonly by: string;
  /** The paths within it that are kept; `Amt@Ccy` is an attribute. */
  readonly paths: ReadonlySet<string>;
}

export type ScopesGiven = Readonly<Record<string, ScopeGiven>>;

/** What may occur several times: lines of text are joined; of the others, every value is kept. */
const lines = /\/Ustrd$/;
const repeated = /^(?:RmtInf|StsRsnInf|NtryDtls\/Btch)\//;
const valuesAtMost = 1_000;
const textAtMost = 20_000;
/** Of all values of a scope: it is in memory until it ends. */
const charactersAtMost = 65_536;

export class Scope {
  readonly name: string;
  readonly #values = new Map<string, string[]>();
  #characters = 0;

  constructor(name: string) {
    this.name = name;
  }

  add(path: string, value: string): void {
    this.#characters += value.length;
    if (this.#characters > charactersAtMost) throw tooLong();
    const before = this.#values.get(path);
    if (!before) this.#values.set(path, [value]);
    else if (lines.test(path)) {
      const joined = `${before[0]} ${value}`;
      if (joined.length > textAtMost) throw tooLong();
      before[0] = joined;
    } else if (repeated.test(path)) {
      if (before.length === valuesAtMost) throw tooLong();
      before.push(value);
    } else throw twice(`${this.name}/${path}`);
  }

  all(path: string): readonly string[] {
    return this.#values.get(path) ?? [];
  }

  /** The first of these paths that has a value. */
  find(...paths: readonly string[]): string | null {
    for (const path of paths) {
      const [value] = this.all(path);
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

/** An element within a scope. */
interface Place {
  readonly path: string;
  hasElements: boolean;
}

interface OpenScope {
  readonly scope: Scope;
  readonly paths: ReadonlySet<string>;
  readonly places: Place[];
}

export class Scopes {
  readonly #given: ScopesGiven;
  readonly #opened: (scope: Scope) => void;
  readonly #closed: (scope: Scope) => void;
  /** The first one is the whole file. */
  readonly #open: OpenScope[] = [{ scope: new Scope(''), paths: new Set(), places: [] }];

  constructor(given: ScopesGiven, opened: (scope: Scope) => void, closed: (scope: Scope) => void) {
    this.#given = given;
    this.#opened = opened;
    this.#closed = closed;
  }

  get #last(): OpenScope {
    return this.#open.at(-1) as OpenScope;
  }

  open(name: string, attributes: Attributes): void {
    const last = this.#last;
    const above = last.places.at(-1);
    if (above) above.hasElements = true;
    const given = Object.hasOwn(this.#given, name) ? this.#given[name] : undefined;
    if (given) {
      if (last.scope.name !== given.within || (above?.path ?? '') !== given.by) throw misplaced(name);
      const scope = new Scope(name);
      this.#open.push({ scope, paths: given.paths, places: [] });
      this.#opened(scope);
      return;
    }
    const path = above ? `${above.path}/${name}` : name;
    last.places.push({ path, hasElements: false });
    const currency = attributes.Ccy;
    if (currency !== undefined && last.paths.has(`${path}@Ccy`)) last.scope.add(`${path}@Ccy`, currency);
  }

  close(text: string): void {
    const { scope, paths, places } = this.#last;
    const place = places.pop();
    if (!place) {
      this.#open.pop();
      this.#closed(scope);
    } else if (paths.has(place.path)) addValue(scope, place, text);
  }
}

/** Some elements have a value in one version and elements in another, never both. */
function addValue(scope: Scope, { path, hasElements }: Place, text: string): void {
  if (!hasElements) scope.add(path, text);
  else if (text !== '') throw notValid(`${scope.name}/${path}`, text);
}
