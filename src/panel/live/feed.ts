// Tells browsers what changed. The database is asked once a second for all accounts that somebody looks at, whatever the
// number of browsers; if nobody does, it is not asked.

import { type Viewer, watchingOf } from '../../identity/index.ts';
import { Unavailable } from '../../kernel/index.ts';
import { type Loop, startLoop } from '../../runtime/index.ts';
import type { Tools } from '../../tools.ts';
import { Listener } from './listener.ts';
import type { LiveKind } from './model.ts';
import { listMarks, type Marks } from './store.ts';

const everyMilliseconds = 1_000;
const perUserAtMost = 10;
/** Of the people of one account, so that there is room for those of others. */
const perAccountAtMost = 400;
const perNodeAtMost = 2_000;
/** Then a browser connects again, and who it is and may see is checked again. */
const lastsRounds = 900;
/** Less than the time after which proxies, and we, close a silent connection. */
const silentRounds = 25;
/** A pending transaction expires after a month; until then its status changes by itself. */
const countedSince = { hours: 24 * 35 } as const;

const kindOfEvent: Readonly<Record<string, LiveKind>> = {
  transaction: 'transactions',
  refund: 'refunds',
  recurring: 'recurring',
  marketplace: 'marketplace',
};

export class LiveFeed {
  readonly #tools: Pick<Tools, 'db' | 'clock' | 'wall' | 'log'>;
  readonly #listeners = new Set<Listener>();
  /** The listeners of each account. */
  readonly #watching = new Map<string, Set<Listener>>();
  readonly #marks = new Map<string, Marks>();
  #looking: Promise<void> = Promise.resolve();
  #loop: Loop | undefined;

  constructor(tools: Pick<Tools, 'db' | 'clock' | 'wall' | 'log'>) {
    this.#tools = tools;
  }

  /** Everything that changes after it resolves is told. Refuses more connections than a user or an account may have. */
  async follow(viewer: Viewer): Promise<AsyncIterable<string>> {
    if (this.#isFull(viewer)) {
      throw new Unavailable('too_many_requests', 'There are too many connections.', 30, 'Close other windows.');
    }
    const listener = new Listener(viewer, () => this.#leave(listener));
    this.#join(listener);
    try {
      await this.#look(() => (this.#marks.has(viewer.accountId) ? [] : [viewer.accountId]));
    } catch (error) {
      listener.end();
      throw error;
    }
    this.#loop ??= startLoop(
      everyMilliseconds,
      () => this.round(),
      (error) => this.#tools.log.warn({ err: error }, 'live updates could not be read'),
    );
    return listener;
  }

  #isFull({ userId, ownAccountId }: Viewer): boolean {
    const open = [...this.#listeners].filter(({ viewer }) => viewer.ownAccountId === ownAccountId);
    const ofUser = open.filter(({ viewer }) => viewer.userId === userId).length;
    return ofUser >= perUserAtMost || open.length >= perAccountAtMost || this.#listeners.size >= perNodeAtMost;
  }

  #join(listener: Listener): void {
    this.#listeners.add(listener);
    const { accountId } = listener.viewer;
    this.#watching.set(accountId, (this.#watching.get(accountId) ?? new Set()).add(listener));
  }

  #leave(listener: Listener): void {
    this.#listeners.delete(listener);
    const { accountId } = listener.viewer;
    const others = this.#watching.get(accountId);
    others?.delete(listener);
    if (others?.size === 0) {
      this.#watching.delete(accountId);
      this.#marks.delete(accountId);
    }
    if (this.#listeners.size > 0) return;
    void this.#loop?.stop();
    this.#loop = undefined;
  }

  /** Tells what changed since the last round, and ends those who may see the account no more. */
  async round(): Promise<void> {
    if (this.#listeners.size === 0) return;
    await this.#endStrangers();
    await this.#look(() => [...this.#watching.keys()]);
    for (const listener of this.#listeners) {
      if (listener.rounds >= lastsRounds) listener.end();
      else listener.pass(silentRounds);
    }
  }

  async #endStrangers(): Promise<void> {
    const listeners = [...this.#listeners];
    const isWatching = await watchingOf(
      this.#tools,
      listeners.map(({ viewer }) => viewer),
    );
    for (const listener of listeners) if (!isWatching(listener.viewer)) listener.end('ended');
  }

  /** One after the other: each is compared with the one before. */
  #look(accountIds: () => readonly string[]): Promise<void> {
    const looking = this.#looking.then(() => this.#lookNow(accountIds()));
    this.#looking = looking.catch(() => undefined);
    return looking;
  }

  async #lookNow(accountIds: readonly string[]): Promise<void> {
    if (accountIds.length === 0) return;
    const { db, clock } = this.#tools;
    const now = clock.now();
    const wanted = accountIds.map((accountId) => ({ accountId, position: this.#marks.get(accountId)?.position ?? 0n }));
    // Yesterday in every time zone.
    const recently = now.toZonedDateTimeISO('UTC').toPlainDate().subtract({ days: 2 });
    for (const marks of await listMarks(db.sql, wanted, now.subtract(countedSince), recently)) this.#applyMarks(marks);
  }

  #applyMarks(marks: Marks): void {
    const { accountId } = marks;
    const listeners = this.#watching.get(accountId);
    if (!listeners) return;
    const before = this.#marks.get(accountId);
    this.#marks.set(accountId, marks);
    const kinds = before ? changesOf(before, marks) : [];
    if (kinds.length > 0) for (const listener of listeners) listener.notify(kinds);
  }

  /** Ends all connections, so that the server can close. */
  end(): void {
    for (const listener of this.#listeners) listener.end();
  }
}

function changesOf(before: Marks, after: Marks): LiveKind[] {
  const kinds = new Set<LiveKind>();
  if (after.transactions !== before.transactions) kinds.add('transactions');
  if (after.money !== before.money) kinds.add('money');
  if (after.position !== before.position) kinds.add('notifications');
  for (const type of after.types) {
    const kind = kindOfEvent[type];
    if (kind) kinds.add(kind);
  }
  return [...kinds];
}
