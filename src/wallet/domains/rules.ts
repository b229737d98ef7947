// The domain check: evaluates the fetched association file rule by rule.

import type { DomainResult } from '../../../contract/codes/domains.ts';
import { domainRules } from '../../../contract/wallet.ts';
import type { OutboundFault } from '../../outbound/index.ts';

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
  readonly result: DomainResult;
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
  const faults = new Map(domainRules.map((rule) => [rule, judges[rule](seen, expected)]));
  const rules = domainRules.map((rule): RuleResult => {
    const because = needs[rule].find((needed) => faults.get(needed) !== undefined);
    const fault: DomainResult | undefined = because
      ? { code: 'not_checked', parameters: { because } }
      : faults.get(rule);
    return { rule, passed: fault === undefined, result: fault ?? passedResult(rule, seen) };
  });
  return { passed: rules.every(({ passed }) => passed), rules };
}

/** The codes that need no parameters. */
type Plain = Extract<DomainResult, { readonly parameters: Readonly<Record<string, never>> }>['code'];
type OfStatus = 'redirects' | 'asks_for_authorization' | 'server_failed' | 'file_missing';

const plain = (code: Plain): DomainResult => ({ code, parameters: {} });
const ofStatus = (code: OfStatus, status: number | null): DomainResult => ({
  code,
  parameters: { status: status ?? 0, path: associationPath },
});

/** What the rule forbids and was seen; undefined when it passes. */
const judges: Readonly<Record<DomainRule, (seen: Fetched, expected: Uint8Array) => DomainResult | undefined>> = {
  reachable: ({ status, fault }) =>
    status === null && fault !== 'certificate_refused' ? unreachable(fault ?? 'connection_failed') : undefined,
  tls: ({ fault }) => (fault === 'certificate_refused' ? plain('certificate_not_trusted') : undefined),
  no_redirect: ({ status }) => (isBetween(status, 300, 399) ? ofStatus('redirects', status) : undefined),
  no_authorization: ({ status }) =>
    status === 401 || status === 403 || status === 407 ? ofStatus('asks_for_authorization', status) : undefined,
  no_server_error: ({ status }) => (isBetween(status, 500, 599) ? ofStatus('server_failed', status) : undefined),
  found: ({ status }) => (status === 200 ? undefined : ofStatus('file_missing', status)),
  content: ({ answer, fault }, expected) => {
    if (fault !== null && fault !== 'answer_too_large') return plain('connection_broke');
    return fault === null && sameContent(answer, expected) ? undefined : plain('file_differs');
  },
};

const passedCodes: Readonly<Record<DomainRule, Plain>> = {
  reachable: 'server_answered',
  tls: 'certificate_trusted',
  no_redirect: 'no_redirect',
  no_authorization: 'file_public',
  no_server_error: 'no_server_error',
  found: 'file_found',
  content: 'file_right',
};

function passedResult(rule: DomainRule, { isHttps }: Fetched): DomainResult {
  return plain(rule === 'tls' && !isHttps ? 'not_encrypted' : passedCodes[rule]);
}

function isBetween(status: number | null, from: number, to: number): boolean {
  return status !== null && status >= from && status <= to;
}

function unreachable(fault: OutboundFault): DomainResult {
  if (fault === 'name_not_found') return plain('name_not_known');
  if (fault === 'timed_out') return plain('no_answer_in_time');
  return plain(fault.startsWith('address_') ? 'address_not_public' : 'no_connection');
}

/** Editors add a line break at the end; nothing else may differ. */
function sameContent(answer: Uint8Array, expected: Uint8Array): boolean {
  const trimmed = (bytes: Uint8Array) =>
    Buffer.from(bytes)
      .toString('latin1')
      .replace(/[\r\n]+$/, '');
  return trimmed(answer) === trimmed(expected);
}
