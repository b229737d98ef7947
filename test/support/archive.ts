// Base backup, WAL archive and point-in-time recovery of an embedded PostgreSQL: the steps of docs/operations.md.

import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { openEmbeddedPostgres } from '../../src/embedded/index.ts';
import { atEnd } from './service.ts';

export interface ArchivedServer {
  readonly url: string;
  readonly dataDir: string;
  /** Copies the data folder while the server runs. */
  backUp(): Promise<void>;
  /** The server's own time, to which it can be restored. */
  now(): Promise<string>;
  /** Archives everything that was written. */
  archiveAll(): Promise<void>;
}

const unsafe = { fsync: 'off', full_page_writes: 'on' };

/** A server that archives its WAL. `folder` must be empty. */
export async function anArchivedServer(folder: string): Promise<ArchivedServer> {
  const dataDir = join(folder, 'data');
  const archive = join(dataDir, 'archive');
  const settings = { ...unsafe, archive_mode: 'on', archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f` };
  const server = await openEmbeddedPostgres({ dataDir, settings });
  atEnd(() => server.stop());
  makeFor(dataDir, archive);

  async function ask(statement: string): Promise<string> {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    try {
      const { rows } = await client.query({ text: statement, rowMode: 'array' });
      return String(rows[0]?.[0]);
    } finally {
      await client.end();
    }
  }

  return {
    url: server.url,
    dataDir,
    async backUp() {
      // The backup ends with the connection that began it.
      const client = new pg.Client({ connectionString: server.url });
      await client.connect();
      try {
        await client.query("select pg_backup_start('base', true)");
        const base = join(dataDir, 'base');
        sh(`cp -a ${join(dataDir, 'postgres')} ${base}`);
        sh(`rm -rf ${base}/postmaster.pid ${base}/pg_wal/*`);
        const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop()');
        writeFor(dataDir, join(base, 'backup_label'), rows[0]?.labelfile ?? '');
      } finally {
        await client.end();
      }
    },
    now: () => ask('select clock_timestamp()::text'),
    async archiveAll() {
      const last = await ask('select pg_walfile_name(pg_switch_wal())');
      for (let asked = 0; asked < 100_000; asked += 1) {
        if ((await ask('select coalesce(last_archived_wal, $$$$) from pg_stat_archiver')) >= last) return;
      }
      throw new Error(`${last} was not archived.`);
    },
  };
}

/** A new server from the backup and the archive, as it was at `time`. */
export async function restoreServer({ dataDir }: ArchivedServer, folder: string, time: string): Promise<string> {
  const restored = join(folder, 'restored');
  mkdirSync(restored, { mode: 0o700 });
  sh(`cp -a ${join(dataDir, 'base')} ${join(restored, 'postgres')}`);
  sh(`cp -a ${join(dataDir, 'archive')} ${join(dataDir, 'postgres.password')} ${restored}`);
  writeFor(dataDir, join(restored, 'postgres', 'recovery.signal'), '');
  const server = await openEmbeddedPostgres({
    dataDir: restored,
    settings: {
      ...unsafe,
      restore_command: `cp ${join(restored, 'archive')}/%f %p`,
      recovery_target_time: time,
      recovery_target_action: 'promote',
      // Nobody connects before it is restored.
      hot_standby: 'off',
    },
  }).catch((error: Error) => {
    throw new Error(readFileSync(join(restored, 'postgres.log'), 'utf8').slice(-2_000), { cause: error });
  });
  atEnd(async () => {
    await server.stop();
    rmSync(restored, { recursive: true, force: true });
  });
  return server.url;
}

function sh(command: string): void {
  const { status, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
  // Files that the server removes meanwhile are not part of the backup.
  if (status !== 0 && !stderr.includes('No such file')) throw new Error(`${command}: ${stderr}`);
}

/** For the user that runs the server. */
function makeFor(dataDir: string, folder: string): void {
  mkdirSync(folder, { mode: 0o700 });
  const { uid, gid } = statSync(join(dataDir, 'postgres'));
  chownSync(folder, uid, gid);
}

function writeFor(dataDir: string, file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600 });
  const { uid, gid } = statSync(join(dataDir, 'postgres'));
  chownSync(file, uid, gid);
}
