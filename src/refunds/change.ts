// Holding, releasing and canceling a refund (docs/decisions/0010), for the merchant's API, the panel and the operator.

import type { Merchant } from '../accounts/index.ts';
import { type Once, onceIn } from '../http/index.ts';
import { type RefundId, refuse } from '../kernel/index.ts';
import { paymentDisputed, refundAlreadySent } from './failures.ts';
import type { RefundWithTitle, Result } from './model.ts';
import { findRefund, listPaidTwice } from './store/refunds.ts';
import type { RefundTools } from './tools.ts';

const untilWon = 'Release the refund once the dispute is won, or cancel it: its amount and fee return.';

type Owner = Pick<Merchant, 'id'>;

/** Holds a refund that was not sent yet, until it is released or canceled. */
export function holdRefund(tools: RefundTools, merchant: Owner, id: RefundId, once?: Once): Promise<RefundWithTitle> {
  return change(tools, merchant, id, { kind: 'hold' }, once);
}

/** Releases a held refund. */
export function releaseRefund(
  tools: RefundTools,
  merchant: Owner,
  id: RefundId,
  once?: Once,
): Promise<RefundWithTitle> {
  return change(tools, merchant, id, { kind: 'release' }, once);
}

/** Ends a refund that is New or Hold; amount and fee are back on the balance when this resolves. */
export function cancelRefund(
  tools: RefundTools,
  merchant: Owner,
  id: RefundId,
  by: 'merchant' | 'operator',
  once?: Once,
): Promise<RefundWithTitle> {
  return change(tools, merchant, id, { kind: 'cancel', by }, once);
}

/** Takes effect once even if the request is repeated: later changes by others are kept. */
async function change(
  tools: RefundTools,
  merchant: Owner,
  id: RefundId,
  result: Result,
  once: Once = onceIn(tools.db),
): Promise<RefundWithTitle> {
  const find = async () => (await findRefund(tools.db.sql, merchant.id, id)) ?? refuse('not_found');
  await find();
  await once(async (sql) => {
    const settled = (await tools.outgoing.settleIn(sql, { key: id, result })) ?? refuse('not_found');
    if (settled.step.kind === 'refused') refuse(refundAlreadySent);
    if (settled.step.kind === 'released' && (await listPaidTwice(sql, [{ id }])).length > 0)
      refuse(paymentDisputed, '', undefined, untilWon);
    return null;
  });
  return find();
}
