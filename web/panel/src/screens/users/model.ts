import type { Answer } from '../../api/endpoints.ts';
import type { KeyOf } from '../../language/text.ts';
import type { usersText } from './words.ts';

export type User = Answer<'GET /panel/api/users'>['users'][number];
export type Role = User['role'];

interface RoleChoice {
  readonly role: Role;
  readonly about: KeyOf<typeof usersText>;
}

const inAccount: readonly RoleChoice[] = [
  { role: 'owner', about: 'ownerAbout' },
  { role: 'staff', about: 'staffAbout' },
  { role: 'read_only', about: 'readOnlyAbout' },
];

/** Operators only make operators; owners give the roles of an account. */
export function rolesFrom(giver: Role): readonly RoleChoice[] {
  return giver === 'operator' ? [{ role: 'operator', about: 'operatorAbout' }] : inAccount;
}

export function roleFrom(text: string): Role {
  return text === 'owner' || text === 'staff' || text === 'operator' ? text : 'read_only';
}
