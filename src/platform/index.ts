// The platform: database, HTTP, time, randomness, logs. Knows no capability.
// Owns: chain_head, idempotency_key, installation, migration, node.

export { answeredInTime, elsewhere } from './answer-time.ts';
export * from './chain/index.ts';
export type { BusinessClock, Clock } from './clock.ts';
export { systemClock } from './clock.ts';
export { dataFiles, makeDataFolder, makePrivateFile } from './data-folder.ts';
export * from './db/index.ts';
export * from './http/index.ts';
export type { Answer, Idempotency, KeyRow, Once, Run } from './idempotency/index.ts';
export { onceIn, openIdempotency } from './idempotency/index.ts';
export { idempotencyRoom } from './idempotency/room.ts';
export type { Installation } from './installation/index.ts';
export { openInstallation, whyNotReady } from './installation/index.ts';
export type { Log } from './log.ts';
export { openLog } from './log.ts';
export type { Loop } from './loop.ts';
export { generateInParallel, inParallel, later, nextTurn, pause, startLoop, within } from './loop.ts';
export type { Metrics } from './metrics.ts';
export { openMetrics } from './metrics.ts';
export { Nodes } from './nodes/index.ts';
export { readOrMake } from './once.ts';
export * from './outbound/index.ts';
export { quietPort, tryPort } from './ports.ts';
export type { EmbeddedPostgres } from './postgres/index.ts';
export { embeddedClients, openEmbeddedPostgres, stopEmbeddedPostgres } from './postgres/index.ts';
export { processName } from './process-name.ts';
export type { Ids, Random } from './random.ts';
export { idsFrom, randomText, systemRandom } from './random.ts';
export { StartFault } from './start-fault.ts';
export { poolThreads, sizeThreadPool } from './thread-pool.ts';
export { enterTurn, laterTurn } from './turns.ts';
export type { Vault, VaultKey } from './vault.ts';
export { cachedOpening, openVault } from './vault.ts';
export type { Waiting, Work } from './work.ts';
