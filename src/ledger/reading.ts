// Reading the chain of journals, a page of seals at a time: which are wrong, and what they come to.

import type { Finding } from '../../contract/codes/findings.ts';
import { findingsAtMost, type Verifying } from '../database/index.ts';
import { hexOf } from './chain.ts';
import type { Reached } from './checkpoint.ts';
import { findLastSeal, findSealAfter, listSources, listSums, listWrongSeals, type SealPage } from './store.ts';

const pageSeals = 5_000n;
const pagesAtOnce = 2;
/** How much earlier than one sealed before it a journal may have been posted: database transactions overlap. */
const backdatedAtMost = Temporal.Duration.from({ minutes: 10 });
/**
 * How long before a run that did not find it in the chain a journal may have been posted. The daily comparison looks
 * further back.
 */
const sealedWithin = Temporal.Duration.from({ hours: 1 });

export interface ReadingRules {
  /** Whether time only goes on: in a sandbox the clock is moved, by one node before the others. */
  readonly ordered: boolean;
  /** Up to where the chain was found right, and when. */
  readonly verified?: { readonly position: bigint; readonly at: Temporal.Instant } | undefined;
  /** Whether the sources are gathered: of a whole chain they would be too many. */
  readonly gathers: boolean;
}

/** A chain that was read up to its end. */
export interface ReadChain extends Reached {
  readonly found: Finding[];
  readonly sums: Map<string, bigint>;
  readonly byKind: Map<string, Map<string, bigint>>;
  readonly sources: string[];
  readonly journals: bigint;
  readonly entries: bigint;
}

/**
 * Reads the seals after a position. `from`: up to there everything is in its sums already. What was sealed while it reads
 * is left to the next run.
 */
export async function readChain(
  verifying: Verifying,
  from: Reached,
  after: bigint,
  { ordered, verified, gathers }: ReadingRules,
): Promise<ReadChain> {
  const { sql, kinds, now, report } = verifying;
  const last = await findLastSeal(sql);
  const end = last?.position ?? 0n;
  const found: Finding[] = [];
  const sources: string[] = [];
  const sums = new Map(from.sums);
  const byKind = new Map<string, Map<string, bigint>>();
  let entries = 0n;
  const pages = new Pages(after, end, from.position);
  const readPage = async (page: SealPage) => {
    const rules = {
      kinds: kinds ? [...kinds] : null,
      backdated: ordered ? backdatedAtMost : null,
      now: ordered ? now : null,
      verifiedPosition: verified?.position ?? null,
      earliest: verified?.at.subtract(sealedWithin) ?? null,
    };
    const [wrong, moved] = await Promise.all([listWrongSeals(sql, page, rules), listSums(sql, page)]);
    found.push(...wrong);
    if (moved.length === 0) pages.skipTo((await findSealAfter(sql, page.until)) ?? end);
    if (gathers) for (const source of await listSources(sql, page)) sources.push(source);
    for (const { kind, account, minor, entries: count } of moved) {
      entries += count;
      if (page.after < from.position) continue;
      sums.set(account, (sums.get(account) ?? 0n) + minor);
      addTo(byKind, kind, account, minor);
    }
    report(Number(page.until - page.after));
  };
  const turn = async () => {
    for (let page = pages.next(); page && found.length < findingsAtMost; page = pages.next()) await readPage(page);
  };
  await Promise.all(Array.from({ length: pagesAtOnce }, turn));
  const position = end > from.position ? end : from.position;
  const hash = last && end === position ? hexOf(last.hash) : from.hash;
  return { found, sources, sums, byKind, position, hash, journals: end > after ? end - after : 0n, entries };
}

/** Of pages that were added up before none has a part that was not. */
class Pages {
  #start: bigint;
  readonly #end: bigint;
  readonly #summed: bigint;

  constructor(after: bigint, end: bigint, summed: bigint) {
    this.#start = after;
    this.#end = end;
    this.#summed = summed;
  }

  next(): SealPage | undefined {
    const start = this.#start;
    if (start >= this.#end) return undefined;
    const next = start + pageSeals;
    const border = start < this.#summed && next > this.#summed ? this.#summed : next;
    this.#start = border < this.#end ? border : this.#end;
    return { after: start, until: this.#start };
  }

  /** After an empty page: a seal with a position of somebody's own must not make the gap before it endless. */
  skipTo(position: bigint): void {
    if (position - 1n > this.#start) this.#start = position - 1n;
  }
}

/** The accounts of all merchants are added up as one. */
function addTo(byKind: Map<string, Map<string, bigint>>, kind: string, account: string, minor: bigint): void {
  let ofKind = byKind.get(kind);
  if (!ofKind) {
    ofKind = new Map();
    byKind.set(kind, ofKind);
  }
  const common = account.startsWith('merchant:') ? `merchant:*${account.slice(account.lastIndexOf(':'))}` : account;
  ofKind.set(common, (ofKind.get(common) ?? 0n) + minor);
}
