// E3: requests a merchant session from the wallet vendor, over mutual TLS, for a registered domain.

import { type AccountId, refuse, Unavailable } from '../../kernel/index.ts';
import type { Outbound } from '../../outbound/index.ts';
import type { Tools } from '../../tools.ts';
import { walletDomainNotRegistered, walletUnavailable } from '../failures.ts';
import type { OwnIdentifier, WalletSetup } from '../model.ts';
import { neededOwn } from '../setup.ts';
import { findDomain } from '../store.ts';
import { checkValidationUrl, type ValidationUrlFault } from './validation-url.ts';

export interface SessionWanted {
  readonly domainName: string;
  readonly displayName: string;
  readonly validationUrl: string;
}

export interface SessionTools extends Pick<Tools, 'db' | 'log'> {
  readonly setup: WalletSetup;
  /** Connects to the vendor only, with our certificate. */
  readonly vendor: Outbound;
}

const limits = { milliseconds: 10_000, answerBytes: 65_536 };

const faultTexts: Readonly<Record<ValidationUrlFault, string>> = {
  unreadable: 'Must be the URL of the merchant-validation event, unchanged.',
  scheme: 'Must be an https URL.',
  credentials: 'Must not contain a user name or a password.',
  host: 'The host is not one of the wallet vendor.',
  port: 'The port is not one of the wallet vendor.',
};

/** The session as base64 of the vendor's JSON, for a page of the merchant. */
export async function initSession(tools: SessionTools, merchantId: AccountId, wanted: SessionWanted): Promise<string> {
  const own = neededOwn(tools.setup);
  const url = vendorUrl(tools, wanted.validationUrl);
  const domain = await findDomain(tools.db.sql, merchantId, wanted.domainName.toLowerCase());
  if (!domain) return refuse(walletDomainNotRegistered, 'domainName');
  return askVendor(tools, own, url, { ...wanted, domainName: domain.domainName });
}

/** The same for a page of our own. */
export async function initOwnSession(tools: SessionTools, wanted: SessionWanted): Promise<string> {
  const own = neededOwn(tools.setup);
  return askVendor(tools, own, vendorUrl(tools, wanted.validationUrl), wanted);
}

/** Refuses before any connection is made. */
function vendorUrl({ setup }: SessionTools, validationUrl: string): string {
  const checked = checkValidationUrl(validationUrl, setup.hosts());
  if ('url' in checked) return checked.url.href;
  const devMessage = 'Send the validationUrl of the event as it is; it is valid for one session.';
  return refuse('not_valid', 'validationUrl', faultTexts[checked.fault], devMessage);
}

async function askVendor(
  tools: SessionTools,
  { merchantIdentifier }: OwnIdentifier,
  url: string,
  wanted: SessionWanted,
): Promise<string> {
  const body = JSON.stringify({
    merchantIdentifier,
    displayName: wanted.displayName,
    initiative: 'web',
    initiativeContext: wanted.domainName,
  });
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const { status, fault, answer, milliseconds } = await tools.vendor.post(url, headers, Buffer.from(body), limits);
  if (status === 200 && fault === null && isObject(answer)) return answer.toString('base64');
  tools.log.warn({ status, fault, milliseconds }, 'the wallet vendor gave no session');
  throw new Unavailable(walletUnavailable);
}

function isObject(answer: Buffer): boolean {
  try {
    const value: unknown = JSON.parse(answer.toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
