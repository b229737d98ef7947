// API keys and the secrets of notifications, for owners.

import * as contract from '../../../contract/panel/developers.ts';
import {
  createCredential,
  dropOlderSecrets,
  formatClientId,
  listCredentialsOf,
  parseClientId,
  readAccountSecrets,
  replaceAccountSecret,
  revokeCredential,
  rotateSecret,
} from '../../accounts/index.ts';
import { on, type Route } from '../../http/index.ts';
import { accountOf, actorOf, done, type Person, recordAction } from '../../identity/index.ts';
import { type CredentialId, refuse } from '../../kernel/index.ts';
import type { Tools } from '../../tools.ts';

const keysAtMost = 100;

/** The credential of a client id, if it is the account's own. */
function ownCredential(person: Person, clientId: string): CredentialId {
  const client = parseClientId(clientId);
  return client?.accountId === accountOf(person).id ? client.credentialId : refuse('not_found');
}

export function keyRoutes(tools: Tools): Route<Person>[] {
  const { sql } = tools.db;

  return [
    on(contract.listKeys, async ({ caller, requestId }) => {
      const keys = await listCredentialsOf(sql, accountOf(caller).id);
      return {
        ...done(requestId),
        keys: keys.map(({ credential: { id, accountId, name, kind, createdAt, revokedAt }, secrets }) => ({
          clientId: formatClientId(accountId, id),
          name,
          kind,
          createdAt: createdAt.toString(),
          revokedAt: revokedAt?.toString() ?? null,
          secrets,
        })),
      };
    }),
    on(contract.createKey, async ({ caller, body, requestId }) => {
      const { id } = accountOf(caller);
      const working = (await listCredentialsOf(sql, id)).filter(({ credential }) => credential.revokedAt === null);
      if (working.length >= keysAtMost) refuse('too_many', '', `At most ${keysAtMost} API keys.`);
      const made = await tools.db.atomic((atom) => createCredential(tools, atom, id, body.kind, body.name));
      return { ...done(requestId), clientId: made.clientId, clientSecret: made.clientSecret.reveal() };
    }),
    on(contract.rotateKey, async ({ caller, params, requestId }) => {
      const made = await rotateSecret(tools, accountOf(caller).id, ownCredential(caller, params.clientId));
      return { ...done(requestId), clientId: made.clientId, clientSecret: made.clientSecret.reveal() };
    }),
    on(contract.dropOldSecret, async ({ caller, params, requestId }) => {
      await dropOlderSecrets(tools, accountOf(caller).id, ownCredential(caller, params.clientId));
      return done(requestId);
    }),
    on(contract.revokeKey, async ({ caller, params, requestId }) => {
      const id = ownCredential(caller, params.clientId);
      if (!(await revokeCredential(tools, accountOf(caller).id, id))) refuse('not_found');
      return done(requestId);
    }),
    on(contract.getSecrets, async ({ caller, requestId, client }) => {
      // Whoever saw them is in the log, although nothing changes.
      const { id, method, path } = contract.getSecrets;
      await recordAction(tools, { actor: actorOf(caller, client()), action: id, target: `${method} ${path}` }, 'ok');
      const { merchantNumber, ...secrets } = await readAccountSecrets(tools, accountOf(caller).id);
      const [securityCode, webhookSecret] = [secrets.securityCode.reveal(), secrets.webhookSecret.reveal()];
      return { ...done(requestId), merchantNumber, securityCode, webhookSecret };
    }),
    on(contract.rotateSecrets, async ({ caller, body, requestId }) => {
      await replaceAccountSecret(tools, accountOf(caller).id, body.which);
      return done(requestId);
    }),
  ];
}
