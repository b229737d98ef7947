// The people of the demo: all with the password in demo.json.

import { createUser, findUserByEmail, type IdentityTools, setPassword, userExists } from '../identity/index.ts';
import { type AccountId, Refusal, type Secret } from '../kernel/index.ts';

export const demoPeople = {
  owner: 'demo@example.com',
  partner: 'partner@example.com',
  operator: 'operator@example.com',
} as const;

/** Creates them at the first start; sets their password if demo.json was lost. */
export async function openDemoPeople(
  tools: IdentityTools,
  accounts: { readonly merchantId: string; readonly partnerId: string },
  password: Secret,
): Promise<void> {
  const people = [
    { email: demoPeople.owner, name: 'Ewa Wolska', role: 'owner', accountId: accounts.merchantId },
    { email: demoPeople.partner, name: 'Piotr Mazur', role: 'owner', accountId: accounts.partnerId },
    { email: demoPeople.operator, name: 'Olga Maj', role: 'operator', accountId: null },
  ] as const;
  for (const { accountId, ...person } of people) {
    const found = await findUserByEmail(tools.db.sql, person.email);
    if (!found) {
      const user = { ...person, accountId: accountId as AccountId | null, language: 'en' } as const;
      await createUser(tools, user, password).catch(ignoreUserExists);
    } else await setPassword(tools, found, password);
  }
}

/** Another start in the same folder was faster. */
function ignoreUserExists(error: unknown): void {
  if (!(error instanceof Refusal && error.code === userExists.code)) throw error;
}
