// A subscription: the first box is an ordinary card payment that saves the card; its notification brings a token, and with
// that token the recurring engine charges every month.

import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Charge, Coming, Grosz, Recurring } from './grosz.ts';
import { isPaid } from './orders.ts';

export const box = { name: 'The monthly box', priceGrosz: 2_901 };

export interface Subscription {
  /** The recurring payment's id, chosen here before anything is sent: asking twice creates one. */
  readonly id: string;
  readonly email: string;
  readonly createdAt: string;
  /** Of the first payment; null until it was created. */
  readonly title: string | null;
  /** What the first payment's notification brought; null until then. */
  readonly cardToken: string | null;
  readonly cardTail: string | null;
  readonly note: string | null;
}

/** What the page shows: ours, and what Grosz says of it. */
export interface SubscriptionView {
  readonly subscription: Subscription;
  readonly recurring: Recurring | undefined;
  readonly charges: readonly Charge[];
  readonly coming: readonly Coming[];
}

const schema = `
  create table if not exists subscriptions (
    id text primary key, email text not null, createdAt text not null, title text, cardToken text, cardTail text,
    note text) strict;
`;

export class Subscriptions {
  readonly #db: DatabaseSync;
  readonly #grosz: Grosz;
  readonly #shopUrl: string;

  constructor(db: DatabaseSync, grosz: Grosz, shopUrl: string) {
    this.#db = db;
    db.exec(schema);
    this.#grosz = grosz;
    this.#shopUrl = shopUrl;
  }

  /** Pays the first box with the card and asks to keep it. Answers where the payer goes next. */
  async subscribe(id: string, email: string, card: string, createdAt: string): Promise<string> {
    this.#db
      .prepare('insert into subscriptions (id, email, createdAt) values (?, ?, ?) on conflict do nothing')
      .run(id, email, createdAt);
    const created = await this.#grosz.createTransaction(`${id}-first`, {
      amount: box.priceGrosz / 100,
      description: `${box.name}, the first one`,
      hiddenDescription: id,
      payer: { email },
      callbacks: { notification: { url: `${this.#shopUrl}/notifications` } },
    });
    // Known before anything is paid: the notification may be faster than the answer.
    this.#db.prepare('update subscriptions set title = ? where id = ?').run(created.title, id);
    const byCard = { channelId: 53, cardPaymentData: { card, save: true } };
    const paid = await this.#grosz.payTransaction(`${id}-pay`, created.transactionId, byCard);
    if (paid.payments.errors) this.#note(id, 'The card was declined. You were not charged.');
    return '/subscriptions';
  }

  /** The first payment's notification: from here on Grosz charges by itself. True when it was about a subscription. */
  async startFromPayment(id: string, fields: Readonly<Record<string, string>>): Promise<boolean> {
    const subscription = this.find(id);
    if (!subscription) return false;
    const { card_token: token, card_tail: tail = '', tr_id: title } = fields;
    if (title !== subscription.title || !isPaid(fields, box.priceGrosz)) return true;
    if (token === undefined || subscription.cardToken !== null) return true;
    const now = await this.#grosz.clock();
    await this.#grosz.createRecurring({
      id,
      description: box.name,
      hiddenDescription: id,
      payer: { email: subscription.email, name: subscription.email },
      schedule: {
        amount: box.priceGrosz / 100,
        currency: 'PLN',
        // The first box is paid; the second is due in a month.
        firstChargeDate: nextMonth(now),
        interval: 1,
        intervalType: 'months',
      },
      paymentInstrument: { paymentType: 'card_token', value: token },
      callbackUrl: `${this.#shopUrl}/notifications`,
    });
    this.#db
      .prepare('update subscriptions set cardToken = ?, cardTail = ?, note = null where id = ?')
      .run(token, tail, id);
    return true;
  }

  /** A card that works, or one whose account is empty: to see what the engine does. */
  async changeCard(id: string, works: boolean): Promise<void> {
    const subscription = this.find(id);
    if (!subscription?.cardToken) return;
    await this.#grosz.changeInstrument(id, works ? subscription.cardToken : 'insufficient-funds');
    this.#note(id, works ? null : 'The card on file has no funds now.');
  }

  async cancel(id: string): Promise<void> {
    await this.#grosz.cancelRecurring(id);
  }

  find(id: string): Subscription | undefined {
    return this.#db.prepare('select * from subscriptions where id = ?').get(id) as Subscription | undefined;
  }

  async list(): Promise<SubscriptionView[]> {
    const rows = this.#db.prepare('select * from subscriptions order by createdAt desc, id limit 20').all();
    return Promise.all((rows as unknown as Subscription[]).map((subscription) => this.#view(subscription)));
  }

  async #view(subscription: Subscription): Promise<SubscriptionView> {
    if (subscription.cardToken === null) return { subscription, recurring: undefined, charges: [], coming: [] };
    const [recurring, charges, coming] = await Promise.all([
      this.#grosz.recurring(subscription.id),
      this.#grosz.charges(subscription.id),
      this.#grosz.coming(subscription.id),
    ]);
    return { subscription, recurring, charges, coming };
  }

  #note(id: string, note: string | null): void {
    this.#db.prepare('update subscriptions set note = ? where id = ?').run(note, id);
  }
}

/** The same day a month later, by the sandbox's clock; the end of a shorter month is its last day. */
function nextMonth(now: string): string {
  return Temporal.Instant.from(now).toZonedDateTimeISO('UTC').add({ months: 1 }).toInstant().toString();
}

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A ULID: recurring payments are named by the shop. */
export function newRecurringId(milliseconds: number): string {
  let time = '';
  for (let rest = milliseconds, index = 0; index < 10; index += 1) {
    time = alphabet[rest % 32] + time;
    rest = Math.floor(rest / 32);
  }
  return time + [...randomBytes(16)].map((byte) => alphabet[byte & 31]).join('');
}
