// Mutants of batches of payouts.

import type { Mutant } from '../mutant.ts';

const batches = 'test/batches/batches.test.ts';
const commands = 'test/batches/commands.test.ts';
const panel = 'test/batches/panel.test.ts';

export const batchesMutants: readonly Mutant[] = [
  {
    file: 'sql/0025_batches.sql',
    line: 'constraint payout_batch_four_eyes check (approved_by_id <> created_by_id and approved_by <> created_by),',
    instead: 'constraint payout_batch_four_eyes check (approved_by_id <> created_by),',
    bug: 'one person signs a batch twice',
    tests: { [batches]: ['the same person'] },
  },
  {
    file: 'sql/0025_batches.sql',
    line: "perform from person where id = signer and role = 'operator' and blocked_at is null for share;",
    instead: "perform from person where id = signer and role = 'operator' for share;",
    bug: 'an operator who was blocked signs',
    tests: { [batches]: ['somebody who may no longer'] },
  },
  {
    file: 'sql/0025_batches.sql',
    line: 'create unique index payout_batch_item_once on payout_batch_item (payout_id) where is_live;',
    instead: 'create index payout_batch_item_once on payout_batch_item (payout_id) where is_live;',
    bug: 'a payout is in two batches, and paid twice',
    tests: { [batches]: ['a payout of another batch'] },
  },
  {
    file: 'sql/0025_batches.sql',
    line: '  elsif old.sha256 is not null then',
    instead: '  elsif false then',
    bug: 'the bytes of a file are replaced',
    tests: { [batches]: ['no file of other bytes'] },
  },
  {
    file: 'src/batches/approve.ts',
    line: 'if (draft.createdById === by.id || draft.createdBy === by.email) refuse(samePerson);',
    instead: 'if (draft.createdById === by.email) refuse(samePerson);',
    bug: 'one person signs a batch in two browsers',
    tests: { [panel]: ['P163: two sessions of one person'] },
  },
  {
    file: 'src/batches/approve.ts',
    line: 'if (left.payouts !== seen.payouts || left.totalMinor !== seen.totalMinor) {',
    instead: 'if (left.totalMinor < 0n) {',
    bug: 'a batch is signed with other payouts than somebody saw',
    tests: { [batches]: ['an account is swapped'] },
  },
  {
    file: 'src/batches/store/batches.ts',
    line: "where item.batch_id = ${batchId} and payout.state = 'created' and terms.blocked_at is null`;",
    instead: "where item.batch_id = ${batchId} and payout.state = 'created'`;",
    bug: 'an account that was blocked is paid by a batch that was made before',
    tests: { [batches]: ['an account is blocked'] },
  },
  {
    file: 'src/batches/file.ts',
    line: 'if (batch.digest === null || Buffer.compare(digest.digest(), batch.digest) !== 0) refuse(batchAltered);',
    instead: 'if (batch.digest === null) refuse(batchAltered);',
    bug: 'a file has a holder that nobody has signed',
    tests: { [batches]: ['a holder, before the file'] },
  },
  {
    file: 'src/batches/file.ts',
    line: 'if (!isSignedBatch(tools.vault, batch)) refuse(batchAltered);',
    instead: '',
    bug: 'a file is made with a signature that somebody wrote into the database',
    tests: { [batches]: ['who signed, before the file'] },
  },
  {
    file: 'src/batches/hand-over.ts',
    line: 'const isCopy = await isHandedOver(sql, file.id);',
    instead: 'const isCopy = false;',
    bug: 'a second download is not said to be a copy, and is sent',
    tests: { [batches]: ['a second download'] },
  },
  {
    file: 'src/batches/hand-over.ts',
    line: "if (isCopy && way === 'folder') return refuse(batchInOtherState);",
    instead: '',
    bug: 'a file that somebody downloaded is put into the folder too',
    tests: { [commands]: ['downloaded before it is put there'] },
  },
  {
    file: 'src/batches/place-files.ts',
    line: "if (error.code !== 'ENOENT') throw error;",
    instead: 'throw error;',
    bug: 'after a crash between two steps nobody can go on',
    tests: { [commands]: ['dies between two steps'] },
  },
  {
    file: 'src/batches/place-files.ts',
    line: 'if (!(await isPlaced(tools.db.sql, id))) refuse(fileNotInFolder);',
    instead: '',
    bug: 'a file that is not in the folder is called placed',
    tests: { [commands]: ['has neither name'] },
  },
  {
    file: 'src/batches/place-files.ts',
    line: 'return sha256 !== null && Buffer.compare(hash.digest(), sha256) === 0;',
    instead: 'return true;',
    bug: 'any file of that name is taken for ours',
    tests: { [commands]: ['has neither name'] },
  },
  {
    file: 'src/batches/store/files.ts',
    line: "join payout_batch as batch on batch.id = file.batch_id and batch.state = 'handed_over'",
    instead: 'join payout_batch as batch on batch.id = file.batch_id',
    bug: 'a file that was canceled as lost is shown to the bank',
    tests: { [commands]: ['is canceled before the file has its name'] },
  },
  {
    file: 'src/batches/draft.ts',
    line: '  return paymentProblem(profile, payerIban, payment);',
    instead: '  return paymentProblem(profile, payerIban, payment) && undefined;',
    bug: 'one payout that no file can have stops the file of everybody',
    tests: { [batches]: ['payouts that no file can have'] },
  },
  {
    file: 'src/batches/cancel.ts',
    line: 'if (!(await findAbsence?.(sql, lostOf(batch, file, payouts)))) refuse(statementNeeded);',
    instead: 'await findAbsence?.(sql, lostOf(batch, file, payouts));',
    bug: 'a batch that the bank may have is canceled without a statement, and paid twice',
    tests: { [batches]: ['a batch that was handed over'] },
  },
  {
    file: 'src/batches/cancel.ts',
    line: "if (batch.state === 'handed_over') refuse(batchAtBank);",
    instead: '',
    bug: 'one person cancels a batch that the bank may have',
    tests: { [batches]: ['a batch that was handed over'] },
  },
  {
    file: 'src/identity/session/confirm.ts',
    line: "if (!(await tools.db.atomic((sql) => spendCode(tools, sql, user.id, code)))) return refuse(wrongCode, 'code');",
    instead: '',
    bug: 'a stolen password is enough to sign',
    tests: { [batches]: ['password and code'] },
  },
  {
    file: 'src/batches/approve.ts',
    line: 'if (!(await haveOurSettings(tools, sql, ids))) refuse(payeeAltered);',
    instead: '',
    bug: 'a payout to a number that nobody has verified is signed',
    tests: { [batches]: ['who verified it, before the second signature', 'the terms, before the second signature'] },
  },
  {
    file: 'src/batches/verify.ts',
    line: 'return done ? [] : [{ code',
    instead: 'return true ? [] : [{ code',
    bug: 'a payment that is only in the file is not found',
    tests: { [batches]: ['a payout, after the file'] },
  },
];
