// What matters most is confirmed by an operator, or by an owner of the account, again: the password and a code of the second factor, however the operator
// signed in, in the panel and at the command line.

import { type AccountId, refuse, type Secret } from '../../kernel/index.ts';
import { notAnOperator, secondFactorMissing, wrongCode, wrongPassword } from '../failures.ts';
import type { User } from '../model.ts';
import type { IdentityTools } from '../tools.ts';
import { spendCode } from './codes.ts';
import { confirmLimits, guess } from './guesses.ts';
import { codesPerDay, dayOfGuesses } from './rules.ts';
import { findUserByEmail } from './store.ts';

export interface Confirmation {
  readonly email: string;
  readonly password: Secret;
  /** Of the authenticator app, or a recovery code. Each works once. */
  readonly code: string;
}

/** Who has confirmed it. Whoever uses this locks the person, to be sure that nothing has changed since. */
export interface Confirmed {
  readonly id: string;
  readonly email: string;
}

/** Refuses unless this is an operator with a second factor who gives the right password and a right code. */
export const confirmOperator = (tools: IdentityTools, confirmation: Confirmation): Promise<Confirmed> =>
  confirm(tools, confirmation, (user) => {
    if (user.role !== 'operator' || user.blockedAt) refuse(notAnOperator);
  });

/** The same of an owner of this account. */
export const confirmOwner = (
  tools: IdentityTools,
  confirmation: Confirmation,
  accountId: AccountId,
): Promise<Confirmed> =>
  confirm(tools, confirmation, (user) => {
    if (user.role !== 'owner' || user.accountId !== accountId || user.blockedAt) refuse('access_denied');
  });

async function confirm(
  tools: IdentityTools,
  { email, password, code }: Confirmation,
  admit: (user: User) => void,
): Promise<Confirmed> {
  const address = email.toLowerCase();
  const user = await findUserByEmail(tools.db.sql, address);
  const limits = [
    ...confirmLimits(user?.id ?? address),
    { subject: `confirm code ${user?.id ?? address}`, most: codesPerDay, window: dayOfGuesses },
  ];
  return guess(tools, limits, async () => {
    if (!(await tools.passwords.isRight(password, user?.passwordHash)) || !user)
      return refuse(wrongPassword, 'password');
    admit(user);
    if (user.totpSealed === null) return refuse(secondFactorMissing);
    if (!(await tools.db.atomic((sql) => spendCode(tools, sql, user.id, code)))) return refuse(wrongCode, 'code');
    return { id: user.id, email: user.email };
  });
}
