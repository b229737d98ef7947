// The sender: claims what is due, sends it outside any database transaction, writes the results back in sets.
//
// It lives as long as the process. `feed` claims and returns without waiting for answers, so an endpoint that hangs holds
// only its own few slots; responses trigger further claims. `drain` waits until nothing is due, for tests and for a
// clock that is moved. What a node that dies had claimed is due again when its lease ends, with the same webhook-id.

import { later, type OutboundLimits, within } from '../../platform/index.ts';
import type { Tools } from '../../tools.ts';
import type { Signing } from '../signing/index.ts';
import { type ClaimRoom, claimDue } from './claim.ts';
import { type Held, Lane, type LaneLimits } from './lane.ts';
import { messageWriter, type WriteMessage } from './message.ts';
import { brokenSettlement, settlementOf, untriedSettlement } from './settlement.ts';
import { type Settlement, settleDelivery } from './store.ts';

export interface SenderLimits extends LaneLimits, OutboundLimits {
  /** Deliveries that this node holds at once. */
  readonly heldAtMost: number;
  /** How long a claimed delivery may wait for its turn before it is released. */
  readonly waitSeconds: number;
  /** Waiting, sending and writing back fit into it. */
  readonly leaseSeconds: number;
  /** How many results, and for how long, wait to be written together while other sends are under way. */
  readonly gatherAtMost: number;
  readonly gatherMilliseconds: number;
}

export const usualSenderLimits: SenderLimits = {
  milliseconds: 10_000,
  answerBytes: 65_536,
  inFlightAtMost: 16,
  sizeAtFirst: 4,
  sizeAtMost: 128,
  heldAtMost: 1_024,
  waitSeconds: 5,
  leaseSeconds: 25,
  gatherAtMost: 64,
  gatherMilliseconds: 200,
};

export type SenderTools = Pick<Tools, 'db' | 'clock' | 'wall' | 'random' | 'vault' | 'log' | 'outbound'>;

export class Sender {
  readonly #tools: SenderTools;
  readonly #write: WriteMessage;
  readonly #limits: SenderLimits;
  readonly #lanes = new Map<string, Lane>();
  #held = 0;
  #heldSuspect = 0;
  #tried = 0;
  #roomWasShort = false;
  /** Results that wait for others, and how many are being written. */
  #gathering: (() => void)[] = [];
  #cancelWait: (() => void) | undefined;
  #writing = 0;
  #claiming: Promise<unknown> = Promise.resolve();
  #feedWaits = false;
  #stopping = false;
  #onIdle: (() => void)[] = [];

  constructor(tools: SenderTools, signing: Signing, limits: Partial<SenderLimits> = {}) {
    this.#tools = tools;
    this.#write = messageWriter(tools, signing);
    this.#limits = { ...usualSenderLimits, ...limits };
  }

  /**
   * Claims what is due and there is room for, begins to send it, and returns how many it claimed or moved on: 0 means
   * that nothing can be done now. Waits for no answer.
   */
  feed(): Promise<number> {
    return this.#inTurn(() => this.#claim());
  }

  /** Sends until nothing is due and every result is written; returns how many tries were made. */
  async drain(): Promise<number> {
    const before = this.#tried;
    // Done only when a claim that began with empty hands found nothing: one made beside a send may have been too early.
    const finished = () => this.#inTurn(async () => this.#held === 0 && (await this.#claim()) === 0);
    while (!(await finished())) {
      await this.feed();
      await this.idle();
    }
    return this.#tried - before;
  }

  /** Deliveries in this node's hands, for the metrics. */
  get held(): number {
    return this.#held;
  }

