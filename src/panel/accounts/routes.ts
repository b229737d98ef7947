import * as contract from '../../../contract/panel/accounts.ts';
import { changeAccount, createAccount, findSettings } from '../../accounts/index.ts';
import { on, type Route } from '../../http/index.ts';
import { addOwner, done, type IdentityTools, type Person, refuseUserExists } from '../../identity/index.ts';
import { type AccountId, idFrom, refuse } from '../../kernel/index.ts';
import { askedBy } from '../list/filters.ts';
import { idPlace } from '../list/place.ts';
import { readList } from '../list/read.ts';
import { readSettings, serializeSettings, settingsFaults } from '../settings/wire.ts';
import { accountConditions } from './query.ts';
import { accountList } from './read.ts';
import { serializeLine } from './wire.ts';

export function accountRoutes(tools: IdentityTools): Route<Person>[] {
  const { sql } = tools.db;
  const { requestsPerSecond, callbackPolicy, mode } = tools.config;
  const faults = (body: unknown) => settingsFaults(body, callbackPolicy);

  async function show(id: AccountId) {
    const settings = (await findSettings(sql, id)) ?? refuse('not_found');
    return serializeSettings(id, settings, requestsPerSecond);
  }

  return [
    on(contract.listAccounts, async ({ query, requestId }) => {
      const asked = { accountId: null, ...askedBy(accountConditions, query), after: idPlace(query.before) };
      const { rows, next } = await readList(sql, accountList, asked);
      return { ...done(requestId), accounts: rows.map(serializeLine), nextBefore: next?.id ?? null };
    }),
    on(contract.createAccount, async ({ body, requestId }) => {
      const { kind, name, email, ownerEmail, ownerName = ownerEmail } = body;
      const made = await tools.db
        .atomic(async (atom) => {
          const account = await createAccount(tools, atom, { kind, name, email, testMode: mode === 'sandbox' });
          const owner = {
            accountId: account.id,
            email: ownerEmail,
            name: ownerName,
            role: 'owner',
            language: 'en',
          } as const;
          return { accountId: account.id, invitationUrl: await addOwner(tools, atom, owner) };
        })
        .catch(refuseUserExists('ownerEmail'));
      return { ...done(requestId), ...made };
    }),
    on(contract.getAccount, async ({ params, requestId }) => ({
      ...done(requestId),
      settings: await show(idFrom<AccountId>(params.accountId) ?? refuse('not_found')),
    })),
    on(
      contract.changeAccount,
      async ({ params, body, requestId }) => {
        const id = idFrom<AccountId>(params.accountId) ?? refuse('not_found');
        await changeAccount(tools, id, readSettings(body));
        return { ...done(requestId), settings: await show(id) };
      },
      faults,
    ),
  ];
}
