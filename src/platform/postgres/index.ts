export type { EmbeddedPostgres } from './embedded.ts';
export { embeddedClients, openEmbeddedPostgres, stopEmbeddedPostgres } from './embedded.ts';
