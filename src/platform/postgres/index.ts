export type { EmbeddedPostgres } from './embedded.ts';
export { embeddedClients, makeDataFolder, openEmbeddedPostgres, stopEmbeddedPostgres } from './embedded.ts';
