// grosz payouts: batches of payouts, their two signatures and their files.

import { open, rename, unlink } from 'node:fs/promises';
import { commandLine } from '../../contract/codes/actors.ts';
import { batchStateWords } from '../../contract/codes/english/batches.ts';
import {
  type Batch,
  fileNameOf,
  findBatch,
  findFileOf,
  findWaiting,
  type Handed,
  listBatches,
} from '../batches/index.ts';
import { decimalText } from '../kernel/index.ts';
import type { Service } from '../open.ts';
import { StartFault } from '../runtime/index.ts';
import { listPayers, listProfileNames } from '../treasury/index.ts';
import { withService } from './books.ts';
import { changing } from './changing.ts';
import { type Command, type Invocation, optionText } from './command.ts';
import { confirmingOf, refusalsAsFaults, signing } from './confirming.ts';
import { accountActions, accountWords } from './payout-accounts.ts';
import { isPayout, runPayouts, runWords } from './payout-run.ts';

type Action = (service: Service, invocation: Invocation) => Promise<void>;

const shownAtMost = 50;
const afterAll = '8';

function line({ id, state, payouts, totalMinor, currency, createdBy, approvedBy }: Batch): string {
  const signatures = approvedBy === null ? createdBy : `${createdBy}, ${approvedBy}`;
  const size = `${payouts} payouts`.padStart(14);
  return `${id}  ${batchStateWords[state].padEnd(11)}  ${size}  ${decimalText(totalMinor).padStart(14)} ${currency}  ${signatures}`;
}

const list: Action = async ({ tools }, { print }) => {
  const { sql } = tools.db;
  const waiting = await findWaiting(sql, 'PLN');
  print(`Waiting for a batch: ${waiting.payouts}, ${decimalText(waiting.totalMinor)} PLN.`);
  for (const batch of await listBatches(sql, afterAll, shownAtMost)) {
    print(line(batch));
    const file = await findFileOf(sql, batch.id);
    if (file?.sha256)
      print(`  ${fileNameOf(file, false)}  ${file.size} bytes  SHA-256 ${Buffer.from(file.sha256).toString('hex')}`);
  }
};

async function batchOf({ tools }: Service, { words }: Invocation): Promise<Batch> {
  const [, id = ''] = words;
  return (await findBatch(tools.db.sql, id)) ?? fail(`There is no batch "${id}". See: grosz payouts batches`);
}

function fail(message: string): never {
  throw new StartFault(message);
}

const confirming = (invocation: Invocation) => confirmingOf(invocation, 'whose signature it is');

/** With entries in the audit log in the name of whoever signs. */
const signed = <T>(
  { tools }: Service,
  invocation: Invocation,
  by: { readonly action: string; readonly email: string },
  run: () => Promise<T>,
) => signing(tools, invocation, { command: 'payouts', ...by }, run);

const draft: Action = async (service, invocation) => {
  const own = await confirming(invocation);
  const { batches } = service.rooms;
  const number = optionText(invocation, 'from')?.replaceAll(/\s/g, '');
  const accounts = await listPayers(service.tools.db.sql);
  const account = accounts.find((one) => one.number.endsWith(number ?? ''));
  if (number !== undefined && !account) fail(`There is no account ${number} of ours. See: grosz payouts account`);
  const by = { action: 'P162', email: own.email };
  const made = await signed(service, invocation, by, async () =>
    batches.draft(await batches.confirm(own), number === undefined ? undefined : account?.id),
  );
  invocation.print(line(made));
  for (const { payoutId, message } of made.leftOut) invocation.print(`  left out: ${payoutId}  ${message}`);
  invocation.print(`Another operator signs it: grosz payouts approve ${made.id} --as EMAIL`);
};

const approve: Action = async (service, invocation) => {
  const batch = await batchOf(service, invocation);
  invocation.print(line(batch));
  const own = await confirming(invocation);
  const by = { action: 'P163', email: own.email };
  const approved = await signed(service, invocation, by, () => service.rooms.batches.approve(batch.id, batch, own));
  invocation.print(line(approved));
};

/** Under another name first, so that nobody takes half of it. */
async function writeOut(path: string, content: Handed['content']): Promise<void> {
  const part = `${path}.part`;
  const file = await open(part, 'wx', 0o600).catch((error: Error) =>
    fail(`${part} cannot be written: ${error.message}`),
  );
  try {
    for await (const piece of content()) await file.write(piece);
    await file.sync();
    await file.close();
    await rename(part, path);
  } catch (error) {
    await file.close().catch(() => undefined);
    await unlink(part).catch(() => undefined);
    throw error;
  }
}

const file: Action = async (service, invocation) => {
  const batch = await batchOf(service, invocation);
  const out = optionText(invocation, 'out') ?? fail('Missing --out FILE.');
  const { batches } = service.rooms;
  const change = { command: 'payouts', action: 'P165', accountId: null };
  const {
    handover,
    file: made,
    content,
  } = await changing(service.tools, invocation, change, async () => {
    await batches.makeFile(batch.id, optionText(invocation, 'profile'));
    return batches.handOver(batch.id, { way: 'command', person: commandLine });
  });
  await writeOut(out, content);
  invocation.print(`${made.messageId}  ${made.size} bytes  SHA-256 ${Buffer.from(made.sha256 ?? []).toString('hex')}`);
  invocation.print(
    handover.isCopy
      ? `${out} is a copy: the file was handed over before. Do not send it to the bank again.`
      : `${out} is written. The bank shall pay on ${made.executeOn}.`,
  );
};

