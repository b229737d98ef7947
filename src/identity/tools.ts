// The tools of identity's use cases.

import type { Tools } from '../tools.ts';
import type { Afterwards } from './afterwards.ts';
import type { Passwords } from './session/passwords.ts';

export interface IdentityTools extends Tools {
  readonly passwords: Passwords;
  readonly afterwards: Afterwards;
  /** Whether invitations and resets can be sent. */
  readonly sendsMail: boolean;
}
