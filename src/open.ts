// Opens the service: its tools and its rooms. Every command starts here.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Opening, openAcquirersOf } from './acquirers.ts';
import { closeRooms, openRooms, type Rooms } from './capabilities.ts';
import type { Config } from './config.ts';
import { dataFiles, openDataFolder, vaultKeyFile } from './data-files.ts';
import {
  type BatchLimits,
  checkDatabase,
  Database,
  DatabaseAway,
  databaseFault,
  type Installation,
  missingMigrations,
  noteSendsMail,
  openInstallation,
  readMigrations,
  type TimeLimits,
} from './database/index.ts';
import { openEmbeddedPostgres } from './embedded/index.ts';
import { type MailTransport, openSmtp } from './notifications/index.ts';
import { openOutbound } from './outbound/index.ts';
import {
  type BusinessClock,
  idsFrom,
  openLog,
  openMetrics,
  openVault,
  processName,
  readOrMake,
  StartFault,
  systemClock,
  systemRandom,
  type VaultKey,
} from './runtime/index.ts';
import { SandboxClock } from './sandbox/index.ts';
import { openCaughtMail, type Simulator } from './simulators/index.ts';
import type { Tools } from './tools.ts';

export interface OpenDatabase {
  readonly url: string;
  /** Whether there is a pooler between us and the server. */
  readonly pooled: boolean;
  /** Stops the embedded server if no other process uses it; does nothing for the operator's own server. */
  stop(): Promise<void>;
}

/** The configured database, running and reachable; throws a StartFault with the reason otherwise. */
export async function openDatabase(config: Config, onEvent?: (message: string) => void): Promise<OpenDatabase> {
  if (config.databaseUrl !== undefined) {
    const { pooled } = await checkDatabase(config.databaseUrl);
    return { url: config.databaseUrl, pooled, stop: async () => undefined };
  }
  const embedded = await openEmbeddedPostgres({
    dataDir: config.dataDir,
    files: dataFiles,
    ...(onEvent ? { onEvent } : {}),
  });
  return { ...embedded, pooled: false };
}

const vaultKeyBytes = 32;

/** The configured keys, or the one in the data folder, created at the first start. */
async function readVaultKeys(config: Config): Promise<readonly VaultKey[]> {
  if (config.vaultKeys.length > 0) return config.vaultKeys;
  const file = join(config.dataDir, vaultKeyFile);
  await openDataFolder(config.dataDir);
  const text = await readOrMake(file, () => `${randomBytes(vaultKeyBytes).toString('base64')}\n`);
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== vaultKeyBytes) throw new StartFault(`${file} contains no key. Restore it from a backup.`);
  return [{ id: 'data', key }];
}

export interface OpenOptions extends Opening {
  /** The name of this process in the database and the metrics. */
  readonly name: string;
  readonly logFile?: string;
  readonly batchLimits?: BatchLimits;
  /** Timeouts that differ from those of a serving process. */
  readonly times?: TimeLimits;
  /** Whether there is a pooler between us and the server. */
  readonly pooled?: boolean;
  /** Without an SMTP server, mail is caught and shown at /mail. */
  readonly catchMail?: boolean;
  /** Whether this process is a worker, so that it sends the mails that all write. */
  readonly works?: boolean;
}

/** An open service: its tools, its rooms, and how to close it. */
export interface Service {
  readonly tools: Tools;
  readonly rooms: Rooms;
  /** The simulated bank, if it runs in this process. */
  readonly bank: Simulator | undefined;
  readonly installation: Installation;
  close(): Promise<void>;
}

/** In the sandbox the business clock can be moved; in live mode it is the wall clock. */
async function openClock(config: Config, db: Database): Promise<BusinessClock> {
  if (config.mode === 'live') return systemClock;
  const clock = new SandboxClock(systemClock);
  await clock.refresh(db);
  return clock;
}

/** SMTP if it is configured; the demo catches mail; otherwise there is none. */
async function openMail(
  base: Pick<Tools, 'config' | 'db' | 'clock' | 'ids' | 'log' | 'vault'>,
  { catchMail = false }: OpenOptions,
): Promise<MailTransport | undefined> {
  const { mail, mode } = base.config;
  if (mail) return openSmtp({ ...mail, operatorName: base.config.operator.name });
  return catchMail && mode === 'sandbox' ? openCaughtMail(base) : undefined;
}

/** Opens the service on a migrated database. Refuses a schema of another version and a database of the other mode. */
export async function openService(config: Config, databaseUrl: string, options: OpenOptions): Promise<Service> {
  const log = openLog({ level: config.logLevel, file: options.logFile });
  const db = new Database({
    url: databaseUrl,
    applicationName: processName(options.name),
    connectionsAtMost: config.databaseConnections,
    ...(options.batchLimits ? { batchLimits: options.batchLimits } : {}),
    ...(options.times ? { times: options.times } : {}),
    pooled: options.pooled ?? false,
    onIdleError: (error) => log.warn({ err: error }, 'a database connection ended'),
  });
  try {
    const missing = await missingMigrations(db.sql, await readMigrations());
    if (missing.length > 0) {
      throw new StartFault(`The database lacks ${missing.length} migration(s). Run: grosz migrate`);
    }
    const random = systemRandom();
    const vault = openVault(await readVaultKeys(config), random);
    const installation = await openInstallation({ db, vault, wall: systemClock, mode: config.mode });
    const clock = await openClock(config, db);
    const metrics = openMetrics(() => db.connections());
    const base = { db, clock, wall: systemClock, ids: idsFrom(clock, random), random, vault, log, metrics, config };
    const { acquirers, bank } = await openAcquirersOf(base, options);
    const outbound = openOutbound({ policy: config.callbackPolicy });
    const tools: Tools = {
      ...base,
      outbound,
      acquirers,
    };
    const mail = await openMail(base, options);
    if (options.works) await noteSendsMail(db, mail !== undefined);
    const rooms = await openRooms(tools, { bank, mail, mailElsewhere: !options.works && installation.sendsMail });
    const close = async () => {
      await closeRooms(rooms);
      await outbound.close();
      for (const one of acquirers.list) await one.close?.();
      await db.close();
    };
    return { tools, rooms, bank, installation, close };
  } catch (error) {
    await db.close();
    throw error instanceof DatabaseAway ? databaseFault(databaseUrl, error.cause) : error;
  }
}
