// Mutants of base: lines as they stand, plausible bugs, and the tests that notice them.

import type { Mutant } from '../mutant.ts';

export const baseMutants: readonly Mutant[] = [
  {
    file: 'src/database/batch.ts',
    line: 'if (rows.length === 1) reject(rows, error);',
    instead: 'if (rows.length <= 2) reject(rows, error);',
    bug: 'one bad row fails its neighbor',
    tests: { 'test/platform/batch.test.ts': ['bad rows 4 4 among good ones'] },
  },
  {
    file: 'src/database/batch.ts',
    line: 'if (this.#queue.length >= this.#limits.queueAtMost) {',
    instead: 'if (false) {',
    bug: 'the queue of writes has no limit',
    tests: { 'test/platform/batch.test.ts': ['a full queue refuses'] },
  },
  {
    file: 'src/database/connections.ts',
    line: 'return submitted(this.#client, new FirstStatement(config), this.#left);',
    instead: 'return this.#run(config);',
    bug: 'the first statement of a transaction is committed alone',
    tests: { 'test/platform/first-statement.test.ts': ['is part of the transaction'] },
  },
  {
    file: 'src/database/first-statement.ts',
    line: 'if (this.#begun) super.handleCommandComplete(message, connection);',
    instead: 'super.handleCommandComplete(message, connection);',
    bug: 'what begin says is taken for the result of the statement',
    tests: { 'test/platform/first-statement.test.ts': ['reads what it would read alone'] },
  },
  {
    file: 'src/database/database.ts',
    line: 'effects = [];\n' + '      const sqlOf',
    instead: 'const sqlOf',
    bug: 'a transaction that is begun again performs its effects twice',
    tests: { 'test/platform/database.test.ts': ['effects after a commit'] },
  },
  {
    file: 'src/database/database.ts',
    line: 'if (tried >= triesAtMost || !isRetryable(error) || deadline.left < this.#times.lock) throw explained(error);',
    instead: 'throw explained(error);',
    bug: 'a deadlock is not tried again',
    tests: {
      'test/platform/database.test.ts': [
        'atomic: begun again after a deadlock or a serialization failure, five times at most',
      ],
    },
  },
  {
    file: 'src/database/chain/index.ts',
    line: 'if (hash && Buffer.compare(hash, head.hash) === 0 && head.position >= end) return [];',
    instead: 'if (head.position >= end) return [];',
    bug: 'a chain that was cut off and continued is found correct',
    tests: {
      'test/platform/chain-heads.test.ts': [
        'the newest journal is removed',
        'the newest entry of the audit log is removed',
      ],
    },
  },
  {
    file: 'src/database/chain/index.ts',
    line: 'if (!isNewest || (stored && !isSigned(vault, chain, stored))) return;',
    instead: '',
    bug: 'a chain that was cut off gets a new signed head',
    tests: {
      'test/platform/chain-heads.test.ts': [
        'the newest journal is removed',
        'the newest entry of the audit log is removed',
      ],
    },
  },
  {
    file: 'src/database/nodes/index.ts',
    line: 'return seen !== undefined && seen.silentMilliseconds >= silentAtMostMilliseconds;',
    instead: 'return seen === undefined || seen.silentMilliseconds >= silentAtMostMilliseconds;',
    bug: 'a process that nobody saw counts as dead',
    tests: { 'test/platform/nodes.test.ts': ['one that nobody saw'] },
  },
  {
    file: 'src/database/migrate.ts',
    line: 'if (ours !== checksum) {',
    instead: 'if (false) {',
    bug: 'a changed migration is not noticed',
    tests: { 'test/platform/migrate.test.ts': ['a file that was changed after it ran'] },
  },
  {
    file: 'src/database/due.ts',
    line: 'update ${name} as claimed set next_try_at = ${leaseUntil}, tries = claimed.tries + 1',
    instead: 'update ${name} as claimed set next_try_at = ${leaseUntil}',
    bug: 'tries are not counted: a mail is tried for ever',
    tests: { 'test/refunds/mail.test.ts': ['a server that is away', 'a server that comes back'] },
  },
  {
    file: 'src/database/counts/store.ts',
    line: 'return db.atomic(async (sql) => ((await this.#tryLock(sql)) ? this.#addChanges(sql, atMost) : 0));',
    instead: 'return db.atomic(async (sql) => this.#addChanges(sql, atMost));',
    bug: 'two nodes add the same counts at once',
    tests: {
      'test/transactions/list-many-transactions.test.ts': [
        'counts stay exact while they are added and written concurrently',
      ],
    },
  },
  {
    file: 'src/database/errors.ts',
    line: "'40P01': 'conflict', // deadlock",
    instead: "'40P01': 'bug',",
    bug: 'a deadlock is an error of the service',
    tests: {
      'test/platform/database-errors.test.ts': ['40P01 deadlock, in a transaction', '40P01 deadlock, in one statement'],
    },
  },
  {
    file: 'src/database/errors.ts',
    line: "'25006': 'lost', // read-only transaction: the server is a standby, or was demoted in a switchover",
    instead: "'25006': 'rows',",
    bug: 'after a switchover rows are blamed instead of the connection',
    tests: {
      'test/platform/database-errors.test.ts': [
        '25006 read-only server after a switchover, in a transaction',
        '25006 read-only server after a switchover, in one statement',
      ],
    },
  },
  {
    file: 'src/runtime/vault.ts',
    line: 'const sealing = createCipheriv(cipher, current.key, iv).setAAD(Buffer.from(purpose));',
    instead: "const sealing = createCipheriv(cipher, current.key, iv).setAAD(Buffer.from(''));",
    bug: 'what is sealed for one purpose cannot be opened for it',
    tests: {
      'src/runtime/vault.test.ts': [
        'decrypts once, and again for another ciphertext',
        'refuses what it has opened for another purpose',
      ],
    },
  },
  {
    file: 'src/runtime/vault.ts',
    line: "return `${id}.${createHmac('sha256', key).update(`${purpose}\\0${text}`).digest('base64url')}`;",
    instead: "return `${id}.${createHmac('sha256', key).update(text).digest('base64url')}`;",
    bug: 'a keyed hash for one purpose fits another',
    tests: { 'src/runtime/vault.test.ts': ['recognizes equal texts'] },
  },
  {
    file: 'src/runtime/vault.ts',
    line: 'const key = `${purpose}\\0${sealed}`;',
    instead: 'const key = sealed;',
    bug: 'what was opened for one purpose is given out for another',
    tests: { 'src/runtime/vault.test.ts': ['refuses what it has opened for another purpose'] },
  },
  {
    file: 'src/runtime/turns.ts',
    line: "return weight === 'light' || this.#heavy === 0;",
    instead: 'return true;',
    bug: 'many large requests hold up everybody',
    tests: { 'src/runtime/turns.test.ts': ['one that is heavy per turn'] },
  },
  {
    file: 'src/engine/index.ts',
    line: 'if (done === doneBefore) break;',
    instead: 'if (done >= doneBefore) break;',
    bug: 'what one work makes due for another waits for the next tick',
    tests: {
      'src/engine/tick.test.ts': [
        'what one work makes due for another that had nothing is done in the same tick',
        'a work that fails',
      ],
    },
  },
  {
    file: 'src/engine/index.ts',
    line: 'if (done === 0 || done < (work.setSize ?? 0)) return;',
    instead: 'return;',
    bug: 'a backlog is worked off one batch a second',
    tests: { 'src/engine/tick.test.ts': [] },
  },
  {
    file: 'src/kernel/secret.ts',
    line: 'toJSON(): string {\n' + "    return '[secret]';",
    instead: 'toJSON(): string {\n' + '    return this.#value;',
    bug: 'a secret is in JSON',
    tests: { 'src/kernel/secret.test.ts': ['not by JSON', 'not by format %j'] },
  },
];
