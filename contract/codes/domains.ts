// What the check of a wallet domain saw, rule by rule.

import { domainRules } from '../wallet.ts';
import type { Codes, Message } from './message.ts';

const at = { status: 'number', path: 'text' } as const;

export const domainResults = {
  server_answered: {},
  certificate_trusted: {},
  not_encrypted: {},
  no_redirect: {},
  file_public: {},
  no_server_error: {},
  file_found: {},
  file_right: {},
  not_checked: { because: domainRules },
  name_not_known: {},
  no_answer_in_time: {},
  address_not_public: {},
  no_connection: {},
  certificate_not_trusted: {},
  redirects: at,
  asks_for_authorization: at,
  server_failed: at,
  file_missing: at,
  connection_broke: {},
  file_differs: {},
} as const satisfies Codes;

export type DomainResult = Message<typeof domainResults>;
