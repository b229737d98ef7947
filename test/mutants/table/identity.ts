// Mutants of identity: lines as they stand, plausible bugs, and the tests that notice them.

import type { Mutant } from '../mutant.ts';

export const identityMutants: readonly Mutant[] = [
  {
    file: 'src/identity/guard.ts',
    line: "const onlyReads = (method: string) => method === 'GET' || method === 'HEAD';",
    instead: "const onlyReads = (method: string) => method === 'GET' || method === 'HEAD' || method === 'DELETE';",
    bug: 'DELETE needs no CSRF token',
    tests: {
      'test/identity/sign-in.test.ts': ['403: without the CSRF token, with that of another session, from another site'],
    },
  },
  {
    file: 'src/identity/guard.ts',
    line: 'if (isFromOwnPage(request, isOwn) && (!headers.origin || isOwn(headers.origin))) return;',
    instead: 'if (isFromOwnPage(request, isOwn)) return;',
    bug: 'a page under another name of this host signs people in',
    tests: {
      'test/identity/sign-in.test.ts': ['403: without the CSRF token, with that of another session, from another site'],
    },
  },
  {
    file: 'src/identity/guard.ts',
    line: "return found.length === 1 && found[0] !== '' ? found[0] : undefined;",
    instead: "return found[0] !== '' ? found[0] : undefined;",
    bug: 'of two session cookies the first counts',
    tests: { 'test/identity/sign-in.test.ts': ['401: no cookie, an unknown one, two of them, a bearer token'] },
  },
  {
    file: 'src/identity/guard.ts',
    line: 'if (timingSafeEqual(digest(csrfTokenOf(token)), digest(given))) return;',
    instead: "if (given !== '') return;",
    bug: 'any CSRF token is accepted',
    tests: {
      'test/identity/sign-in.test.ts': ['403: without the CSRF token, with that of another session, from another site'],
    },
  },
  {
    file: 'src/identity/guard.ts',
    line: 'return `${cookieName(baseUrl, name)}=${value}; Path=/; HttpOnly; SameSite=Strict${secure}${age}`;',
    instead: 'return `${cookieName(baseUrl, name)}=${value}; Path=/; SameSite=Strict${secure}${age}`;',
    bug: 'scripts read the session cookie',
    tests: { 'test/identity/sign-in.test.ts': ['P1 200: a cookie that no script reads and no other site sends'] },
  },
  {
    file: 'src/identity/person.ts',
    line: "if (!found?.session.complete) return refuse('invalid_token', '', 'You are not signed in.', 'Sign in again.');",
    instead: "if (!found) return refuse('invalid_token', '', 'You are not signed in.', 'Sign in again.');",
    bug: 'the password alone signs in a person with a second factor',
    tests: { 'test/identity/people.test.ts': ['P2: a code of the app completes the sign-in, once'] },
  },
  {
    file: 'src/identity/person.ts',
    line: "const readOnly = viewing || user.role === 'read_only';",
    instead: "const readOnly = user.role === 'read_only';",
    bug: 'an operator who looks at an account changes it',
    tests: { 'test/panel/authority.test.ts': ['partner looking at a seller', 'operator looking'] },
  },
  {
    file: 'src/identity/person.ts',
    line: "owner: !viewing && (user.role === 'owner' || user.role === 'operator'),",
    instead: "owner: user.role === 'owner' || user.role === 'operator',",
    bug: 'a partner is the owner of the seller that it looks at',
    tests: { 'test/panel/authority.test.ts': [] },
    unnoticed: 'whoever looks at another account only reads, which is asked before',
  },
  {
    file: 'src/identity/person.ts',
    line: "if (user.accountId !== null && own?.status !== 'active') refuse('invalid_token', '', 'The account is blocked.');",
    instead: '',
    bug: 'people of a blocked account stay signed in',
    tests: {
      'test/panel/authority.test.ts': ['a blocked account signs its people out, and a blocked user is signed out'],
    },
  },
  {
    file: 'src/identity/person.ts',
    line: "const seller = own?.kind === 'partner' ? await findSellerOf(db.sql, own.id, id) : undefined;",
    instead: 'const seller = (await findAccount(db.sql, id))?.account;',
    bug: 'anybody looks at any account',
    tests: { 'test/panel/authority.test.ts': ['the account of a stranger cannot be looked at'] },
  },
  {
    file: 'src/identity/session/sign-in.ts',
    line: 'if (!isSame || (await secondFactorsOf(sql, now)).join() !== methods.join()) refuse(signInFailed);',
    instead: 'if (!isSame) refuse(signInFailed);',
    bug: 'a passkey that came while the password was checked is not asked for',
    tests: {
      'test/identity/second-factors.test.ts': [
        'P1 401: a passkey, an app or another password that came while the password was checked',
      ],
    },
  },
  {
    file: 'src/identity/session/sign-in.ts',
    line: 'now && now.passwordHash === user.passwordHash && now.totpSealed === user.totpSealed && now.blockedAt === null;',
    instead: 'now && now.totpSealed === user.totpSealed && now.blockedAt === null;',
    bug: 'a sign-in with the old password outlives the new one',
    tests: {
      'test/identity/second-factors.test.ts': [
        'P1 401: a passkey, an app or another password that came while the password was checked',
      ],
    },
  },
  {
    file: 'src/identity/session/sign-in.ts',
    line: 'if (!now || now.blockedAt !== null || !(await deleteSession(sql, user.id, pending.id))) refuse(signInFailed);',
    instead: 'if (!now || now.blockedAt !== null) refuse(signInFailed);',
    bug: 'a half sign-in can be completed twice',
    tests: { 'test/identity/people.test.ts': ['P2: a code of the app completes the sign-in, once'] },
  },
  {
    file: 'src/identity/session/sign-in.ts',
    line: 'if (complete) await deleteOldestSessions(sql, user.id, sessionsPerUser);',
    instead: '',
    bug: 'a person has any number of sessions',
    tests: { 'test/identity/sign-in-limits.test.ts': ['fifty sessions'] },
  },
  {
    file: 'src/identity/session/store.ts',
    line: 'update session set challenge = null from consumed where session.id = consumed.id returning consumed.challenge`;',
    instead:
      'update session set challenge = session.challenge from consumed where session.id = consumed.id returning consumed.challenge`;',
    bug: 'a passkey challenge works twice',
    tests: { 'test/identity/second-factors.test.ts': ['P3, P4: a challenge works once'] },
  },
  {
    file: 'src/identity/session/store.ts',
    line: 'where session.token_hash = ${tokenHash} and session.expires_at > ${now} and session.seen_at > ${idleSince}`;',
    instead: 'where session.token_hash = ${tokenHash} and session.seen_at > ${idleSince}`;',
    bug: 'a session lasts as long as it is used',
    tests: {
      'test/identity/sign-in.test.ts': [
        'a session ends after two hours without a request, and after twelve in any case',
      ],
    },
  },
  {
    file: 'src/identity/session/store.ts',
    line: 'return (await sql.run`delete from session where id = ${id} and user_id = ${userId}`) > 0;',
    instead: 'return (await sql.run`delete from session where id = ${id}`) > 0;',
    bug: 'anybody ends the session of somebody else',
    tests: { 'test/identity/sign-in.test.ts': ['P5, P12 to P14: sessions are listed and ended'] },
  },
  {
    file: 'src/identity/session/store.ts',
    line: 'return (await sql.run`delete from passkey where id = ${id} and user_id = ${userId}`) > 0;',
    instead: 'return (await sql.run`delete from passkey where id = ${id}`) > 0;',
    bug: 'anybody removes the passkey of somebody else',
    tests: { 'test/identity/second-factors.test.ts': ['P20 404: the passkey of somebody else'] },
  },
  {
    file: 'src/identity/session/store.ts',
    line: "and (person.account_id is null or own.status = 'active')",
    instead: 'and true',
    bug: 'live updates go on for people of a blocked account',
    tests: { 'test/panel/live.test.ts': ['ends when the account is blocked, or no longer a seller of the partner'] },
  },
  {
    file: 'src/identity/session/store.ts',
    line: 'select * from mail_link where token_hash = ${tokenHash} and expires_at > ${now} for update`;',
    instead: 'select * from mail_link where token_hash = ${tokenHash} for update`;',
    bug: 'a link in a mail never expires',
    tests: { 'test/identity/people.test.ts': ['P7 to P9: a new password by mail'] },
  },
  {
    file: 'src/identity/session/store.ts',
    line: 'order by guessed_at desc offset ${place - 1} limit 1`;',
    instead: 'order by guessed_at desc offset ${place} limit 1`;',
    bug: 'one guess more than allowed',
    tests: { 'test/identity/sign-in.test.ts': ['P1 429: after ten wrong guesses, for a quarter of an hour'] },
  },
  {
    file: 'src/identity/session/guesses.ts',
    line: 'await lockGuesses(sql, subject);',
    instead: '',
    bug: 'many guesses at once slip through',
    tests: { 'test/identity/sign-in.test.ts': ['P1 429: the tenth guess is being counted while another comes'] },
  },
];
