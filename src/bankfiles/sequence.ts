// Which statements of a file belong together: the pages of one follow each other, and none comes twice.

import { hash } from 'node:crypto';
import { decimalText } from '../kernel/index.ts';
import { FileFault } from './fault.ts';

/** Where a page begins or ends. */
export interface PageEdge {
  readonly account: string;
  readonly currency: string;
  readonly minor: bigint;
  /** Of the page that begins here; null if the format does not number its pages. */
  readonly page: number | null;
}

/** More than any file of a bank: each is remembered. */
const statementsAtMost = 100_000;

function edgeText({ account, currency, minor, page }: PageEdge): string {
  return `${account} ${decimalText(minor)} ${currency}${page === null ? '' : ` page ${page}`}`;
}

export class Sequence {
  readonly #ended = new Set<string>();
  #expected: PageEdge | undefined;

  /** Where the next page must begin; undefined: the last statement has all of its pages. */
  get expected(): PageEdge | undefined {
    return this.#expected;
  }

  /** `continues`: the statement began on a page before. `before`: what that page is called. */
  begin(edge: PageEdge, continues: boolean, before: string): void {
    const expected = this.#expected;
    if (!expected && continues) throw new FileFault({ code: 'part_missing', parameters: { part: before } });
    if (!expected) return;
    const [found, wanted] = [edgeText(edge), edgeText(expected)];
    if (!continues || found !== wanted)
      throw new FileFault({ code: 'parts_differ', parameters: { expected: wanted, found } });
  }

  /** `identity`: no other statement has these. `next`: where the next page must begin, unless this one is the last. */
  end(identity: readonly unknown[], next: PageEdge | undefined): void {
    const digest = hash('sha256', JSON.stringify(identity.map(String)), 'base64').slice(0, 24);
    if (this.#ended.has(digest)) throw new FileFault({ code: 'statement_twice', parameters: {} });
    if (this.#ended.size === statementsAtMost) throw new FileFault({ code: 'too_many_statements', parameters: {} });
    this.#ended.add(digest);
    this.#expected = next;
  }
}
