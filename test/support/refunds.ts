// Builders for refunds.

import assert from 'node:assert/strict';
import { readBigint } from '../../src/database/index.ts';
import { money } from '../../src/kernel/index.ts';
import { postOpening } from '../../src/ledger/index.ts';
import { aTransaction, settleAll, show } from './payments.ts';
import type { Answer, Service, TestMerchant } from './service.ts';

/** An opening balance, so that fees can be paid. Once per merchant. */
export function fund(service: Service, merchant: TestMerchant, minor: bigint): Promise<void> {
  const { db, ids, clock } = service.world;
  return db.atomic((sql) => postOpening(sql, ids, merchant.id, money(minor, 'PLN'), clock.now()));
}

export function refund(service: Service, merchant: TestMerchant, id: string, body: object): Promise<Answer> {
  return service.ask('POST', `/transactions/${id}/refunds`, { token: merchant.token, body });
}

/** Refunds and returns the id of the refund. */
export async function aRefund(
  service: Service,
  merchant: TestMerchant,
  id: string,
  body: object = {},
): Promise<string> {
  const answer = await refund(service, merchant, id, body);
  assert.equal(answer.status, 200, answer.text);
  return answer.body.refundsList[0].refundId;
}

/** Paid with the third-party online wallet, confirmed on the bank's page. */
export async function aPaidOnlineWallet(service: Service, merchant: TestMerchant): Promise<string> {
  return aConfirmed(service, merchant, 106);
}

/** Paid by a method that the payer confirms on the bank's page: 21 transfer, 106 online wallet. */
export async function aConfirmed(
  service: Service,
  merchant: TestMerchant,
  channelId: number,
  body: object = {},
): Promise<string> {
  const id = await aTransaction(service, merchant, body);
  const paying = await service.ask('POST', `/transactions/${id}/pay`, { token: merchant.token, body: { channelId } });
  assert.equal(paying.status, 200, paying.text);
  const link = String(paying.body.transactionPaymentUrl).split('/').at(-1) ?? '';
  await service.world.bank.choose(link, 'confirm');
  await settleAll(service.world);
  const shown = await show(service, merchant, id);
  assert.equal(shown.body.status, 'paid', shown.text);
  return id;
}

/** An operator's decision that the bank has paid out all of it. */
export async function wholeOf({ world }: Service, refundId: string): Promise<{ capturedMinor: bigint }> {
  const capturedMinor = await world.db.sql.one((row) => readBigint(row, 'amount_minor'))`
    select amount_minor from refund where id = ${refundId}`;
  return { capturedMinor };
}
