// Mutants of identity: lines as they stand, plausible bugs, and the tests that notice them.

import type { Mutant } from '../mutant.ts';

export const identityMutants2: readonly Mutant[] = [
  {
    file: 'src/identity/session/guesses.ts',
    line: '{ subject, most: codesPerDay, window: dayOfGuesses },',
    instead: '',
    bug: 'codes of six digits are guessed all day',
    tests: { 'test/identity/known-devices.test.ts': ['wrong codes are few, from wherever'] },
  },
  {
    file: 'src/identity/session/codes.ts',
    line: 'if (step !== undefined && step > row.totpStep) {',
    instead: 'if (step !== undefined && step >= row.totpStep) {',
    bug: 'a code of the app works twice',
    tests: { 'test/identity/people.test.ts': ['P2: a code of the app completes the sign-in, once'] },
  },
  {
    file: 'src/identity/session/codes.ts',
    line: 'return used !== undefined && deleteRecoveryCode(sql, userId, used);',
    instead: 'return used !== undefined;',
    bug: 'a recovery code works again',
    tests: {
      'test/identity/people.test.ts': [
        'P2: a recovery code works once; the wait for the second step ends after ten minutes',
      ],
    },
  },
  {
    file: 'src/identity/session/links.ts',
    line: 'await deleteLinks(sql, user.id);\n' + '      await deleteSessions(sql, user.id, null);',
    instead: 'await deleteLinks(sql, user.id);',
    bug: 'sessions go on after a new password by mail',
    tests: { 'test/identity/people.test.ts': ['P7 to P9: a new password by mail'] },
  },
  {
    file: 'src/identity/session/me.ts',
    line: 'await deleteSessions(sql, user.id, session.id);\n' + '  });',
    instead: '});',
    bug: 'other sessions go on after a new password',
    tests: { 'test/identity/people.test.ts': ['P10: a new password ends the other sessions'] },
  },
  {
    file: 'src/identity/session/devices.ts',
    line: 'return day >= oldest && macs.some((mac) => mac.length === given.length && timingSafeEqual(mac, given));',
    instead: 'return day >= oldest && macs.length > 0;',
    bug: 'any cookie makes a device a known one',
    tests: {
      'test/identity/known-devices.test.ts': [
        'a known device guesses no more than others, and only for its own person',
      ],
    },
  },
  {
    file: 'src/identity/session/devices.ts',
    line: 'const signed = (email: string, nonce: string, day: number) => `${nonce} ${day} ${email}`;',
    instead: 'const signed = (_email: string, nonce: string, day: number) => `${nonce} ${day}`;',
    bug: 'a device of one person is known for everybody',
    tests: {
      'test/identity/known-devices.test.ts': [
        'a known device guesses no more than others, and only for its own person',
      ],
    },
  },
  {
    file: 'src/identity/users/manage.ts',
    line: "(role === 'owner' || role === 'operator') && blockedAt === null && passwordHash !== null;",
    instead: "(role === 'owner' || role === 'operator') && blockedAt === null;",
    bug: 'an owner who never set a password counts as the last owner',
    tests: { 'test/identity/second-factors.test.ts': ['P23, P25 409: an invited owner is no owner yet'] },
  },
  {
    file: 'src/identity/users/manage.ts',
    line: 'keepOwner(users, user, after);',
    instead: '',
    bug: 'the last owner becomes staff',
    tests: { 'test/identity/people.test.ts': ['P23, P25 409: the last owner stays'] },
  },
  {
    file: 'src/identity/audit/record.ts',
    line: "if (endpoint.method === 'GET' || endpoint.access === 'none') return route;",
    instead: "if (endpoint.method !== 'POST' || endpoint.access === 'none') return route;",
    bug: 'only POST leaves an entry in the audit log',
    tests: { 'test/identity/people.test.ts': ['P26: which actions leave an entry'] },
  },
  {
    file: 'src/identity/audit/record.ts',
    line: 'await tryEnding(tools, begun, outcomeOf(error));',
    instead: '',
    bug: 'a refused action has no outcome in the audit log',
    tests: {
      'test/identity/people.test.ts': ['P26: the audit log, and its chain', 'P26: which actions leave an entry'],
    },
  },
  {
    file: 'src/identity/audit/record.ts',
    line: 'target: storable(maskedTexts(target)),',
    instead: 'target: storable(target),',
    bug: 'a card number in a path is in the audit log',
    tests: { 'test/identity/people.test.ts': ['P26: no card number in the audit log, however it was sent'] },
  },
  {
    file: 'src/identity/audit/verify.ts',
    line: 'if (rows.length < readAtOnce) return [];',
    instead: 'return [];',
    bug: 'verify checks the first page of the audit log',
    tests: {
      'test/identity/people.test.ts': [
        'P26: an entry on the second page of the chain',
        'P26: the audit log, and its chain',
      ],
    },
  },
  {
    file: 'src/identity/audit/verify.ts',
    line: "if (!hash.equals(row.hash)) return wrong('audit_entry_changed', row.position);",
    instead: '',
    bug: 'a changed entry of the audit log is not named',
    tests: { 'test/identity/people.test.ts': ['P26: the audit log, and its chain'] },
  },
  {
    file: 'src/identity/audit/rules.ts',
    line: 'row.outcome,',
    instead: '',
    bug: 'the outcome of an action is not in the hash',
    tests: { 'src/identity/audit/rules.test.ts': ['covers every column'] },
  },
  {
    file: 'src/identity/audit/store.ts',
    line: 'await sql.run`select pg_advisory_xact_lock(7261508115)`;',
    instead: '',
    bug: 'two nodes append to the audit log at once',
    tests: { 'test/identity/people.test.ts': [] },
    unnoticed: 'the key of the position refuses the second of two, which is tried again',
  },
  {
    file: 'src/identity/mask-cards.ts',
    line: 'return digits.length >= 13 && digits.length <= 19 && hasCheckDigit(digits);',
    instead: 'return digits.length >= 14 && digits.length <= 19 && hasCheckDigit(digits);',
    bug: 'a card number of 13 digits is in the logs',
    tests: { 'src/identity/mask.test.ts': ['4000/0000/00006: (hidden)'] },
  },
];
