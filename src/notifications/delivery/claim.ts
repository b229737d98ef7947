// Claims due deliveries: leases as many per endpoint as it may still have in flight, across all nodes.
//
// A delivery that becomes due is leased immediately if its endpoint has capacity. Otherwise it moves to the endpoint's
// queue and is not read again before the queue's turn, so neither future deliveries nor one endpoint's backlog slow
// down the others. Each step is a separate statement; if a node dies in between, its leases expire.

import type { Sql } from '../../database/index.ts';
import { type Contender, laneSize, type Places, sharePlaces } from './shares.ts';
import {
  type Claimed,
  type ClaimTimes,
  deleteEmptyQueues,
  type EndpointState,
  hasDue,
  leaseDue,
  listEndpointStates,
  type QueueHead,
  queueClaimed,
} from './store.ts';

export interface ClaimRoom {
  /** Maximum number of deliveries to claim. */
  readonly all: number;
  /** Of these, the maximum for endpoints whose last attempt failed. */
  readonly suspect: number;
  /** Of these, the maximum for unproven endpoints of one account. */
  readonly account: number;
  /** Maximum number of leases of an endpoint that has no lane size of its own. */
  readonly endpoint: number;
  /** Lane sizes of proven endpoints. */
  readonly lanes: ReadonlyMap<string, number>;
  /** How many leases accounts already hold for unproven endpoints. */
  readonly accounts: ReadonlyMap<string, number>;
}

export interface Claim {
  readonly claimed: readonly Claimed[];
  /** Deliveries that became due and were moved to a queue. */
  readonly moved: number;
  /** Whether an endpoint that is not failing would have been given more if there had been more capacity. */
  readonly short: boolean;
}

/** Minimum number of newly due deliveries to read, so that those that must be queued make way for others. */
const arrivalsAtLeast = 250;

/** Leases at most `room.all` due deliveries. Two nodes never lease the same one. */
export async function claimDue(sql: Sql, times: ClaimTimes, room: ClaimRoom): Promise<Claim> {
  const suspects = Math.min(room.all, room.suspect);
  if (!(await hasDue(sql, times, suspects > 0))) return { claimed: [], moved: 0, short: false };
  const states = await listEndpointStates(sql, times.wall, {
    healthy: room.all,
    suspect: suspects,
    fullAccounts: [...room.accounts].filter(([, leases]) => leases >= room.account).map(([accountId]) => accountId),
  });
  const arrived = await leaseDue(sql, times, Math.max(room.all, arrivalsAtLeast), []);
  const queues = new Map(states.filter(hasQueue).map((queue) => [queue.endpoint, queue]));
  const arrivals = Map.groupBy(arrived, ({ endpoint }) => endpoint);
  const contenders = inTurn(arrivalContenders(arrivals, queues, states, room), queueContenders(queues, room));
  const shares = sharePlaces(contenders, placesOf(room));
  // If there is a queue, new deliveries go to its end.
  const keptOf = (endpoint: string) => (queues.has(endpoint) ? 0 : (shares.get(endpoint) ?? 0));
  const kept = [...arrivals].flatMap(([endpoint, those]) => those.slice(0, keptOf(endpoint)));
  const surplus = [...arrivals].flatMap(([endpoint, those]) => those.slice(keptOf(endpoint)));
  if (surplus.length > 0) await queueClaimed(sql, surplus, times.wall);
  const leased = await leaseQueued(sql, times, queues, shares);
  const short = contenders.some((one) => !one.suspect && (shares.get(one.endpoint) ?? 0) < one.room);
  return { claimed: [...kept, ...leased], moved: surplus.length, short };
}

type Queue = EndpointState & { readonly queue: QueueHead };
type Queues = ReadonlyMap<string, Queue>;

function hasQueue(state: EndpointState): state is Queue {
  return state.queue !== null;
}

function placesOf({ all, suspect, account, accounts }: ClaimRoom): Places {
  return { all, suspect, ofAccount: (accountId) => account - (accounts.get(accountId) ?? 0) };
}

function contenderOf(
  endpoint: string,
  { accountId, failures }: Pick<QueueHead, 'accountId' | 'failures'>,
  leases: number,
  room: ClaimRoom,
): Contender {
  const size = room.lanes.get(endpoint);
  const left = laneSize(failures, size, room.endpoint) - leases;
  return { endpoint, accountId, suspect: failures > 0, unproven: size === undefined, room: left };
}

function queueContenders(queues: Queues, room: ClaimRoom): Contender[] {
  return [...queues.values()].map(({ endpoint, leases, queue }) => contenderOf(endpoint, queue, leases, room));
}

function arrivalContenders(
  arrivals: ReadonlyMap<string, readonly Claimed[]>,
  queues: Queues,
  states: readonly EndpointState[],
  room: ClaimRoom,
): Contender[] {
  const leases = new Map(states.map((state) => [state.endpoint, state.leases]));
  return [...arrivals].flatMap(([endpoint, those]) => {
    const [first] = those;
    if (!first || queues.has(endpoint)) return [];
    const contender = contenderOf(endpoint, first, leases.get(endpoint) ?? 0, room);
    return { ...contender, room: Math.min(contender.room, those.length) };
  });
}

/** Alternates between both, so that neither new nor queued deliveries take all the capacity. */
function inTurn<T>(first: readonly T[], second: readonly T[]): T[] {
  const longest = Math.max(first.length, second.length);
  return Array.from({ length: longest }, (_, index) => [first[index], second[index]])
    .flat()
    .filter((one) => one !== undefined);
}

/** Leases what was granted to these queues; a queue that has fewer deliveries is empty and is deleted. */
async function leaseQueued(
  sql: Sql,
  times: ClaimTimes,
  queues: Queues,
  shares: ReadonlyMap<string, number>,
): Promise<Claimed[]> {
  const asks = [...queues.keys()].map((endpoint) => ({ endpoint, count: shares.get(endpoint) ?? 0 }));
  const asked = asks.filter(({ count }) => count > 0);
  if (asked.length === 0) return [];
  const leased = await leaseDue(sql, times, 0, asked);
  const found = Map.groupBy(leased, ({ endpoint }) => endpoint);
  const drained = asked.filter(({ endpoint, count }) => (found.get(endpoint)?.length ?? 0) < count);
  const versions = drained.map(({ endpoint }) => ({ endpoint, version: queues.get(endpoint)?.queue.version ?? 0 }));
  if (versions.length > 0) await deleteEmptyQueues(sql, versions);
  return leased;
}
