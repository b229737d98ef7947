// M1: creating a transaction that is split over sellers.

import {
  findPayPage,
  findPos,
  type Merchant,
  type PayPageSettings,
  type SellerTerms,
  usualPayPage,
} from '../accounts/index.ts';
import type { Run } from '../http/index.ts';
import { type AccountId, type Fault, knownId, Refusal, refuse, type TransactionId } from '../kernel/index.ts';
import { paymentFee } from '../ledger/index.ts';
import { limitFaults, methodOf } from '../methods/index.ts';
import { composeMails } from '../notifications/index.ts';
import { findTransaction, payPageUrl, type Transaction, type TransactionPart } from '../transactions/index.ts';
import { orderMail } from './mail.ts';
import { channelsOf, findSellers } from './methods.ts';
import type { MarketplaceCommand } from './model.ts';
import { signPart } from './parts.ts';
import { insertSplits } from './store/transactions.ts';
import type { MarketplaceTools } from './tools.ts';
import { serializeProducts } from './wire.ts';

/** What a new transaction depends on, read before anything is stored. */
export interface CheckedSplit {
  readonly sellers: readonly SellerTerms[];
  readonly channels: readonly number[];
}

/** Refuses sellers and points of sale that cannot be paid, and commissions that the sellers cannot cover. */
export async function checkSplit(
  tools: MarketplaceTools,
  partner: Merchant,
  { posId, children, transaction }: MarketplaceCommand,
): Promise<CheckedSplit> {
  const sellers = await findSellers(
    tools,
    partner,
    children.map(({ merchantId }) => merchantId),
    (index) => `childTransactions.${index}.merchant.id`,
  );
  const channels = await channelsOf(tools, partner, sellers);
  const pos = await findPos(tools.db.sql, partner.id, posId);
  const faults: Fault[] = [];
  if (!pos) faults.push(posFault('Is not a point of sale of your account.'));
  else if (!pos.active || !pos.verified) faults.push(posFault('The point of sale must be active and verified.'));
  if (channels.length === 0) {
    const message = 'The sellers have no payment method in common.';
    const devMessage = 'Create a transaction for each of them, or change their channels.';
    faults.push({ code: 'not_valid', field: 'childTransactions', message, devMessage });
  }
  const [chosen, field] = [transaction.pay?.channelId, 'preSelectedChannelId'];
  if (chosen !== undefined && !channels.includes(chosen)) {
    const message = 'Is not a payment method that all sellers of the transaction have.';
    const devMessage = 'Send one of availablePaymentChannels of GET /marketplace/v1/bank-groups.';
    faults.push({ code: 'not_valid', field, message, devMessage });
  } else if (chosen !== undefined) faults.push(...limitFaults(methodOf(chosen), transaction.amount, field));
  faults.push(...commissionFaults(children, sellers));
  if (faults.length > 0) throw new Refusal(faults);
  return { sellers, channels };
}

function posFault(message: string): Fault {
  return { code: 'not_valid', field: 'pos.id', message, devMessage: 'GET /accounts/pos lists your points of sale.' };
}

function commissionFaults(children: MarketplaceCommand['children'], sellers: readonly SellerTerms[]): Fault[] {
  return children.flatMap(({ merchantId, amountMinor, commissionMinor }, index): Fault[] => {
    const most = amountMinor - feeOf(sellers, merchantId, amountMinor);
    if (commissionMinor <= most) return [];
    const field = `childTransactions.${index}.commission`;
    return [{ code: 'too_high', field, message: `Must be at most ${most}: the amount less the fee of the seller.` }];
  });
}

function feeOf(sellers: readonly SellerTerms[], merchantId: string, amountMinor: bigint): bigint {
  const terms = sellers.find(({ id }) => id === merchantId);
  return terms ? paymentFee(amountMinor, terms.paymentFee) : 0n;
}

/**
 * Creates a pending transaction with its parts; durable when this resolves. Ids come from the request's run: a retry
 * with the same idempotency key returns what the first run stored, even if it would be refused by now.
 */
export async function createSplit(
  tools: MarketplaceTools,
  partner: Merchant,
  command: MarketplaceCommand,
  { ids, resumed }: Pick<Run, 'ids' | 'resumed'>,
  check: () => Promise<CheckedSplit>,
): Promise<Transaction> {
  const id = knownId<TransactionId>(ids.ulid());
  const first = resumed ? await findTransaction(tools.db.sql, partner.id, id) : undefined;
  if (first) return first;
  const { sellers, channels } = await check();
  const owner = { id: partner.id, posId: command.posId, channels };
  const made = tools.transactions.make(owner, command.transaction, { id, ids, origin: 'marketplace' });
  const parts = command.children.map(
    ({ merchantId, amountMinor, commissionMinor, description, hiddenDescription, products }, index): TransactionPart =>
      signPart(tools.vault, {
        id: ids.ulid(),
        transactionId: id,
        number: index + 1,
        merchantId,
        amountMinor,
        feeMinor: feeOf(sellers, merchantId, amountMinor),
        priceId: sellers.find((one) => one.id === merchantId)?.paymentFee.priceId ?? null,
        commissionMinor,
        description,
        hiddenDescription,
        products: serializeProducts(products),
      }),
  );
  const mailId = ids.ulid();
  const names = new Map<string, string>(sellers.map(({ id: sellerId, name }) => [sellerId, name]));
  const named = parts.map(({ merchantId, amountMinor }) => ({ seller: names.get(merchantId) ?? '', amountMinor }));
  return tools.transactions.store(made, async (transaction) => {
    const page = command.mail && tools.sendsMail ? await findPage(tools, partner.id) : undefined;
    const recipients = page?.mails.order ? [{ ...partner, language: page.language }] : [];
    const url = payPageUrl(tools.config.baseUrl, transaction);
    const [mail] = composeMails(tools, recipients, (from) => orderMail(mailId, transaction, from, named, url));
    await tools.db.batch(insertSplits, { transaction, parts, mail });
    return transaction;
  });
}

/** Partners can switch this mail off for all their orders. */
async function findPage({ db }: MarketplaceTools, partnerId: AccountId): Promise<PayPageSettings> {
  return (await findPayPage(db.sql, partnerId)) ?? usualPayPage;
}

/** A marketplace transaction of this partner; any other is refused as one that does not exist. */
export async function findSplit(
  { db }: Pick<MarketplaceTools, 'db'>,
  partner: Pick<Merchant, 'id'>,
  id: TransactionId,
): Promise<Transaction> {
  const transaction = await findTransaction(db.sql, partner.id, id);
  return transaction?.origin === 'marketplace' ? transaction : refuse('not_found');
}
