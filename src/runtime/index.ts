// The process and its surroundings: clocks, ids, randomness, loops, turns of the event loop, logs, metrics, the vault.
// Never: opens a connection, or knows what it runs.
export { answeredInTime, elsewhere } from './answer-time.ts';
export { type BusinessClock, type Clock, systemClock } from './clock.ts';
export { hasDied, isOverlong, type Leased, leaseFrom, whileLeased } from './lease.ts';
export { type Log, openLog } from './log.ts';
export {
  generateInParallel,
  inParallel,
  type Loop,
  later,
  nextTurn,
  pause,
  startLoop,
  within,
} from './loop.ts';
export { type Metrics, openMetrics } from './metrics.ts';
export { readOrMake } from './once.ts';
export { everyProcess, processName, thisProcess } from './process-name.ts';
export { type Ids, idsFrom, type Random, randomText, systemRandom } from './random.ts';
export { StartFault } from './start-fault.ts';
export { poolThreads, sizeThreadPool } from './thread-pool.ts';
export { enterTurn, inTurns, laterTurn, mapInTurns, type Weight } from './turns.ts';
export { cachedOpening, openVault, type Vault, type VaultKey } from './vault.ts';
export { type TranslationOf, wordsBeside } from './words.ts';
export type { Waiting, Work } from './work.ts';
