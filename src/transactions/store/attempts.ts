// SQL of paying: transactions with their charges. Owner and tables: see transactions.ts.

import { channelIds } from '../../../contract/methods.ts';
import type { PayPageSettings } from '../../accounts/index.ts';
import { type Price, priceColumns, readPrice } from '../../accounts/index.ts';
import {
  blankCharge,
  chargeColumns,
  chargeTypes,
  insertCharges,
  insertPaymentCharges,
  readJoinedCharge,
} from '../../banking/index.ts';
import {
  type BatchOf,
  type Given,
  given,
  type Row,
  readBigint,
  readBoolean,
  readInstant,
  readInstantOrNull,
  readInteger,
  readIntegerOrNull,
  readIntegers,
  readText,
  readTextOrNull,
  readTexts,
  type Sql,
} from '../../database/index.ts';
import { type AccountId, currencyFrom, knownId, money, type TransactionId } from '../../kernel/index.ts';
import type { ShownOfTakers, VendorFields } from '../../methods/index.ts';
import { type NewUse, releaseTokens, type UsedToken, useTokens } from '../../wallet/index.ts';
import type { Attempt, AttemptState, PaymentRows, Transaction } from '../model.ts';
import { transactionTable } from '../table.ts';
import {
  type MailingMerchant,
  type NotificationFacts,
  readMailingMerchant,
  readNotificationFacts,
} from './transactions.ts';

const newAttemptColumns = {
  ...chargeTypes(
    'id',
    'transactionId',
    'merchantId',
    'channelId',
    'acquirer',
    'cardToken',
    'cardBrand',
    'cardTail',
    'initiator',
    'createdAt',
    'nextCheckAt',
  ),
  attemptsAtMost: 'integer',
  lang: 'text',
} as const;

export type NewAttempt = Given<Attempt, typeof newAttemptColumns> & {
  readonly attemptsAtMost: number;
  /** The language in which it is paid. */
  readonly lang: string;
};

/**
 * Starts attempts of pending transactions, numbered without gaps, up to the maximum; returns for each whether it was
 * started. A transaction has the channel of its latest attempt. Locks the transactions in id order, so that an attempt
 * never starts during a cancel. Rows are selected by id only and filtered afterwards: with a condition on the status
 * the planner scanned the index of all pending transactions.
 */
export const insertAttempt: BatchOf<NewAttempt, boolean> = {
  name: 'payment attempt',
  async execute(sql, rows) {
    const ids = [...new Set(rows.map((row) => row.transactionId))];
    const started = await sql.many((row) => readText(row, 'id'))`
      with given as materialized (
        select *, row_number() over (partition by transaction_id order by id) as place
          from ${given(rows, newAttemptColumns)}
      ), wanted as (
        select transaction_id, merchant_id, count(*)::integer as count, min(attempts_at_most) as most,
               min(lang) as lang, array_agg(channel_id order by id) as channels
          from given group by 1, 2
      ), locked as materialized (
        select * from transaction where id = any(${ids}::text[]) order by id for update
      ), able as materialized (
        select locked.id, locked.attempts_started as before, wanted.most, wanted.lang,
               least(locked.attempts_started + wanted.count, wanted.most) as started,
               wanted.channels[least(wanted.count, wanted.most - locked.attempts_started)] as channel_id,
               locked.amount_minor, locked.currency
          from locked join wanted on locked.id = wanted.transaction_id and locked.merchant_id = wanted.merchant_id
         where locked.status = 'pending' and locked.origin <> 'recurring' and locked.attempts_started < wanted.most
      ), counted as (
        update transaction set attempts_started = able.started, lang = able.lang, channel_id = able.channel_id
          from able where transaction.id = able.id
      )
      ${insertPaymentCharges}
      select given.id, 'payment', given.transaction_id, given.merchant_id, given.acquirer, able.amount_minor, able.currency,
             given.channel_id, given.card_token, given.initiator, 'sent', given.created_at, given.next_check_at,
             able.before + given.place, given.card_brand, given.card_tail
        from given join able on able.id = given.transaction_id and able.before + given.place <= able.most
      returning id`;
    const known = new Set(started);
    return rows.map((row) => known.has(row.id));
  },
};

