// All SQL of what accounts show to payers. Owns: pay_page.

import {
  type Row,
  readBoolean,
  readBytes,
  readText,
  readTextOrNull,
  readTexts,
  type Sql,
} from '../../database/index.ts';
import type { AccountId } from '../../kernel/index.ts';

/** Which mails payers get. */
export interface MailSwitches {
  /** A payment was confirmed. */
  readonly paid: boolean;
  /** A recurring charge succeeded. */
  readonly charged: boolean;
  /** A recurring charge failed. */
  readonly chargeFailed: boolean;
  readonly refunded: boolean;
  /** A marketplace transaction waits for its payment. */
  readonly order: boolean;
}

export interface PayPageSettings {
  /** `#rrggbb` */
  readonly color: string | null;
  readonly language: string | null;
  readonly logoHash: string | null;
  readonly mails: MailSwitches;
  /** The origins whose pages may show the payment form in a frame. */
  readonly embedOrigins: readonly string[];
  /** Where payers change the card of a recurring payment; `{id}` stands for its id. */
  readonly cardUrl: string | null;
}

export interface Logo {
  readonly type: 'image/png' | 'image/jpeg' | 'image/webp';
  readonly bytes: Uint8Array;
  /** SHA-256, in hexadecimal digits. */
  readonly hash: string;
}

export const usualPayPage: PayPageSettings = {
  color: null,
  language: null,
  logoHash: null,
  mails: { paid: true, charged: true, chargeFailed: true, refunded: true, order: true },
  embedOrigins: [],
  cardUrl: null,
};

function readSettings(row: Row): PayPageSettings {
  return {
    color: readTextOrNull(row, 'color'),
    language: readTextOrNull(row, 'language'),
    logoHash: readTextOrNull(row, 'logo_hash'),
    mails: {
      paid: readBoolean(row, 'mail_paid'),
      charged: readBoolean(row, 'mail_charged'),
      chargeFailed: readBoolean(row, 'mail_charge_failed'),
      refunded: readBoolean(row, 'mail_refunded'),
      order: readBoolean(row, 'mail_order'),
    },
    embedOrigins: readTexts(row, 'embed_origins'),
    cardUrl: readTextOrNull(row, 'card_url'),
  };
}

/** Without the logo itself. */
export function findPayPage(sql: Sql, accountId: AccountId): Promise<PayPageSettings | undefined> {
  return sql.maybeOne(readSettings)`
    select color, language, logo_hash, mail_paid, mail_charged, mail_charge_failed, mail_refunded,
           mail_order, embed_origins, card_url
      from pay_page where account_id = ${accountId}`;
}

/** Writes all settings. The logo stays, unless one is given, or `null` to remove it. */
export async function savePayPage(
  sql: Sql,
  accountId: AccountId,
  { color, language, mails, embedOrigins, cardUrl }: PayPageSettings,
  logo: Logo | null | undefined,
  now: Temporal.Instant,
): Promise<void> {
  await sql.run`
    insert into pay_page (account_id, color, language, mail_paid, mail_charged, mail_charge_failed, mail_refunded,
                          mail_order, embed_origins, card_url, modified_at)
    values (${accountId}, ${color}, ${language}, ${mails.paid}, ${mails.charged}, ${mails.chargeFailed}, ${mails.refunded},
            ${mails.order}, ${embedOrigins}::text[], ${cardUrl}, ${now})
    on conflict (account_id) do update
       set color = excluded.color, language = excluded.language, mail_paid = excluded.mail_paid,
           mail_charged = excluded.mail_charged, mail_charge_failed = excluded.mail_charge_failed, mail_refunded = excluded.mail_refunded,
           mail_order = excluded.mail_order, embed_origins = excluded.embed_origins,
           card_url = excluded.card_url, modified_at = excluded.modified_at`;
  if (logo === undefined) return;
  await sql.run`
    update pay_page set logo = ${logo?.bytes ?? null}, logo_type = ${logo?.type ?? null}, logo_hash = ${logo?.hash ?? null}
     where account_id = ${accountId}`;
}

/** A logo by its hash, whichever account has it. */
export function findLogo(sql: Sql, hash: string): Promise<Logo | undefined> {
  return sql.maybeOne((row) => ({
    type: readText(row, 'logo_type') as Logo['type'],
    bytes: readBytes(row, 'logo'),
    hash,
  }))`select logo, logo_type from pay_page where logo_hash = ${hash} limit 1`;
}
