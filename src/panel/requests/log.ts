// The log of requests to the API. Written behind the response, in sets, and never waited for: it is for debugging, so
// under load a part of the successful requests is left out.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { cut, maskedEncoded, maskedUrl, subjectOf } from '../../identity/index.ts';
import { ulid } from '../../kernel/index.ts';
import { type Loop, nextTurn, startLoop } from '../../runtime/index.ts';
import type { Tools } from '../../tools.ts';
import { copied, createdIn, type Excerpt, excerptOf, maskedText } from './rules.ts';
import { deleteRequests, insertRequests, type LoggedRequest } from './store.ts';

/** Per second, account of the token and process: all of a busy test shop, a sample of a busy real one. */
const successesPerSecond = 20;
const failuresPerSecond = 20;
/** Of all accounts, while they wait to be written: if the database is slow, the rest is left out. */
const waitingAtMost = 2_000;
const flushEveryMilliseconds = 1_000;
const keptDays = 7;
const forgottenAtOnce = 5_000;
const pathAtMost = 500;
/** Of the path, before it is masked: twice what is kept. */
const pathReadAtMost = 1_000;
/** Masking takes the loop for so long at a time; a row takes a millisecond at most. */
const turnMilliseconds = 5;
const rowsPerInsert = 50;

interface Waiting extends Omit<LoggedRequest, 'body' | 'response'> {
  readonly body: Excerpt;
  readonly response: Excerpt;
}

function masked(row: Waiting): LoggedRequest {
  const { path } = row;
  const shown = path.length > pathReadAtMost ? `${maskedUrl(cut(path, pathReadAtMost))}…` : maskedUrl(path);
  return {
    ...row,
    path: shown.slice(0, pathAtMost).toWellFormed(),
    subjectId: row.subjectId ?? (row.method === 'POST' && row.status < 300 ? createdIn(row.response) : null),
    ignoredFields: row.ignoredFields.split(', ').map(maskedEncoded).join(', '),
    body: maskedText(row.body),
    response: maskedText(row.response),
  };
}

/** A few rows in each turn of the loop: what callers sent decides how long a row takes, and others wait meanwhile. */
async function maskedInTurns(rows: readonly Waiting[]): Promise<LoggedRequest[]> {
  const done: LoggedRequest[] = [];
  let began = performance.now();
  for (const row of rows) {
    done.push(masked(row));
    if (performance.now() - began < turnMilliseconds) continue;
    await nextTurn();
    began = performance.now();
  }
  return done;
}

export class RequestLog {
  readonly #tools: Pick<Tools, 'db' | 'wall' | 'random' | 'log'>;
  #waiting: Waiting[] = [];
  /** Taken from `#waiting`, and not written yet. */
  #unwritten = 0;
  #second = 0;
  readonly #counted = new Map<string, number>();
  #loop: Loop | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(tools: Pick<Tools, 'db' | 'wall' | 'random' | 'log'>) {
    this.#tools = tools;
  }

  /** Remembers a request of an account with its response; costs the request next to nothing. */
  record(request: FastifyRequest, reply: FastifyReply, payload: unknown): void {
    const { caller } = request;
    if (!caller || !this.#hasRoom(caller.callerId, reply.statusCode < 400)) return;
    const at = this.#tools.wall.now();
    const ignored = reply.getHeader('x-ignored-fields');
    this.#waiting.push({
      id: ulid(at.epochMilliseconds, this.#tools.random.bytes(16)),
      accountId: caller.id,
      requestId: request.id,
      at,
      endpoint: request.endpoint ?? '',
      method: request.method,
      path: copied(request.url, pathReadAtMost + 1),
      subjectId: subjectOf(request.params),
      status: reply.statusCode,
      milliseconds: Math.round(performance.now() - request.startedAt),
      ignoredFields: typeof ignored === 'string' ? ignored : '',
      body: excerptOf(request.body),
      response: excerptOf(payload),
    });
    this.#loop ??= startLoop(
      flushEveryMilliseconds,
      () => this.flush(),
      (error) => this.#tools.log.warn({ err: error }, 'requests could not be logged'),
    );
  }

  /** Of the token's account: whoever acts for thousands of sellers counts once. */
  #hasRoom(callerId: string, isSuccess: boolean): boolean {
    if (this.#waiting.length + this.#unwritten >= waitingAtMost) return false;
    const second = Math.floor(this.#tools.wall.now().epochMilliseconds / 1_000);
    if (second !== this.#second) {
      this.#second = second;
      this.#counted.clear();
    }
    const kind = `${callerId} ${isSuccess}`;
    const counted = (this.#counted.get(kind) ?? 0) + 1;
    this.#counted.set(kind, counted);
    return counted <= (isSuccess ? successesPerSecond : failuresPerSecond);
  }

  /** Writes what waits, after what is being written. What cannot be written is lost: the log is not the books. */
  flush(): Promise<void> {
    this.#writing = this.#writing.catch(() => undefined).then(() => this.#flushWaiting());
    return this.#writing;
  }

  async #flushWaiting(): Promise<void> {
    const rows = this.#waiting;
    this.#waiting = [];
    this.#unwritten = rows.length;
    try {
      for (let start = 0; start < rows.length; start += rowsPerInsert) {
        const set = await maskedInTurns(rows.slice(start, start + rowsPerInsert));
        await insertRequests(this.#tools.db.sql, set);
        this.#unwritten -= set.length;
      }
    } finally {
      this.#unwritten = 0;
    }
  }

  /** Deletes what is older than seven days; returns how many. */
  forget(): Promise<number> {
    const { db, wall } = this.#tools;
    const since = wall.now().subtract({ hours: keptDays * 24 });
    return deleteRequests(db.sql, ulid(since.epochMilliseconds, new Uint8Array(16)), forgottenAtOnce);
  }

  async close(): Promise<void> {
    await this.#loop?.stop();
    await this.flush().catch(() => undefined);
  }
}