/** An attempt that uses up a wallet token. */
export interface NewWalletAttempt {
  readonly attempt: NewAttempt;
  readonly used: UsedToken;
}

/**
 * The same for attempts with wallet tokens: a token is used up in the transaction that starts its attempt, and stays
 * usable if the attempt cannot start.
 */
export const insertWalletAttempt: BatchOf<NewWalletAttempt, 'started' | 'unpayable' | 'used'> = {
  name: 'wallet attempt',
  atomic: true,
  async execute(sql, rows) {
    const fresh = await useTokens(
      sql,
      rows.map(({ attempt, used }) => useOf(attempt, attempt.transactionId, used)),
    );
    const able = rows.filter(({ attempt }) => fresh.has(attempt.id));
    const started =
      able.length === 0
        ? []
        : await insertAttempt.execute(
            sql,
            able.map(({ attempt }) => attempt),
          );
    const results = new Map(able.map(({ attempt }, index) => [attempt.id, started[index] ? 'started' : 'unpayable']));
    await releaseTokens(
      sql,
      able.flatMap(({ attempt }, index) => (started[index] ? [] : [attempt.id])),
    );
    return rows.map(({ attempt }) => (results.get(attempt.id) ?? 'used') as 'started' | 'unpayable' | 'used');
  },
};

function useOf(
  { id: attemptId, merchantId, createdAt }: Pick<NewAttempt, 'id' | 'merchantId' | 'createdAt'>,
  transactionId: TransactionId,
  used: UsedToken,
): NewUse {
  return { used, merchantId, transactionId, attemptId, createdAt };
}

/** A new transaction with its first attempt. */
export interface NewPayment {
  /** With the attempt already counted in attemptsStarted. */
  readonly transaction: Transaction;
  readonly attempt: Pick<
    Attempt,
    | 'id'
    | 'merchantId'
    | 'channelId'
    | 'acquirer'
    | 'cardToken'
    | 'cardBrand'
    | 'cardTail'
    | 'initiator'
    | 'createdAt'
    | 'nextCheckAt'
  >;
}

function firstAttempt({ transaction, attempt }: NewPayment): Attempt {
  const { minor: amountMinor, currency } = transaction.amount;
  return {
    ...blankCharge,
    ...attempt,
    purpose: 'payment',
    transactionId: transaction.id,
    amountMinor,
    currency,
    number: 1,
  };
}

/**
 * Inserts transactions with their first attempts, all or none, and returns the rows. Nobody else can know these
 * transactions yet, so there is nothing to lock, check or count: it costs a third of two separate inserts.
 */
export const insertPayment: BatchOf<NewPayment, PaymentRows> = {
  name: 'payment',
  atomic: true,
  drainsQueue: true,
  async execute(sql, payments) {
    const rows = payments.map((payment) => ({ transaction: payment.transaction, attempt: firstAttempt(payment) }));
    await transactionTable.copy(
      sql,
      rows.map(({ transaction }) => transaction),
    );
    await insertCharges(
      sql,
      rows.map(({ attempt }) => attempt),
    );
    return rows;
  },
};

/** The same with wallet tokens; returns undefined and stores nothing if the token was used before. */
export const insertWalletPayment: BatchOf<NewPayment & { readonly used: UsedToken }, PaymentRows | undefined> = {
  name: 'wallet payment',
  atomic: true,
  async execute(sql, payments) {
    const fresh = await useTokens(
      sql,
      payments.map(({ transaction, attempt, used }) => useOf(attempt, transaction.id, used)),
    );
    const able = payments.filter(({ attempt }) => fresh.has(attempt.id));
    const rows = able.length > 0 ? await insertPayment.execute(sql, able) : [];
    const known = new Map(rows.map((row) => [row.attempt.id, row]));
    return payments.map(({ attempt }) => known.get(attempt.id));
  },
};

