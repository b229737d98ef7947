// What runs beside the service on one machine: the embedded PostgreSQL with its lock, the data folder, ports.
// Guarantees: one server per data folder; only the owner of the folder can read it.
export { makeDataFolder, makePrivateFile, postgresFiles, sqliteFiles } from './data-folder.ts';
export { embeddedClients, openEmbeddedPostgres, stopEmbeddedPostgres } from './embedded.ts';
export { quietPort, tryPort } from './ports.ts';