const send: Action = async (service, invocation) => {
  const folder = optionText(invocation, 'to') ?? fail('Missing --to DIR.');
  const change = { command: 'payouts', action: 'P165', accountId: null };
  const placed = await changing(service.tools, invocation, change, () =>
    service.rooms.batches.placeFiles(folder, commandLine),
  );
  for (const { batchId, name, refused } of placed) invocation.print(`${batchId}  ${refused ?? name}`);
  if (placed.length === 0) invocation.print('No signed batch waits to be sent.');
  if (placed.some(({ refused }) => refused !== undefined)) throw new StartFault('Not every batch could be sent.');
};

const cancel: Action = async (service, invocation) => {
  if (await isPayout(service.tools, invocation.words)) return runPayouts(invocation, service.tools);
  const batch = await batchOf(service, invocation);
  const { batches } = service.rooms;
  if (batch.state !== 'handed_over') {
    const change = { command: 'payouts', action: 'P166', accountId: null };
    const by = { id: null, email: commandLine };
    return invocation.print(
      line(await changing(service.tools, invocation, change, () => batches.cancel(batch.id, by))),
    );
  }
  const own = await confirming(invocation);
  const by = { action: 'P167', email: own.email };
  const changed = await signed(service, invocation, by, () => batches.cancelMissed(batch.id, own));
  invocation.print(line(changed));
  if (changed.state === 'handed_over') invocation.print('Another operator says the same: then it is canceled.');
};

const account: Action = async (service, invocation) => {
  const [, number] = invocation.words;
  const { sql } = service.tools.db;
  if (number === undefined) {
    for (const one of await listPayers(sql)) invocation.print(`${one.number}  ${one.profile}  ${one.holder}`);
    return invocation.print(`Profiles: ${(await listProfileNames(sql)).join(', ')}`);
  }
  const holder = optionText(invocation, 'holder') ?? fail('Missing --holder NAME: whose account it is.');
  const profile = optionText(invocation, 'profile') ?? fail('Missing --profile NAME. See: grosz payouts account');
  const change = { command: 'payouts', action: 'P168', accountId: null };
  const given = await changing(service.tools, invocation, change, () =>
    service.rooms.batches.givePayingAccount({ number, holder, profile, givenBy: commandLine }),
  );
  invocation.print(`Payouts are paid from ${given.number} of ${holder}, in files of ${profile}.`);
};

const ofRun: Action = ({ tools }, invocation) => runPayouts(invocation, tools);

const actions: Readonly<Record<string, Action>> = {
  account,
  batches: list,
  batch: draft,
  approve,
  file,
  send,
  cancel,
  ...accountActions,
  ...Object.fromEntries(Object.keys(runWords).map((name) => [name, ofRun])),
};

export const payouts: Command = {
  name: 'payouts',
  summary: 'Pays payouts through a bank: batches, their two signatures, files.',
  usage: 'plan|run|give|verify|block|release|account|batches|batch|approve|file|send|cancel ...',
  details: `  plan                                 what a run would pay now, and which rule stops everybody else; moves nothing
  run                                  the payouts of today, as the engine makes them on bank days from 5:00 in Warsaw
  give ACCOUNT_ID --holder NAME --as EMAIL
                                       where the payouts of an account go: asks for the number. One that replaces
                                       another is on hold for 72 hours
  verify ACCOUNT_ID --as EMAIL         the bank account of an account belongs to its holder, says an operator who has
                                       not given it: nothing is paid before
  block ACCOUNT_ID --as EMAIL, release ACCOUNT_ID --as EMAIL
                                       no payouts of an account, and again
  account                              lists our accounts that pay, and the profiles that banks have
  account IBAN --holder NAME --profile PROFILE
                                       gives one, or another holder or profile for it
  batches                              lists what waits, and the batches with their files
  batch --as EMAIL [--from IBAN]       makes a batch of all payouts that wait; nothing moves
  approve BATCH --as EMAIL             the second signature, by an operator who has not made it
  file BATCH [--profile PROFILE] --out FILE
                                       makes the file and hands it over: from then on the bank may have it. Later
                                       ones are the same bytes, and copies
  send --to DIR                        makes the files of all signed batches and puts each into the folder, once
  cancel PAYOUT                        one in no batch: its balance has amount and fee again
  cancel BATCH [--as EMAIL]            a draft: its payouts wait again. A signed batch: they are canceled. Once it is
                                       handed over, two operators say that the bank never got it, and a later
                                       statement must not have it
With --as, the password and a code of the operator's authenticator app are asked for; from a pipe each is a line.
docs/payouts.md tells what to do when.`,
  options: {
    as: { type: 'string' },
    from: { type: 'string' },
    holder: { type: 'string' },
    out: { type: 'string' },
    profile: { type: 'string' },
    to: { type: 'string' },
  },
  words: { ...runWords, ...accountWords, account: 2, batches: 1, batch: 1, approve: 2, file: 2, send: 1, cancel: 2 },
  async run(invocation) {
    const [name = ''] = invocation.words;
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!action) throw new StartFault(`Missing or unknown action. Usage: grosz payouts ${payouts.usage}`);
    await withService(invocation, 'payouts', async (service) => {
      await refusalsAsFaults(() => action(service, invocation));
    });
  },
};
