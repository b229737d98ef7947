// SQL of the mails about charges. Owner and tables: see recurring.ts.

import type { ShownCard } from '../../cards/index.ts';
import { type Row, readBigint, readBoolean, readText, readTextOrNull, type Sql } from '../../database/index.ts';
import { currencyFrom, knownId, type RecurringId } from '../../kernel/index.ts';
import type { Instrument } from '../model.ts';

/** What a mail about a charge says. */
export interface MailFacts {
  readonly transactionId: string;
  readonly recurringId: RecurringId;
  readonly title: string;
  readonly email: string;
  readonly description: string;
  readonly amountMinor: bigint;
  readonly currency: ReturnType<typeof currencyFrom>;
  /** Of the attempt: a later one may have another. */
  readonly instrument: Instrument['type'];
  /** If it is a card of our vault. */
  readonly card: ShownCard | null;
  readonly merchantName: string;
  readonly merchantEmail: string;
  readonly zone: string;
  readonly shopUrl: string;
  /** Where the card can be changed; `{id}` stands for the recurring payment. */
  readonly cardUrl: string | null;
  readonly language: string | null;
  readonly accountLanguage: string | null;
  /** Which of these mails the merchant wants. */
  readonly wanted: { readonly charged: boolean; readonly failed: boolean };
}

function readCard(row: Row): ShownCard | null {
  const tail = readTextOrNull(row, 'tail');
  return tail === null ? null : { brand: readText(row, 'brand'), tail };
}

function readFacts(row: Row): MailFacts {
  return {
    transactionId: readText(row, 'transaction_id'),
    recurringId: knownId(readText(row, 'id')),
    title: readText(row, 'title'),
    email: readText(row, 'payer_email'),
    description: readText(row, 'description'),
    amountMinor: readBigint(row, 'amount_minor'),
    currency: currencyFrom(readText(row, 'currency')),
    instrument: readText(row, 'instrument_type') === 'blik_payid' ? 'blik_payid' : 'card_token',
    card: readCard(row),
    merchantName: readText(row, 'name'),
    merchantEmail: readText(row, 'email'),
    zone: readText(row, 'zone'),
    shopUrl: readText(row, 'url'),
    cardUrl: readTextOrNull(row, 'card_url'),
    language: readTextOrNull(row, 'language'),
    accountLanguage: readTextOrNull(row, 'account_language'),
    wanted: { charged: readBoolean(row, 'mail_charged'), failed: readBoolean(row, 'mail_charge_failed') },
  };
}

/** Of these charges, those whose payer has an address. Read only. */
export function listMailFacts(sql: Sql, transactionIds: readonly string[]): Promise<MailFacts[]> {
  return sql.many(readFacts)`
    select attempt.transaction_id, attempt.instrument_type, card.brand, card.tail, recurring.id,
           recurring.payer ->> 'email' as payer_email, recurring.description, recurring.amount_minor, recurring.currency,
           recurring.language, transaction.title, account.name, account.email, account.zone, pos.url, pay_page.card_url,
           pay_page.language as account_language, coalesce(pay_page.mail_charged, true) as mail_charged,
           coalesce(pay_page.mail_charge_failed, true) as mail_charge_failed
      from charge as attempt
      join recurring on recurring.id = attempt.recurring_id
      join transaction on transaction.id = attempt.transaction_id
      join account on account.id = recurring.merchant_id
      join pos on pos.account_id = account.id and pos.main
      left join pay_page on pay_page.account_id = account.id
      left join card_token as card on card.token = attempt.card_token
     where attempt.id = any(${transactionIds}::text[]) and recurring.payer ->> 'email' <> ''
     order by attempt.transaction_id`;
}
