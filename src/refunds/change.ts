// Holding, releasing and canceling a refund (decisions 6): for the merchant's API, the panel and the operator.

import type { Merchant } from '../accounts/index.ts';
import { type RefundId, refuse } from '../kernel/index.ts';
import type { World } from '../world.ts';
import { settle } from './moving/settle.ts';
import type { Word } from './rules.ts';
import { findRefund, type RefundWithTitle } from './store.ts';

type Owner = Pick<Merchant, 'id'>;

/** Stops a refund that was not sent yet, until it is released or canceled. */
export function holdRefund(world: World, merchant: Owner, id: RefundId): Promise<RefundWithTitle> {
  return change(world, merchant, id, { kind: 'hold' });
}

/** Lets a held refund go on. */
export function releaseRefund(world: World, merchant: Owner, id: RefundId): Promise<RefundWithTitle> {
  return change(world, merchant, id, { kind: 'release' });
}

/** Ends a refund that is New or Hold; amount and fee are on the balance again when this resolves. */
export function cancelRefund(
  world: World,
  merchant: Owner,
  id: RefundId,
  by: 'merchant' | 'operator',
): Promise<RefundWithTitle> {
  return change(world, merchant, id, { kind: 'cancel', by });
}

async function change(world: World, merchant: Owner, id: RefundId, word: Word): Promise<RefundWithTitle> {
  const { title } = (await findRefund(world.db.sql, merchant.id, id)) ?? refuse('not_found');
  const settled = (await settle(world, { refundId: id, word })) ?? refuse('not_found');
  if (settled.step.kind === 'refused') refuse('refund_already_sent');
  return { ...settled.refund, title };
}