  /** Resolves when this node holds no delivery. */
  async idle(): Promise<void> {
    if (this.#held === 0) return;
    await new Promise<void>((resolve) => this.#onIdle.push(resolve));
  }

  /** Claims no more, releases what waits, and lets what is on its way end, for so long at most. */
  async stop(milliseconds: number): Promise<void> {
    this.#stopping = true;
    await this.#claiming;
    for (const lane of this.#lanes.values()) for (const claimed of lane.takeWaiting()) this.#release(lane, claimed);
    // What is still on its way then is sent again by another node when its lease ends.
    await within(milliseconds, 'The sends did not end in time.', this.idle()).catch((error) =>
      this.#tools.log.warn({ err: error, held: this.#held }, 'notifications were interrupted'),
    );
  }

  async #claim(): Promise<number> {
    const all = this.#limits.heldAtMost - this.#held;
    if (this.#stopping || all <= 0) {
      this.#roomWasShort = true;
      return 0;
    }
    const wall = this.#tools.wall.now();
    const times = {
      now: this.#tools.clock.now(),
      wall,
      leaseUntil: wall.add({ seconds: this.#limits.leaseSeconds }),
    };
    const { claimed: found, moved, short } = await claimDue(this.#tools.db.sql, times, this.#room(all));
    this.#roomWasShort = short;
    const staleAt = wall.add({ seconds: this.#limits.waitSeconds });
    const lanes = new Set(found.map((claimed) => this.#hold({ ...claimed, staleAt })));
    for (const lane of lanes) this.#sendNext(lane);
    // Not before the end of a claim: one that is under way may still bring something, by the size that the lane offered.
    for (const lane of this.#lanes.values()) if (lane.isOver(wall)) this.#lanes.delete(lane.endpoint);
    // Those that had to make way may have stood before others that need not wait.
    if (moved > 0) this.#feedAgain();
    return found.length + moved;
  }

  #room(all: number): ClaimRoom {
    const lanes = new Map<string, number>();
    const accounts = new Map<string, number>();
    for (const lane of this.#lanes.values()) {
      const { endpoint, size } = lane.offer();
      if (lane.proven) lanes.set(endpoint, size);
      else accounts.set(lane.accountId, (accounts.get(lane.accountId) ?? 0) + lane.held);
    }
    // Half of the places for endpoints that failed last, a quarter for one account's unproven ones: none takes all.
    return {
      all,
      suspect: Math.max(0, Math.ceil(this.#limits.heldAtMost / 2) - this.#heldSuspect),
      account: Math.ceil(this.#limits.heldAtMost / 4),
      endpoint: this.#limits.sizeAtFirst,
      lanes,
      accounts,
    };
  }

  #hold(claimed: Held): Lane {
    let lane = this.#lanes.get(claimed.endpoint);
    if (!lane) {
      lane = new Lane(claimed, this.#limits);
      this.#lanes.set(claimed.endpoint, lane);
    }
    lane.add(claimed);
    this.#held += 1;
    if (claimed.suspect) this.#heldSuspect += 1;
    return lane;
  }

  #sendNext(lane: Lane): void {
    for (let claimed = lane.next(); claimed; claimed = lane.next()) void this.#send(lane, claimed);
  }

  async #send(lane: Lane, claimed: Held): Promise<void> {
    const settlement = this.#isStale(claimed) ? untriedSettlement(claimed, this.#tools) : await this.#try(claimed);
    this.#tried += settlement.kind === 'released' ? 0 : 1;
    for (const waiting of lane.answered(settlement.kind)) this.#release(lane, waiting);
    this.#sendNext(lane);
    await this.#settle(lane, claimed, settlement);
  }

  /** Waited too long: its lease would not last for a whole try. */
  #isStale(claimed: Held): boolean {
    return Temporal.Instant.compare(this.#tools.wall.now(), claimed.staleAt) > 0;
  }

  async #try(claimed: Held): Promise<Settlement> {
    try {
      const message = await this.#write(claimed);
      const posted = await this.#tools.outbound.post(claimed.url, message.headers, message.body, this.#limits);
      return settlementOf(claimed, posted, this.#tools);
    } catch (error) {
      this.#tools.log.error({ eventId: claimed.eventId, err: error }, 'a notification could not be written');
      return brokenSettlement(claimed, this.#tools);
    }
  }

  #release(lane: Lane, claimed: Held): void {
    void this.#settle(lane, claimed, untriedSettlement(claimed, this.#tools));
  }

  /** Written together with the other results that wait. When the database is away the lease ends by itself. */
  async #settle(lane: Lane, claimed: Held, settlement: Settlement): Promise<void> {
    await this.#gather();
    try {
      const counted = await this.#tools.db.batch(settleDelivery, settlement);
      if (!counted)
        this.#tools.log.warn({ eventId: claimed.eventId }, 'a delivery result arrived after its lease expired');
    } catch (error) {
      this.#tools.log.warn({ eventId: claimed.eventId, err: error }, 'a delivery result could not be written');
    }
    this.#writing -= 1;
    this.#drop(lane, claimed);
  }

  /**
   * Waits for the results of the sends that are under way, for a moment at most: a set costs the database little more than
   * one result. A node that dies meanwhile sends these again, as it would those that it had not heard of yet.
   */
  #gather(): Promise<void> {
    return new Promise((resolve) => {
      this.#gathering.push(resolve);
      const underWay = this.#held - this.#writing - this.#gathering.length;
      if (underWay === 0 || this.#gathering.length >= this.#limits.gatherAtMost) this.#writeGathered();
      else this.#cancelWait ??= later(this.#limits.gatherMilliseconds, () => this.#writeGathered());
    });
  }

  #writeGathered(): void {
    this.#cancelWait?.();
    this.#cancelWait = undefined;
    this.#writing += this.#gathering.length;
    for (const resolve of this.#gathering.splice(0)) resolve();
  }

  #drop(lane: Lane, claimed: Held): void {
    lane.settled(this.#tools.wall.now());
    this.#held -= 1;
    if (claimed.suspect) this.#heldSuspect -= 1;
    const more = lane.wantsMore || (this.#roomWasShort && this.#held <= this.#limits.heldAtMost / 2);
    if (more) this.#feedAgain();
    if (this.#held === 0) for (const resolve of this.#onIdle.splice(0)) resolve();
  }

  /** One call for more at a time; those that come meanwhile are covered by it. */
  #feedAgain(): void {
    if (this.#feedWaits || this.#stopping) return;
    this.#feedWaits = true;
    this.#inTurn(() => {
      this.#feedWaits = false;
      return this.#claim();
    }).catch((error) => this.#tools.log.warn({ err: error }, 'due notifications could not be claimed'));
  }

  /** Claims take turns, so that each knows what the ones before it hold. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#claiming.then(work);
    this.#claiming = turn.catch(() => undefined);
    return turn;
  }
}
