import * as contract from '../../../contract/identity/session.ts';
import { findAccount } from '../../accounts/index.ts';
import { Answered, type Client, on, type Route } from '../../http/index.ts';
import { refuse, Secret } from '../../kernel/index.ts';
import { signInFailed } from '../failures.ts';
import { csrfTokenOf, readCookie, serializeCookie } from '../guard.ts';
import type { Person } from '../model.ts';
import { findSessionOf } from '../person.ts';
import type { IdentityTools } from '../tools.ts';
import { done } from '../wire.ts';
import { beginTotp, confirmTotp, removeTotp, signInByCode } from './codes.ts';
import { forgotPassword, lookAtLink, setPassword } from './links.ts';
import { changeMe, changePassword, confirmPassword, endOtherSessions, endSession } from './me.ts';
import { addPasskey, passkeyOptions, removePasskey, signInByPasskey, signInOptions } from './passkeys.ts';
import { idleTime } from './rules.ts';
import { type SignedIn, signIn } from './sign-in.ts';
import { type FoundSession, listPasskeys, listRecoveryCodes, listSessionsOf } from './store.ts';
import { serializeSession, serializeSessions } from './wire.ts';

export function sessionRoutes(tools: IdentityTools): Route<Person>[] {
  return [...signInRoutes(tools), ...passwordRoutes(tools), ...ownSessionRoutes(tools)];
}

function signInRoutes(tools: IdentityTools): Route<Person>[] {
  const { baseUrl, mode } = tools.config;

  /** The session that waits for its second factor. */
  async function pendingOf({ cookie }: Client): Promise<FoundSession> {
    const token = readCookie(baseUrl, cookie);
    const found = token === undefined ? undefined : await findSessionOf(tools, token);
    return found && !found.session.complete ? found : refuse(signInFailed);
  }

  function signedIn(requestId: string, { token, methods, device }: SignedIn) {
    const status = methods.length === 0 ? ('signed_in' as const) : ('second_factor' as const);
    return new Answered(200, { ...done(requestId), status, methods: [...methods] }, [
      serializeCookie(baseUrl, token),
      ...device,
    ]);
  }

  return [
    on(contract.signIn, async ({ body, requestId, client }) =>
      signedIn(requestId, await signIn(tools, { email: body.email, password: new Secret(body.password) }, client())),
    ),
    on(contract.signInCode, async ({ body, requestId, client }) =>
      signedIn(requestId, await signInByCode(tools, await pendingOf(client()), body.code, client())),
    ),
    on(contract.signInPasskeyOptions, async ({ requestId, client }) => ({
      ...done(requestId),
      options: { ...(await signInOptions(tools, await pendingOf(client()), client())) },
    })),
    on(contract.signInPasskey, async ({ body, requestId, client }) =>
      signedIn(requestId, await signInByPasskey(tools, await pendingOf(client()), body.response, client())),
    ),
    on(contract.signOut, async ({ caller, requestId }) => {
      await endSession(tools, caller, caller.session.id);
      return new Answered(200, done(requestId), [serializeCookie(baseUrl, undefined)]);
    }),
    on(contract.getSession, async ({ caller, requestId, client }) => {
      const token = readCookie(baseUrl, client().cookie) ?? refuse('invalid_token');
      const { sql } = tools.db;
      const found = caller.account && (await findAccount(sql, caller.account.id));
      return {
        ...done(requestId),
        ...serializeSession(caller, {
          csrfToken: csrfTokenOf(token),
          passkeys: await listPasskeys(sql, caller.user.id),
          recoveryCodesLeft: (await listRecoveryCodes(sql, caller.user.id)).length,
          mode,
          status: found?.status ?? 'active',
        }),
      };
    }),
  ];
}

function passwordRoutes(tools: IdentityTools): Route<Person>[] {
  return [
    on(contract.forgotPassword, async ({ body, requestId, client }) => {
      await forgotPassword(tools, body.email, client());
      return done(requestId);
    }),
    on(contract.lookAtMailToken, async ({ body, requestId }) => {
      const { user, link } = await lookAtLink(tools, body.token);
      return { ...done(requestId), email: user.email, name: user.name, purpose: link.purpose };
    }),
    on(contract.setPassword, async ({ body, requestId, client }) => {
      const device = await setPassword(tools, { ...body, password: new Secret(body.password) }, client());
      return new Answered(200, done(requestId), device);
    }),
    on(contract.changePassword, async ({ caller, body, requestId }) => {
      await confirmPassword(tools, caller, body.current, 'current');
      await changePassword(tools, caller, body.password);
      return done(requestId);
    }),
  ];
}

function ownSessionRoutes(tools: IdentityTools): Route<Person>[] {
  return [
    on(contract.changeMe, async ({ caller, body, requestId }) => {
      await changeMe(tools, caller, body);
      return done(requestId);
    }),
    on(contract.listSessions, async ({ caller, requestId }) => {
      const now = tools.wall.now();
      const sessions = await listSessionsOf(tools.db.sql, caller.user.id, now, now.subtract(idleTime));
      return { ...done(requestId), sessions: serializeSessions(sessions, caller.session.id) };
    }),
    on(contract.endSession, async ({ caller, params, requestId }) => {
      await endSession(tools, caller, params.sessionId);
      return done(requestId);
    }),
    on(contract.endOtherSessions, async ({ caller, requestId }) => {
      await endOtherSessions(tools, caller);
      return done(requestId);
    }),
    ...secondFactorRoutes(tools),
  ];
}

function secondFactorRoutes(tools: IdentityTools): Route<Person>[] {
  return [
    on(contract.beginTotp, async ({ caller, body, requestId }) => {
      await confirmPassword(tools, caller, body.password);
      return { ...done(requestId), ...(await beginTotp(tools, caller)) };
    }),
    on(contract.confirmTotp, async ({ caller, body, requestId }) => ({
      ...done(requestId),
      recoveryCodes: await confirmTotp(tools, caller, body.code),
    })),
    on(contract.removeTotp, async ({ caller, body, requestId }) => {
      await confirmPassword(tools, caller, body.password);
      await removeTotp(tools, caller);
      return done(requestId);
    }),
    on(contract.passkeyOptions, async ({ caller, body, requestId, client }) => {
      await confirmPassword(tools, caller, body.password);
      return { ...done(requestId), options: { ...(await passkeyOptions(tools, caller, client())) } };
    }),
    on(contract.addPasskey, async ({ caller, body, requestId, client }) => ({
      ...done(requestId),
      id: await addPasskey(tools, caller, body, client()),
    })),
    on(contract.removePasskey, async ({ caller, params, body, requestId }) => {
      await confirmPassword(tools, caller, body.password);
      await removePasskey(tools, caller, params.passkeyId);
      return done(requestId);
    }),
  ];
}
