// The sender: claims due deliveries, sends them outside any database transaction, and writes results back in batches.
//
// It lives as long as the process. `feed` claims and returns without waiting for responses, so a hanging endpoint
// occupies only its own few slots; responses trigger further claims. `drain` waits until nothing is due, for tests and
// for moving the sandbox clock. Deliveries claimed by a node that died are due again when their lease expires, with the
// same webhook-id.

import type { OutboundLimits } from '../../outbound/index.ts';
import { later, within } from '../../runtime/index.ts';
import type { Tools } from '../../tools.ts';
import type { Signing } from '../signing/index.ts';
import { type ClaimRoom, claimDue } from './claim.ts';
import { Lane, type LaneLimits, type Leased } from './lane.ts';
import { type BuildMessage, messageBuilder } from './message.ts';
import { brokenSettlement, settlementOf, untriedSettlement } from './settlement.ts';
import { type Claimed, type Settlement, settleDelivery } from './store.ts';

export interface SenderLimits extends LaneLimits, OutboundLimits {
  /** Maximum number of deliveries that this node has leased. */
  readonly leasedAtMost: number;
  /** How long a claimed delivery may wait for its turn before it is released. */
  readonly waitSeconds: number;
  /** Must cover waiting, sending and writing back. */
  readonly leaseSeconds: number;
  /** How many results wait, and for how long, to be written together while other sends are in flight. */
  readonly gatherAtMost: number;
  readonly gatherMilliseconds: number;
}

export const usualSenderLimits: SenderLimits = {
  milliseconds: 10_000,
  answerBytes: 65_536,
  inFlightAtMost: 16,
  sizeAtFirst: 4,
  sizeAtMost: 256,
  leasedAtMost: 1_024,
  waitSeconds: 5,
  leaseSeconds: 25,
  gatherAtMost: 64,
  gatherMilliseconds: 200,
};

/** The engine polls several times a second; after this long without a poll it counts as stopped. */
const fedMilliseconds = 1_000;

export type SenderTools = Pick<Tools, 'db' | 'clock' | 'wall' | 'random' | 'vault' | 'log' | 'outbound'>;

export class Sender {
  readonly #tools: SenderTools;
  readonly #buildMessage: BuildMessage;
  readonly #limits: SenderLimits;
  readonly #lanes = new Map<string, Lane>();
  #leased = 0;
  #leasedSuspect = 0;
  #tried = 0;
  #roomWasShort = false;
  /** Results that wait for others, and how many are being written. */
  #gathering: (() => void)[] = [];
  #cancelWait: (() => void) | undefined;
  #writing = 0;
  #claiming: Promise<unknown> = Promise.resolve();
  #feedWaits = false;
  #stopping = false;
  /** When the engine last polled. */
  #fedAt: Temporal.Instant | undefined;
  #onIdle: (() => void)[] = [];

  constructor(tools: SenderTools, signing: Signing, limits: Partial<SenderLimits> = {}) {
    this.#tools = tools;
    this.#buildMessage = messageBuilder(tools, signing);
    this.#limits = { ...usualSenderLimits, ...limits };
  }

  /**
   * Claims due deliveries up to the capacity, starts sending them, and returns how many it claimed or queued; 0 means
   * that nothing can be done now. Does not wait for responses.
   */
  feed(): Promise<number> {
    this.#fedAt = this.#tools.wall.now();
    return this.#inTurn(() => this.#claim());
  }