/** A transaction as its payer sees it: what the pay page shows and what paying needs. */
export interface PayerView {
  readonly transaction: Pick<
    Transaction,
    'id' | 'origin' | 'title' | 'status' | 'createdAt' | 'amount' | 'description' | 'lang' | 'channelId' | 'paidAt'
  > &
    Pick<Transaction, 'successUrl' | 'errorUrl' | 'payKey'> & {
      readonly payer: Pick<Transaction['payer'], 'email' | 'name'>;
    };
  readonly merchant: {
    readonly id: AccountId;
    readonly name: string;
    readonly zone: string;
    readonly channels: readonly number[];
    /** How its pay page looks. */
    readonly page: Pick<PayPageSettings, 'color' | 'language' | 'logoHash' | 'embedOrigins'>;
  };
  /** Of the acquirer that takes a card in its own fields only; undefined: a card is typed into ours. */
  readonly vendorFields?: VendorFields;
  /** Channels whose payer must be asked for an email address. */
  readonly emailChannels?: readonly number[];
  /** What those that take its channels show; undefined: nothing of their own. */
  readonly shown?: ShownOfTakers;
  readonly attemptsStarted: number;
  readonly lastAttempt:
    | (Pick<Attempt, 'channelId' | 'acquirer' | 'state' | 'reason' | 'link' | 'createdAt'> & {
        /** Whether money that came after the end of a canceled transaction goes back to the payer. */
        readonly givenBack: boolean;
      })
    | null;
}

function readPayerView(row: Row): PayerView {
  const currency = currencyFrom(readText(row, 'currency'));
  return {
    transaction: {
      id: knownId(readText(row, 'id')),
      origin: readText(row, 'origin') as Transaction['origin'],
      title: readText(row, 'title'),
      status: readText(row, 'status') as Transaction['status'],
      createdAt: readInstant(row, 'created_at'),
      amount: money(readBigint(row, 'amount_minor'), currency),
      description: readText(row, 'description'),
      lang: readText(row, 'lang'),
      channelId: readIntegerOrNull(row, 'channel_id'),
      paidAt: readInstantOrNull(row, 'paid_at'),
      successUrl: readTextOrNull(row, 'success_url'),
      errorUrl: readTextOrNull(row, 'error_url'),
      payKey: readText(row, 'pay_key'),
      payer: { email: readText(row, 'payer_email'), name: readText(row, 'payer_name') },
    },
    merchant: {
      id: knownId(readText(row, 'merchant_id')),
      name: readText(row, 'name'),
      zone: readText(row, 'zone'),
      channels: readIntegers(row, 'channels'),
      page: {
        color: readTextOrNull(row, 'color'),
        language: readTextOrNull(row, 'language'),
        logoHash: readTextOrNull(row, 'logo_hash'),
        embedOrigins: readTexts(row, 'embed_origins'),
      },
    },
    attemptsStarted: readInteger(row, 'attempts_started'),
    lastAttempt:
      row.state === null
        ? null
        : {
            channelId: readInteger(row, 'attempt_channel_id'),
            acquirer: readText(row, 'attempt_acquirer'),
            state: readText(row, 'state') as AttemptState,
            reason: readTextOrNull(row, 'reason'),
            link: readTextOrNull(row, 'link'),
            createdAt: readInstant(row, 'attempt_created_at'),
            givenBack: readBoolean(row, 'given_back'),
          },
  };
}

/**
 * Transactions with their last attempt, by id; concurrent lookups share one query by primary key. Attempts are numbered
 * without gaps, so the last one has the number attemptsStarted. Excludes blocked merchants and sellers and partners
 * without the marketplace function, who cannot be paid, and charges of recurring payments, which payers do not pay. A
 * marketplace transaction has the channels that all its sellers have in common.
 */
