// What the check of a domain saw, and how to fix it, in English.

import type { domainResults } from '../domains.ts';
import type { Sentences } from '../message.ts';

export const domainSentences: Sentences<typeof domainResults> = {
  server_answered: () => 'The server answered.',
  certificate_trusted: () => 'The certificate of the domain is trusted.',
  not_encrypted: () => 'The connection is not encrypted, which only the sandbox accepts.',
  no_redirect: () => 'The server does not redirect.',
  file_public: () => 'The file is public.',
  no_server_error: () => 'The server did not fail.',
  file_found: () => 'There is a file.',
  file_right: () => 'The file is the right one.',
  not_checked: ({ because }) => `Not checked, because ${because} failed.`,
  name_not_known: () => 'The name of the domain is not known. Add its record to the DNS.',
  no_answer_in_time: () => 'The server did not answer in time. See that it is up, and that no firewall drops us.',
  address_not_public: () => 'The domain leads to an address that is not public. Correct its DNS records.',
  no_connection: () => 'No connection could be made. See that the server is up and listens at the port for https.',
  certificate_not_trusted: () =>
    'The certificate of the domain is not trusted, has expired or is for another name. Install one of a public authority, with its whole chain.',
  redirects: ({ status, path }) =>
    `The server redirects (${status}). Serve the file at exactly this address: exempt ${path} from redirects to "www", to a language or to a sign-in.`,
  asks_for_authorization: ({ status, path }) =>
    `The server asks for authorization (${status}). Make ${path} public: exempt it from passwords, address lists and bot checks.`,
  server_failed: ({ status, path }) =>
    `The server failed (${status}). Look at its log for ${path}; serving the file statically avoids the application.`,
  file_missing: ({ status, path }) =>
    `The server answered ${status}, not 200. Put the file at ${path}, and see that folders whose names begin with a dot are served.`,
  connection_broke: () =>
    'The connection broke while the file was sent. Check again; if it stays so, look at the server.',
  file_differs: () =>
    'The file differs from ours. Download it again and upload it unchanged: no markup, no byte order mark, no conversion.',
};
