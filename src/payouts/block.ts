// An operator allows no payouts of an account, and allows them again.

import { type AccountId, refuse } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import { blockedAlready, notBlocked, payeeAltered } from './failures.ts';
import type { PayoutBlock } from './model.ts';
import { isBlockOurs, signBlock, signing } from './signed.ts';
import { findBlock, insertBlock, updateBlock } from './store/blocks.ts';
import { changeTermsIn } from './terms.ts';

type BlockTools = Pick<Tools, 'clock' | 'db' | 'ids' | 'vault'>;

/** Nothing is paid to a blocked account, by schedule or on demand, until it is released. `by`: the email of the operator. */
export function blockPayouts(tools: BlockTools, accountId: AccountId, by: string): Promise<PayoutBlock> {
  return tools.db.atomic(async (sql) => {
    const { blockedAt } = await changeTermsIn(tools, sql, accountId, (now, { blockedAt: since }) =>
      since ? refuse(blockedAlready) : { blockedAt: now, blockedBy: by },
    );
    return signing(tools, sql, 'payout_block', async () => {
      const at = blockedAt ?? tools.clock.now();
      const block = signBlock(tools, {
        id: tools.ids.ulid(at),
        accountId,
        blockedAt: at,
        blockedBy: by,
        releasedAt: null,
        releasedBy: null,
      });
      await insertBlock(sql, block);
      return { before: [], after: [block], result: block };
    });
  });
}

export function releasePayouts(tools: BlockTools, accountId: AccountId, by: string): Promise<PayoutBlock> {
  return tools.db.atomic(async (sql) => {
    const { modifiedAt } = await changeTermsIn(tools, sql, accountId, (_now, { blockedAt }) =>
      blockedAt ? { blockedAt: null, blockedBy: null } : refuse(notBlocked),
    );
    return signing(tools, sql, 'payout_block', async () => {
      const before = await findBlock(sql, accountId);
      if (!before || !isBlockOurs(tools, before)) return refuse(payeeAltered);
      const { mac: _mac, ...row } = before;
      const block = signBlock(tools, { ...row, releasedAt: modifiedAt, releasedBy: by });
      await updateBlock(sql, block);
      return { before: [before], after: [block], result: block };
    });
  });
}
