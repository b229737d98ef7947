// The domains whose pages may start wallet sessions, and the check of their association file.

import { notValid } from '../../../contract/codes/english/values.ts';
import { insertPosDomain, lockAccount, type Merchant } from '../../accounts/index.ts';
import type { Once } from '../../http/index.ts';
import { type AccountId, refuse, refuseFault, Unavailable } from '../../kernel/index.ts';
import type { Outbound } from '../../outbound/index.ts';
import type { Tools } from '../../tools.ts';
import { neededOwn } from '../setup.ts';
import { countDomains, deleteDomain, findDomain, insertDomain } from '../store.ts';
import type { WalletTools } from '../tools.ts';
import { type DomainShown, serializeDomain } from '../wire.ts';
import { isName } from './names.ts';
import { associationPath, checkDomain, type DomainCheck, type Fetched } from './rules.ts';

export const domainsAtMost = 100;

/** Normalizes a domain; refuses an invalid one with the reason. */
export function readDomainName({ config }: Pick<Tools, 'config'>, given: string): string {
  const domainName = given.toLowerCase();
  const [host = '', port, ...more] = domainName.split(':');
  const isSandbox = config.mode === 'sandbox';
  const devMessage = 'Send only the host, such as shop.example.com.';
  // A whole URL has a colon too.
  if (!isName(host, isSandbox) || more.length > 0 || port?.startsWith('//'))
    refuseFault({ ...notValid('domainName', 'host_name'), devMessage });
  if (port !== undefined && !isSandbox) refuseFault({ ...notValid('domainName', 'without_port'), devMessage });
  if (port !== undefined && !(/^[1-9]\d{0,4}$/.test(port) && Number(port) <= 65_535))
    refuseFault(notValid('domainName', 'port'));
  return domainName;
}

type DomainTools = Pick<Tools, 'db' | 'wall' | 'config'>;

/** Registers a domain, also for the point of sale; returns an existing registration unchanged. */
export function registerDomain(
  tools: DomainTools,
  merchant: Pick<Merchant, 'id' | 'posId'>,
  domainName: string,
  once: Once,
): Promise<DomainShown> {
  return once(async (sql) => {
    // Registrations of an account take turns, so that their number can be limited.
    await lockAccount(sql, merchant.id);
    const present = await findDomain(sql, merchant.id, domainName);
    if (present) return serializeDomain(present);
    if ((await countDomains(sql, merchant.id)) >= domainsAtMost)
      refuse('too_many', 'domainName', `An account has at most ${domainsAtMost} domains.`, 'Remove a domain first.');
    const domain = { merchantId: merchant.id, domainName, createdAt: tools.wall.now() };
    await insertPosDomain(sql, { posId: merchant.posId, domainName, createdAt: domain.createdAt });
    await insertDomain(sql, domain);
    return serializeDomain(domain);
  });
}

/** The point of sale keeps the domain: other channels may use it. */
export async function removeDomain(tools: DomainTools, merchantId: AccountId, domainName: string): Promise<void> {
  if ((await deleteDomain(tools.db.sql, merchantId, domainName)) === 0) refuse('not_found');
}

/** A server that never answers holds a connection of ours, so an account has few of them at once. */
const checksAtOnce = 4;
const checksRunning = new Map<AccountId, number>();

/** Checks a domain of the account; refuses if too many of its checks are still running in this process. */
export async function checkRegistered(
  tools: WalletTools,
  merchantId: AccountId,
  domainName: string,
): Promise<DomainCheck> {
  const running = checksRunning.get(merchantId) ?? 0;
  if (running >= checksAtOnce) throw new Unavailable('too_many_requests', undefined, 1);
  checksRunning.set(merchantId, running + 1);
  try {
    return await fetchAndCheck(tools, merchantId, domainName);
  } finally {
    const left = (checksRunning.get(merchantId) ?? 1) - 1;
    if (left > 0) checksRunning.set(merchantId, left);
    else checksRunning.delete(merchantId);
  }
}

const checkLimits = { milliseconds: 10_000, answerBytes: 65_536 };

/** Fetches the association file as the vendor does, and evaluates every rule. */
async function fetchAndCheck(tools: WalletTools, merchantId: AccountId, domainName: string): Promise<DomainCheck> {
  const { fetcher } = tools;
  const { association } = neededOwn(tools.setup);
  const { domainName: host } = (await findDomain(tools.db.sql, merchantId, domainName)) ?? refuse('not_found');
  const secure = await fetchFile(fetcher, `https://${host}`);
  const isAnswer = secure.status !== null || secure.fault === 'certificate_refused';
  if (tools.config.mode === 'live' || isAnswer) return checkDomain(secure, association);
  // Shops on a developer's machine have no certificate. A refused certificate is reported anyway.
  const plain = await fetchFile(fetcher, `http://${host}`);
  return checkDomain(plain.status === null ? secure : plain, association);
}

async function fetchFile(fetcher: Outbound, origin: string): Promise<Fetched> {
  const fetched = await fetcher.get(origin + associationPath, { accept: '*/*' }, checkLimits);
  return { isHttps: origin.startsWith('https:'), ...fetched };
}
