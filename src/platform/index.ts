// The platform: database, HTTP, time, randomness, logs. Knows no capability.
// Owns: idempotency_key, installation, migration.
export type { BusinessClock, Clock } from './clock.ts';
export { systemClock } from './clock.ts';
export { dataFiles, makeDataFolder, makePrivateFile } from './data-folder.ts';
export * from './db/index.ts';
export * from './http/index.ts';
export type { Answer, Idempotency, KeyRow, Once, Run } from './idempotency/index.ts';
export { forgetOldKeys, onceIn, openIdempotency } from './idempotency/index.ts';
export type { Installation } from './installation/index.ts';
export { lockInstallation, openInstallation, saveDemo, whyNotReady } from './installation/index.ts';
export type { Log } from './log.ts';
export { openLog } from './log.ts';
export type { Loop } from './loop.ts';
export { inParallel, pause, startLoop, within } from './loop.ts';
export type { Metrics } from './metrics.ts';
export { openMetrics } from './metrics.ts';
export { readOrMake } from './once.ts';
export * from './outbound/index.ts';
export { quietPort, tryPort } from './ports.ts';
export type { EmbeddedPostgres } from './postgres/index.ts';
export { embeddedClients, openEmbeddedPostgres, stopEmbeddedPostgres } from './postgres/index.ts';
export { processName } from './process-name.ts';
export type { Ids, Random } from './random.ts';
export { idsFrom, randomText, systemRandom } from './random.ts';
export { StartFault } from './start-fault.ts';
export type { Vault, VaultKey } from './vault.ts';
export { openVault } from './vault.ts';
