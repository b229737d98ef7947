// The domain check: evaluates the fetched association file rule by rule, and says how to fix what fails.

import { domainRules } from '../../../contract/wallet.ts';
import type { OutboundFault } from '../../platform/index.ts';

export const associationPath = '/.well-known/wallet-developer-merchantid-domain-association';

export type DomainRule = (typeof domainRules)[number];

/** A response, or why there is none. Redirects are not followed. */
export interface Fetched {
  readonly isHttps: boolean;
  /** Null if no response began. */
  readonly status: number | null;
  readonly fault: OutboundFault | null;
  readonly answer: Uint8Array;
}

export interface RuleResult {
  readonly rule: DomainRule;
  readonly passed: boolean;
  /** What was seen, and how to fix it. */
  readonly detail: string;
}

export interface DomainCheck {
  readonly passed: boolean;
  readonly rules: readonly RuleResult[];
}

const statusRules = ['no_authorization', 'no_redirect', 'no_server_error'] as const;

/** What must hold before a rule can be evaluated: without a response nothing else, without a file not its content. */
const needs: Readonly<Record<DomainRule, readonly DomainRule[]>> = {
  reachable: [],
  tls: ['reachable'],
  no_authorization: ['reachable', 'tls'],
  no_redirect: ['reachable', 'tls'],
  no_server_error: ['reachable', 'tls'],
  found: ['reachable', 'tls', ...statusRules],
  content: ['reachable', 'tls', ...statusRules, 'found'],
};

/** Evaluates every rule. One that cannot be evaluated because another failed has not passed, and says so. */
export function checkDomain(seen: Fetched, expected: Uint8Array): DomainCheck {
  const fixes = new Map(domainRules.map((rule) => [rule, judges[rule](seen, expected)]));
  const rules = domainRules.map((rule): RuleResult => {
    const failed = needs[rule].find((needed) => fixes.get(needed) !== undefined);
    const fix = failed ? `Not checked, because ${failed} failed.` : fixes.get(rule);
    return { rule, passed: fix === undefined, detail: fix ?? passedDetail(rule, seen) };
  });
  return { passed: rules.every(({ passed }) => passed), rules };
}

/** How to fix what the rule forbids; undefined when it passes. */
const judges: Readonly<Record<DomainRule, (seen: Fetched, expected: Uint8Array) => string | undefined>> = {
  reachable: ({ status, fault }) =>
    status === null && fault !== 'certificate_refused' ? unreachable(fault ?? 'connection_failed') : undefined,
  tls: ({ fault }) =>
    fault === 'certificate_refused'
      ? 'The certificate of the domain is not trusted, has expired or is for another name. Install one of a public authority, with its whole chain.'
      : undefined,
  no_redirect: ({ status }) =>
    isBetween(status, 300, 399)
      ? `The server redirects (${status}). Serve the file at exactly this address: exempt ${associationPath} from redirects to "www", to a language or to a sign-in.`
      : undefined,
  no_authorization: ({ status }) =>
    status === 401 || status === 403 || status === 407
      ? `The server asks for authorization (${status}). Make ${associationPath} public: exempt it from passwords, address lists and bot checks.`
      : undefined,
  no_server_error: ({ status }) =>
    isBetween(status, 500, 599)
      ? `The server failed (${status}). Look at its log for ${associationPath}; serving the file statically avoids the application.`
      : undefined,
  found: ({ status }) =>
    status === 200
      ? undefined
      : `The server answered ${status}, not 200. Put the file at ${associationPath}, and see that folders whose names begin with a dot are served.`,
  content: ({ answer, fault }, expected) => {
    if (fault !== null && fault !== 'answer_too_large')
      return 'The connection broke while the file was sent. Check again; if it stays so, look at the server.';
    return fault === null && sameContent(answer, expected)
      ? undefined
      : 'The file differs from ours. Download it again and upload it unchanged: no markup, no byte order mark, no conversion.';
  },
};

const passedDetails: Readonly<Record<DomainRule, string>> = {
  reachable: 'The server answered.',
  tls: 'The certificate of the domain is trusted.',
  no_redirect: 'The server does not redirect.',
  no_authorization: 'The file is public.',
  no_server_error: 'The server did not fail.',
  found: 'There is a file.',
  content: 'The file is the right one.',
};

function passedDetail(rule: DomainRule, { isHttps }: Fetched): string {
  if (rule === 'tls' && !isHttps) return 'The connection is not encrypted, which only the sandbox accepts.';
  return passedDetails[rule];
}

function isBetween(status: number | null, from: number, to: number): boolean {
  return status !== null && status >= from && status <= to;
}

function unreachable(fault: OutboundFault): string {
  if (fault === 'name_not_found') return 'The name of the domain is not known. Add its record to the DNS.';
  if (fault === 'timed_out')
    return 'The server did not answer in time. See that it is up, and that no firewall drops us.';
  if (fault.startsWith('address_'))
    return 'The domain leads to an address that is not public. Correct its DNS records.';
  return 'No connection could be made. See that the server is up and listens at the port for https.';
}

/** Editors add a line break at the end; nothing else may differ. */
function sameContent(answer: Uint8Array, expected: Uint8Array): boolean {
  const trimmed = (bytes: Uint8Array) =>
    Buffer.from(bytes)
      .toString('latin1')
      .replace(/[\r\n]+$/, '');
  return trimmed(answer) === trimmed(expected);
}