export const findPayerView: BatchOf<TransactionId, PayerView | undefined> = {
  name: 'payer view',
  async execute(sql, ids) {
    const views = await sql.many(readPayerView)`
      select transaction.id, transaction.merchant_id, transaction.origin, transaction.title, transaction.status,
             transaction.created_at, transaction.amount_minor, transaction.currency, transaction.description,
             transaction.lang, transaction.channel_id, transaction.paid_at, transaction.success_url,
             transaction.error_url, transaction.pay_key, transaction.payer_email, transaction.payer_name,
             transaction.attempts_started, account.name, account.zone,
             case when transaction.origin <> 'marketplace' then account.channels
                  else array (select channel from unnest(${channelIds}::integer[]) as channel
                               where not exists (
                                 select from transaction_part as part join account as seller on seller.id = part.merchant_id
                                  where part.transaction_id = transaction.id and channel <> all (seller.channels))) end as channels,
             attempt.channel_id as attempt_channel_id, attempt.acquirer as attempt_acquirer, attempt.state, attempt.reason, attempt.link,
             attempt.created_at as attempt_created_at,
             transaction.status = 'canceled'
               and exists (select from outgoing_refund where subject_id = attempt.id and purpose = 'surplus') as given_back,
             pay_page.color, pay_page.language, pay_page.logo_hash,
             coalesce(pay_page.embed_origins, '{}') as embed_origins
        from transaction
        join account on account.id = transaction.merchant_id
        left join pay_page on pay_page.account_id = transaction.merchant_id
        left join charge as attempt
               on attempt.transaction_id = transaction.id and attempt.number = transaction.attempts_started
                  and attempt.purpose = 'payment'
       where transaction.id = any(${ids}::text[]) and transaction.origin <> 'recurring'
         and (transaction.status <> 'pending'
              or account.status = 'active'
                 and (transaction.origin <> 'marketplace' or account.marketplace_enabled and not exists (
                   select from transaction_part as part join account as seller on seller.id = part.merchant_id
                    where part.transaction_id = transaction.id and seller.status <> 'active')))`;
    const known = new Map(views.map((view) => [view.transaction.id, view]));
    return ids.map((id) => known.get(id));
  },
};

/** What settling needs to know about an attempt's merchant and point of sale. */
interface AttemptFacts {
  readonly fee: Price;
  readonly notification: NotificationFacts;
  readonly merchant: MailingMerchant;
  /** Whether the merchant lets us confirm payments by mail. */
  readonly mailsPaid: boolean;
  /** Whether the merchant wants to be told of each declined attempt. */
  readonly notifiesDeclines: boolean;
}

export interface LockedAttempt extends AttemptFacts {
  readonly id: string;
  /** Whether neither row was changed since it was inserted. */
  readonly unchanged: boolean;
}

function readLocked(row: Row): LockedAttempt {
  return {
    id: readText(row, 'id'),
    unchanged: readBoolean(row, 'unchanged'),
    fee: readPrice(row),
    notification: readNotificationFacts(row),
    merchant: readMailingMerchant(row),
    mailsPaid: readBoolean(row, 'mail_paid'),
    notifiesDeclines: readBoolean(row, 'decline_notifications'),
  };
}

/**
 * Locks attempts and their transactions, transactions first and in order, so that settlements take turns. Only by id: with
 * a condition on the purpose the planner scanned the index of all payments.
 */
export function lockAttempts(sql: Sql, ids: readonly string[], now: Temporal.Instant): Promise<LockedAttempt[]> {
  return sql.many(readLocked)`
    select attempt.id, attempt.version = 0 and transaction.version = 0 as unchanged,
           ${priceColumns}, account.decline_notifications,
           account.merchant_number, account.security_code_sealed,
           account.webhook_secret_sealed, account.zone, account.name as merchant_name, account.email as merchant_email,
           pay_page.language as merchant_language, coalesce(pay_page.mail_paid, true) as mail_paid,
           pos.notification_url as pos_notification_url, pos.test_mode
      from charge as attempt
      join transaction on transaction.id = attempt.transaction_id
      join account on account.id = attempt.merchant_id
      left join pay_page on pay_page.account_id = attempt.merchant_id
      join pos on pos.id = transaction.pos_id
      left join lateral price_at(attempt.merchant_id, 'payment', attempt.channel_id, ${now}::timestamptz) as price on true
     where attempt.id = any(${ids}::text[])
     order by transaction.id, attempt.id
       for update of transaction, attempt`;
}

/** Attempts with their transactions, in no order. */
export function findPayments(sql: Sql, ids: readonly string[]): Promise<PaymentRows[]> {
  return sql.many((row) => ({ attempt: readJoinedCharge(row), transaction: transactionTable.read(row) }))`
    select transaction.*, ${chargeColumns}
      from charge join transaction on transaction.id = charge.transaction_id
     where charge.id = any(${ids}::text[])`;
}
