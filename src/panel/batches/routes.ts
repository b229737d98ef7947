import * as contract from '../../../contract/panel/batches.ts';
import {
  type Batch,
  type Batches,
  fileNameOf,
  findBatch,
  findFileOf,
  findWaiting,
  listBatches,
  listFilesOf,
  listHandovers,
  listShown,
} from '../../batches/index.ts';
import { on, type Route, Streamed } from '../../http/index.ts';
import { done, type Person } from '../../identity/index.ts';
import { refuse, Secret } from '../../kernel/index.ts';
import type { Tools } from '../../tools.ts';
import { findBankAccount, listPayers, listProfileNames } from '../../treasury/index.ts';
import { serializeAccount, serializeBatch, serializePayout, serializeWaiting } from './wire.ts';

const perPage = 50;
const payoutsPerPage = 200;
/** After every id. */
const afterAll = '8';

type ShowTools = Pick<Tools, 'db'>;

const signerOf = ({ user: { id, email } }: Person) => ({ id, email });

/** What a person who is signed in has given again. */
const confirmingOf = (
  { user: { email } }: Person,
  { password, code }: { readonly password: string; readonly code: string },
) => ({ email, password: new Secret(password), code });

async function show({ db }: ShowTools, batch: Batch) {
  const [payer, file] = [await findBankAccount(db.sql, batch.bankAccountId), await findFileOf(db.sql, batch.id)];
  return serializeBatch(batch, payer, file);
}

async function showAgain(tools: ShowTools, id: string) {
  return show(tools, (await findBatch(tools.db.sql, id)) ?? refuse('not_found'));
}

function readingBatches(tools: ShowTools): Route<Person>[] {
  const { sql } = tools.db;
  return [
    on(contract.listPayoutBatches, async ({ query, requestId }) => {
      const batches = await listBatches(sql, query.before ?? afterAll, perPage + 1);
      const shown = batches.slice(0, perPage);
      const files = await listFilesOf(
        sql,
        shown.map(({ id }) => id),
      );
      const accounts = await listPayers(sql);
      const payers = await Promise.all(
        [...new Set(shown.map(({ bankAccountId }) => bankAccountId))].map((id) => findBankAccount(sql, id)),
      );
      return {
        ...done(requestId),
        waiting: serializeWaiting(await findWaiting(sql, 'PLN')),
        accounts: accounts.map(serializeAccount),
        profiles: await listProfileNames(sql),
        batches: shown.map((batch) =>
          serializeBatch(
            batch,
            payers.find((payer) => payer?.id === batch.bankAccountId),
            files.find(({ batchId }) => batchId === batch.id),
          ),
        ),
        nextBefore: batches.length > perPage ? (shown.at(-1)?.id ?? null) : null,
      };
    }),
    on(contract.getPayoutBatch, async ({ params, query, requestId }) => {
      const batch = await showAgain(tools, params.id);
      const file = await findFileOf(sql, params.id);
      const payouts = await listShown(sql, params.id, query.after ?? '', payoutsPerPage + 1);
      const shown = payouts.slice(0, payoutsPerPage);
      return {
        ...done(requestId),
        batch,
        handovers: (file ? await listHandovers(sql, file.id) : []).map(({ at, person, way, isCopy }) => ({
          at: at.toString(),
          by: person,
          way,
          isCopy,
        })),
        payouts: shown.map(serializePayout),
        nextAfter: payouts.length > payoutsPerPage ? (shown.at(-1)?.id ?? null) : null,
      };
    }),
  ];
}

export function batchRoutes(tools: ShowTools, batches: Batches): Route<Person>[] {
  return [
    ...readingBatches(tools),
    on(contract.draftPayoutBatch, async ({ body, caller, requestId }) => {
      const { leftOut, ...batch } = await batches.draft(signerOf(caller), body.payingAccountId);
      return { ...done(requestId), batch: await show(tools, batch), leftOut: [...leftOut] };
    }),
    on(contract.approvePayoutBatch, async ({ params, body, caller, requestId }) => {
      const seen = { payouts: body.payouts, totalMinor: BigInt(body.total.replace('.', '')) };
      const batch = await batches.approve(params.id, seen, confirmingOf(caller, body));
      return { ...done(requestId), batch: await show(tools, batch) };
    }),
    on(contract.makePayoutFile, async ({ params, body, requestId }) => {
      await batches.makeFile(params.id, body.profile);
      return { ...done(requestId), batch: await showAgain(tools, params.id) };
    }),
    on(contract.downloadPayoutFile, async ({ params, caller }) => {
      const receiver = { way: 'panel', person: caller.user.email } as const;
      const { file, handover, content } = await batches.handOver(params.id, receiver);
      const name = fileNameOf(file, handover.isCopy);
      const headers = {
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename="${name}"`,
        'content-length': String(file.size),
        'x-copy': String(handover.isCopy),
      };
      return new Streamed(headers, content());
    }),
    on(contract.cancelPayoutBatch, async ({ params, caller, requestId }) => {
      const batch = await batches.cancel(params.id, signerOf(caller));
      return { ...done(requestId), batch: await show(tools, batch) };
    }),
    on(contract.missPayoutBatch, async ({ params, body, caller, requestId }) => {
      const batch = await batches.cancelMissed(params.id, confirmingOf(caller, body));
      return { ...done(requestId), batch: await show(tools, batch) };
    }),
    on(contract.givePayingAccount, async ({ body, caller, requestId }) => {
      const { number, holder, profile } = body;
      const { email: givenBy } = await batches.confirm(confirmingOf(caller, body));
      const account = await batches.givePayingAccount({ number, holder, profile, givenBy });
      return { ...done(requestId), account: serializeAccount(account) };
    }),
  ];
}
