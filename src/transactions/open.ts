import type { WorkName } from '../../contract/codes/works.ts';
import type { Merchant } from '../accounts/index.ts';
import type { Banking } from '../banking/index.ts';
import type { CardKeys } from '../cards/index.ts';
import type { Verifying } from '../database/index.ts';
import type { TransactionId } from '../kernel/index.ts';
import { readInstrument, type ToPay } from '../methods/index.ts';
import type { Handover } from '../notifications/index.ts';
import type { Work } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';
import type { WalletTokens } from '../wallet/index.ts';
import { cancel, expireTransactions, nextExpiry } from './cancel.ts';
import { type Insert, makeTransaction, type NewTransaction, storeTransaction } from './create.ts';
import type { PayRequest, Transaction, TransactionCommand } from './model.ts';
import { type PaymentOf, payOnce } from './pay.ts';
import { findForPayer, type PayerInstrument, type PayerView, payAsPayer } from './payer.ts';
import { transactionRoutes } from './routes.ts';
import { paymentRoom, rowsOf } from './settle.ts';
import { transactionCounts } from './store/lists.ts';
import { openTitles, type Titles } from './titles.ts';
import type { TransactionTools } from './tools.ts';
import { verifyTransactions } from './verify.ts';

export type Transactions = ReturnType<typeof openTransactions>;

interface TransactionOptions {
  readonly handover: Handover;
  readonly sendsMail: boolean;
  /** Generates titles; random by default. */
  readonly titles?: Titles | undefined;
}

export function openTransactions(
  base: Tools,
  { charges }: Banking,
  cards: CardKeys,
  wallet: WalletTokens,
  { handover, sendsMail, titles = openTitles(base.random) }: TransactionOptions,
) {
  const { settle } = charges.add('payment', 'settlement', paymentRoom({ ...base, handover, sendsMail }));
  const tools: TransactionTools = {
    ...base,
    cards,
    wallet,
    titles,
    async settle(settlement) {
      const locked = await settle(settlement);
      return locked && rowsOf(locked);
    },
  };
  return {
    name: 'transactions',
    routes: transactionRoutes(tools),
    works: worksOf(tools),
    journalKinds: ['payment'],
    verify: (verifying: Verifying) => verifyTransactions(tools, verifying),
    drawTitle: () => tools.titles.draw(),
    cancel: (merchant: Pick<Merchant, 'id'>, id: TransactionId, check?: (transaction: Transaction) => void) =>
      cancel(tools, merchant, id, check),
    make: (merchant: Pick<Merchant, 'id' | 'posId' | 'channels'>, command: TransactionCommand, of: NewTransaction) =>
      makeTransaction(tools, merchant, command, of),
    store: (transaction: Transaction, insert: Insert) => storeTransaction(tools, transaction, insert),
    readInstrument: (
      merchant: Pick<Merchant, 'id' | 'channels'>,
      channelId: number,
      data: PayRequest,
      find: () => ToPay | Promise<ToPay>,
    ) => readInstrument(tools, merchant.channels, channelId, { merchantId: merchant.id, data, prefix: '', find }),
    payOnce: (merchant: Pick<Merchant, 'id' | 'name'>, payment: PaymentOf) => payOnce(tools, merchant, payment),
    findForPayer: (id: TransactionId, payKey: string) => findForPayer(tools, id, payKey),
    payAsPayer: (view: PayerView, instrument: PayerInstrument, number: number, lang: string) =>
      payAsPayer(tools, view, instrument, number, lang),
  };
}

const countedAtOnce = 10_000;

function worksOf(tools: TransactionTools): Work<WorkName>[] {
  return [
    { name: 'expire_transactions', run: () => expireTransactions(tools), nextAt: () => nextExpiry(tools) },
    {
      name: 'count_transactions',
      run: () => transactionCounts.add(tools, countedAtOnce),
      setSize: countedAtOnce,
      // For moving the sandbox clock: until changes are added, lists read all of them.
      nextAt: async () => ((await transactionCounts.hasChanges(tools.db.sql)) ? tools.clock.now() : null),
    },
  ];
}
