// Tokens of payments: decrypted with the merchant's keys, and used once.

import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { Sql } from '../../database/index.ts';
import type { AccountId } from '../../kernel/index.ts';
import type { Tools } from '../../tools.ts';
import { hashOfIdentifier } from '../certificates/check.ts';
import { openPrivateKey } from '../certificates/keep.ts';
import type { NewUse, OpenedToken, OwnIdentifier, RefusedToken, WalletSetup, WalletTokens } from '../model.ts';
import { type CertificateRow, findUse, insertUses, listLiveCertificates, type TokenUse } from '../store.ts';
import type { LiveCertificate } from './decrypt.ts';
import { openToken, prefixOf, type UsedToken } from './open.ts';

/** Decrypting a stored key takes longer than everything else about a token; the cache is bounded. */
const keysAtMost = 1_000;

type TokenTools = Pick<Tools, 'db' | 'vault' | 'wall' | 'log'>;

/** The certificates whose tokens a merchant can be paid with now. */
function openCertificates(tools: TokenTools, { own }: WalletSetup) {
  const keys = new Map<string, KeyObject>();

  function keyOf(row: CertificateRow): KeyObject {
    const kept = keys.get(row.id);
    if (kept) return kept;
    if (keys.size >= keysAtMost) keys.clear();
    const key = createPrivateKey(openPrivateKey(tools, row).reveal());
    keys.set(row.id, key);
    return key;
  }

  function liveOf(row: CertificateRow): LiveCertificate {
    const { id, publicKeyHash, merchantIdentifier } = row;
    const merchantIdentifierHash = hashOfIdentifier(merchantIdentifier);
    return { certificateId: id, publicKeyHash, privateKey: keyOf(row), merchantIdentifierHash };
  }

  return async (merchantId: AccountId): Promise<LiveCertificate[]> => {
    const now = tools.wall.now();
    const rows = await listLiveCertificates(tools.db.sql, merchantId, now);
    return [...rows.map(liveOf), ...(own && isLive(own, now) ? [own.certificate] : [])];
  };
}

export function openTokens(tools: TokenTools, setup: WalletSetup): WalletTokens {
  const certificatesOf = openCertificates(tools, setup);

  /** The same token by the same merchant; another merchant's use looks as if the token had never been used. */
  async function findSame(used: UsedToken, merchantId: AccountId): Promise<TokenUse | undefined> {
    const use = await findUse(tools.db.sql, used.walletTransactionId);
    return use?.merchantId === merchantId && use.fingerprint === used.fingerprint ? use : undefined;
  }

  function reportReplay(merchantId: AccountId, used: Pick<UsedToken, 'walletTransactionId'>): void {
    const token = prefixOf(used);
    tools.log.warn({ merchantId, step: 16, reason: 'used_before', token }, 'a wallet token was refused');
  }

  return {
    isOnWeb: setup.own !== undefined && setup.roots.length > 0,
    isAvailable(merchantId) {
      if (setup.roots.length === 0) return false;
      return (
        setup.own !== undefined ||
        listLiveCertificates(tools.db.sql, merchantId, tools.wall.now()).then((rows) => rows.length > 0)
      );
    },
    async open(merchantId, token, expected): Promise<OpenedToken | RefusedToken> {
      const certificates = await certificatesOf(merchantId);
      const opened = openToken({ token, receivedAt: tools.wall.now(), roots: setup.roots, certificates, expected });
      if (opened.outcome === 'accepted') {
        const { used, payment } = opened;
        return { used, payment, earlier: await findSame(used, merchantId) };
      }
      const { outcome, step, reason, idPrefix, claimed } = opened;
      const earlier = claimed ? await findSame(claimed, merchantId) : undefined;
      // A repeat that comes too late gets the same response; there is nothing to report.
      if (!earlier) tools.log.warn({ merchantId, step, reason, token: idPrefix }, 'a wallet token was refused');
      return { malformed: outcome === 'malformed', earlier };
    },
    async findUse(used, merchantId, transactionId) {
      const use = await findSame(used, merchantId);
      if (use?.transactionId === transactionId) return use;
      reportReplay(merchantId, used);
      return undefined;
    },
    reportReplay,
  };
}

/** Its own certificate ends for the service as those of merchants end for them. */
function isLive({ expiresAt }: OwnIdentifier, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(expiresAt, now) > 0;
}

/**
 * Uses up tokens for new attempts, in the transaction that inserts them; returns the attempts whose token was fresh.
 * Tokens of attempts that are not started after all must be returned by `releaseTokens` in the same transaction.
 */
export function useTokens(sql: Sql, uses: readonly NewUse[]): Promise<ReadonlySet<string>> {
  return insertUses(
    sql,
    uses.map(({ used, ...use }) => ({ ...use, ...used })),
  );
}

export { deleteUses as releaseTokens } from '../store.ts';
