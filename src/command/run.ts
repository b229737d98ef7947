// Runs a process of the service, from opening its port to shutdown; and serve, work and migrate.

import type { FastifyInstance } from 'fastify';
import { refuseLeftBehind } from '../acquirers.ts';
import { build, buildMonitor } from '../app.ts';
import { type Config, readConfig, unknownSettings } from '../config.ts';
import { openDataFolder } from '../data-files.ts';
import { migrate, readMigrations, SchemaMismatch } from '../database/index.ts';
import { tryPort } from '../embedded/index.ts';
import { startEngine } from '../engine/index.ts';
import { openDatabase, openService, type Service } from '../open.ts';
import { checkPanel } from '../panel/index.ts';
import { openLog, StartFault, startLoop, systemClock } from '../runtime/index.ts';
import { SandboxClock } from '../sandbox/index.ts';
import type { Command, Invocation } from './command.ts';

const engineEveryMilliseconds = 1_000;
const clockEveryMilliseconds = 500;

interface Parts {
  readonly name: string;
  readonly serves: boolean;
  readonly works: boolean;
  readonly logFile?: string;
  /** Without an SMTP server, mail is caught and shown at /mail. */
  readonly catchMail?: boolean;
  /** What is printed before the database is opened, which may take seconds. */
  readonly opening?: string;
  /** Runs before the service is opened. */
  readonly prepare?: (databaseUrl: string) => Promise<void>;
  /** Runs when everything responds; returns a function that closes what it opened. */
  readonly ready: (service: Service) => Promise<(() => Promise<void>) | undefined>;
  /** What is printed when everything has stopped. */
  readonly stopped?: string;
}

/** Opens the parts, waits for the end, and closes them in an order that loses nothing in flight. */
export async function run(config: Config, invocation: Invocation, parts: Parts): Promise<void> {
  for (const unknown of unknownSettings(invocation.environment)) invocation.print(`Warning: ${unknown}`);
  const place = placeOf(config, parts);
  if (place) await checkPort(place);
  if (parts.serves) await checkPanel(config);
  if (parts.logFile) await openDataFolder(config.dataDir);
  if (parts.opening !== undefined) invocation.print(parts.opening);
  const log = openLog({ level: config.logLevel, file: parts.logFile });
  const database = await openDatabase(config, (message) => log.warn(message));
  const closing: (() => Promise<unknown>)[] = [() => database.stop()];
  let started = false;
  const starting = () => (started ? undefined : 'The service is starting.');
  try {
    await parts.prepare?.(database.url);
    const service = await openService(config, database.url, { ...parts, pooled: database.pooled });
    const { tools, rooms } = service;
    closing.unshift(() => service.close());
    await refuseLeftBehind(tools);
    const { clock } = tools;
    // Closed with the rooms.
    await rooms.nodes.start((error) => tools.log.warn({ err: error }, 'the beat of this process failed'));
    if (clock instanceof SandboxClock) {
      const watch = startLoop(
        clockEveryMilliseconds,
        async () => {
          await clock.refresh(tools.db);
          await rooms.sandbox?.resumeMove();
        },
        () => undefined,
      );
      closing.unshift(() => watch.stop());
    }
    if (parts.works) {
      const mayRun = () => !(clock instanceof SandboxClock && clock.movedElsewhere);
      const engine = startEngine(tools, rooms.works, engineEveryMilliseconds, mayRun);
      closing.unshift(() => engine.stop());
    }
    if (place) {
      const app = await (parts.serves ? build : buildMonitor)(tools, rooms, { starting });
      closing.unshift(() => app.close());
      await listen(app, place);
      if (parts.serves) void rooms.panel.prepare();
    }
    tools.log.info({ name: parts.name, baseUrl: config.baseUrl, mode: config.mode }, 'ready');
    const close = await parts.ready(service);
    if (close) closing.unshift(close);
    started = true;
    await invocation.ended;
    tools.log.info({ name: parts.name }, 'stopping');
    invocation.print('Stopping.');
  } finally {
    for (const close of closing) await close();
  }
  invocation.print(parts.stopped ?? 'Stopped.');
}

/** Where this process listens, and the setting for it. */
interface Place {
  readonly host: string;
  readonly port: number;
  readonly setting: 'PORT' | 'WORK_PORT';
}

function placeOf({ host, port, workPort }: Config, { serves }: Pick<Parts, 'serves'>): Place | undefined {
  if (serves) return { host, port, setting: 'PORT' };
  return workPort === undefined ? undefined : { host, port: workPort, setting: 'WORK_PORT' };
}

async function listen(app: FastifyInstance, place: Place): Promise<void> {
  try {
    await app.listen({ host: place.host, port: place.port });
  } catch (error) {
    throw portFault(error, place);
  }
}

function portFault(error: unknown, { host, port, setting }: Place): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  const example = setting === 'PORT' ? 'PORT=3100 npm start' : 'WORK_PORT=3101 grosz work';
  if (code === 'EADDRINUSE') return new StartFault(`Port ${port} is in use. Set ${setting} to a free one: ${example}`);
  if (code === 'EACCES')
    return new StartFault(
      `Port ${port} requires privileges that this user does not have. Set ${setting} to a port above 1023.`,
    );
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new StartFault(`HOST ${host} is not an address of this machine.`);
  return error;
}

/** Before anything else: a second start next to a running service must change nothing. */
export async function checkPort(place: Place): Promise<void> {
  try {
    await tryPort(place.host, place.port);
  } catch (error) {
    throw portFault(error, place);
  }
}

/** `advice` is what the operator can do about a database created by another build. */
export async function runMigrations(databaseUrl: string, advice = ''): Promise<string[]> {
  try {
    return await migrate(databaseUrl, await readMigrations(), systemClock.now().toString());
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new StartFault(error instanceof SchemaMismatch ? `${message}${advice}` : message, { cause: error });
  }
}

function announce(invocation: Invocation, text: string) {
  return async () => {
    invocation.print(text);
    return undefined;
  };
}

export const serve: Command = {
  name: 'serve',
  summary: 'Runs the HTTP API.',
  usage: '',
  details: 'Any number of nodes may serve one database. The schema must be up to date: grosz migrate.',
  options: {},
  words: 0,
  async run(invocation) {
    const config = readConfig(invocation.environment);
    const ready = announce(invocation, `Grosz is listening at ${config.baseUrl}`);
    await run(config, invocation, { name: 'serve', serves: true, works: false, ready });
  },
};

export const work: Command = {
  name: 'work',
  summary: 'Runs the engine: charges, lookups, deliveries and other background work.',
  usage: '',
  details: `Any number of nodes may work on one database. The schema must be up to date: grosz migrate. With WORK_PORT it
serves its health and metrics there: /health/live, /health/ready, /metrics.`,
  options: {},
  words: 0,
  async run(invocation) {
    const config = readConfig(invocation.environment);
    const ready = announce(invocation, 'The Grosz engine is running.');
    await run(config, invocation, { name: 'work', serves: false, works: true, ready });
  },
};

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'Migrates the database schema to this version.',
  usage: '',
  details: 'Applies missing migrations, each in its own transaction. Concurrent runs take turns.',
  options: {},
  words: 0,
  async run(invocation) {
    const config = readConfig(invocation.environment);
    const database = await openDatabase(config);
    try {
      const applied = await runMigrations(database.url);
      invocation.print(applied.length > 0 ? `Applied: ${applied.join(', ')}` : 'The schema is up to date.');
    } finally {
      await database.stop();
    }
  },
};