  /**
   * How many new deliveries to this endpoint can be leased on insert and handed over. Only while the engine runs in this
   * process, and only for an endpoint that responded recently; claims, which see all nodes, take the others.
   */
  roomFor(endpoint: string): number {
    const sinceFed = this.#fedAt?.until(this.#tools.wall.now()).total('milliseconds') ?? Number.POSITIVE_INFINITY;
    if (this.#stopping || sinceFed > fedMilliseconds) return 0;
    return Math.min(this.#lanes.get(endpoint)?.room ?? 0, this.#limits.leasedAtMost - this.#leased);
  }

  leaseUntil(): Temporal.Instant {
    return this.#tools.wall.now().add({ seconds: this.#limits.leaseSeconds });
  }

  /** Sends deliveries that were leased on insert. */
  accept(claimed: readonly Claimed[], leaseUntil: Temporal.Instant): void {
    const staleAt = leaseUntil.subtract({ seconds: this.#limits.leaseSeconds - this.#limits.waitSeconds });
    const lanes = new Set(claimed.map((one) => this.#enqueue({ ...one, staleAt, handedOver: true })));
    for (const lane of lanes) {
      if (this.#stopping) for (const waiting of lane.dequeueAll()) this.#release(lane, waiting);
      else this.#sendNext(lane);
    }
  }

  /** Sends until nothing is due and every result is written; returns the number of attempts. */
  async drain(): Promise<number> {
    const before = this.#tried;
    // Done only when a claim that started while nothing was leased finds nothing: one made during a send may be too
    // early.
    const finished = () => this.#inTurn(async () => this.#leased === 0 && (await this.#claim()) === 0);
    while (!(await finished())) {
      await this.#inTurn(() => this.#claim());
      await this.idle();
    }
    return this.#tried - before;
  }

  /** Deliveries that this node has leased, for the metrics. */
  get leased(): number {
    return this.#leased;
  }

  /** Resolves when this node has leased no deliveries. */
  async idle(): Promise<void> {
    if (this.#leased === 0) return;
    await new Promise<void>((resolve) => this.#onIdle.push(resolve));
  }

  /** Stops claiming, releases waiting deliveries, and lets those in flight finish, up to a time limit. */
  async stop(milliseconds: number): Promise<void> {
    this.#stopping = true;
    await this.#claiming;
    for (const lane of this.#lanes.values()) for (const claimed of lane.dequeueAll()) this.#release(lane, claimed);
    // Sends still in flight after that are repeated by another node when their lease expires.
    await within(milliseconds, 'The sends did not end in time.', this.idle()).catch((error) =>
      this.#tools.log.warn({ err: error, leased: this.#leased }, 'stopped with notifications in flight'),
    );
  }

  async #claim(): Promise<number> {
    const all = this.#limits.leasedAtMost - this.#leased;
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
    const lanes = new Set(found.map((claimed) => this.#enqueue({ ...claimed, staleAt, handedOver: false })));
    for (const lane of lanes) this.#sendNext(lane);
    // Only after the claim: one in progress may still return something for the size that the lane offered.
    for (const lane of this.#lanes.values()) if (lane.isOver(wall)) this.#lanes.delete(lane.endpoint);
    // Queued deliveries may have hidden others that need not wait.
    if (moved > 0) this.#feedAgain();
    return found.length + moved;
  }

  #room(all: number): ClaimRoom {
    const lanes = new Map<string, number>();
    const accounts = new Map<string, number>();
    for (const lane of this.#lanes.values()) {
      const { endpoint, size } = lane.offer();
      if (lane.proven) lanes.set(endpoint, size);
      else accounts.set(lane.accountId, (accounts.get(lane.accountId) ?? 0) + lane.leased);
    }
    // Half of the capacity for endpoints that failed last, a quarter for the unproven ones of an account: none takes
    // all.
    return {
      all,
      suspect: Math.max(0, Math.ceil(this.#limits.leasedAtMost / 2) - this.#leasedSuspect),
      account: Math.ceil(this.#limits.leasedAtMost / 4),
      endpoint: this.#limits.sizeAtFirst,
      lanes,
      accounts,
    };
  }

  #enqueue(claimed: Leased): Lane {
    let lane = this.#lanes.get(claimed.endpoint);
    if (!lane) {
      lane = new Lane(claimed, this.#limits);
      this.#lanes.set(claimed.endpoint, lane);
    }
    lane.add(claimed);
    this.#leased += 1;
    if (claimed.suspect) this.#leasedSuspect += 1;
    return lane;
  }

  #sendNext(lane: Lane): void {
    for (let claimed = lane.next(); claimed; claimed = lane.next()) void this.#send(lane, claimed);
  }

  async #send(lane: Lane, claimed: Leased): Promise<void> {
    const settlement = this.#isStale(claimed) ? untriedSettlement(claimed, this.#tools) : await this.#try(claimed);
    this.#tried += settlement.kind === 'released' ? 0 : 1;
    for (const waiting of lane.answered(settlement.kind)) this.#release(lane, waiting);
    this.#sendNext(lane);
    await this.#settle(lane, claimed, settlement);
  }

  /** It waited too long: its lease is too short for a whole attempt. */
  #isStale(claimed: Leased): boolean {
    return Temporal.Instant.compare(this.#tools.wall.now(), claimed.staleAt) > 0;
  }

  async #try(claimed: Leased): Promise<Settlement> {
    try {
      const message = await this.#buildMessage(claimed);
      const posted = await this.#tools.outbound.post(claimed.url, message.headers, message.body, this.#limits);
      return settlementOf(claimed, posted, this.#tools);
    } catch (error) {
      this.#tools.log.error({ eventId: claimed.eventId, err: error }, 'a notification could not be built');
      return brokenSettlement(claimed, this.#tools);
    }
  }

  #release(lane: Lane, claimed: Leased): void {
    void this.#settle(lane, claimed, untriedSettlement(claimed, this.#tools));
  }

  /** Written in a batch with other results. If the database is unavailable, the lease expires. */
  async #settle(lane: Lane, claimed: Leased, settlement: Settlement): Promise<void> {
    await this.#gather(claimed.handedOver);
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
   * Waits briefly for the results of other sends, in flight or expected: a batch costs the database little more than one
   * result. If the node dies meanwhile, these are sent again, like those without a response.
   */
  #gather(othersWillCome: boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#gathering.push(resolve);
      const underWay = this.#leased - this.#writing - this.#gathering.length;
      if ((underWay === 0 && !othersWillCome) || this.#gathering.length >= this.#limits.gatherAtMost)
        this.#flushGathered();
      else this.#cancelWait ??= later(this.#limits.gatherMilliseconds, () => this.#flushGathered());
    });
  }

  #flushGathered(): void {
    this.#cancelWait?.();
    this.#cancelWait = undefined;
    this.#writing += this.#gathering.length;
    for (const resolve of this.#gathering.splice(0)) resolve();
  }

  #drop(lane: Lane, claimed: Leased): void {
    lane.settled(this.#tools.wall.now());
    this.#leased -= 1;
    if (claimed.suspect) this.#leasedSuspect -= 1;
    const more = lane.wantsMore || (this.#roomWasShort && this.#leased <= this.#limits.leasedAtMost / 2);
    if (more) this.#feedAgain();
    if (this.#leased === 0) for (const resolve of this.#onIdle.splice(0)) resolve();
  }

  /** At most one further claim is pending; it covers requests that arrive meanwhile. */
  #feedAgain(): void {
    if (this.#feedWaits || this.#stopping) return;
    this.#feedWaits = true;
    this.#inTurn(() => {
      this.#feedWaits = false;
      return this.#claim();
    }).catch((error) => this.#tools.log.warn({ err: error }, 'due notifications could not be claimed'));
  }

  /** Claims run one at a time, so that each knows what the previous ones hold. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#claiming.then(work);
    this.#claiming = turn.catch(() => undefined);
    return turn;
  }
}
