// The API of Grosz from a merchant's backend. Credentials stay here: the browser never sees them.

import { setTimeout } from 'node:timers/promises';

export interface GroszAccess {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** What the shop needs of an answer; there is more. */
export interface Transaction {
  readonly transactionId: string;
  readonly title: string;
  readonly status: 'pending' | 'paid' | 'refund' | 'canceled';
  /** The pay page; after a payment that the payer must confirm, the bank's page. */
  readonly transactionPaymentUrl: string;
  readonly result: 'success' | 'pending' | 'failed';
  readonly payments: { readonly errors?: readonly { readonly errorMessage: string }[] };
}

/** A way to pay, with the amounts that it takes. */
export interface Channel {
  readonly id: string;
  readonly available: boolean;
  readonly constraints: readonly { readonly type: 'min' | 'max'; readonly value: number }[];
}

export interface Recurring {
  readonly status: 'active' | 'finished' | 'failed' | 'canceled';
  /** Only while the last attempt is a failed one. */
  readonly reason?: string;
}

/** One attempt of a recurring payment. */
export interface Charge {
  readonly transactionId: string;
  readonly createdAt: string;
  readonly status: string;
  readonly iterationCount: number;
  readonly iterationAttemptCount: number;
  readonly reason: string | null;
}

/** One thing that is scheduled, with the rule behind it. */
export interface Coming {
  readonly date: string;
  readonly rule: string;
  readonly condition: string | null;
}

/** A marketplace transaction: one payment, and a child for each seller. Its amounts are whole grosz. */
export interface Split {
  readonly transactionId: string;
  readonly status: Transaction['status'];
  readonly billingAddress: { readonly email: string; readonly name: string };
  readonly childTransactions: readonly Child[];
  readonly refunds: readonly {
    readonly refundId: string;
    readonly status: string;
    readonly amount: number;
    readonly date: { readonly schedule: string };
  }[];
}

export interface Child {
  readonly id: string;
  readonly merchant: { readonly id: string };
  readonly description: string;
  readonly amount: number;
  readonly fee: number;
  readonly commission: number;
  readonly refunded: number;
  readonly products: readonly {
    readonly externalId: string;
    readonly name: string;
    readonly quantity: number;
    readonly unitPrice: number;
    readonly refundedQuantity: number;
  }[];
}

/** What a refund would do. */
export interface RefundPreview {
  readonly amount: number;
  readonly preview: {
    readonly childTransactions: readonly {
      readonly merchantId: string;
      readonly amount: number;
      readonly fee: number;
      readonly commissionReturned: number;
    }[];
    readonly balances: readonly { readonly merchantId: string; readonly before: number; readonly after: number }[];
  };
}

/** The service said no. Its messages are for developers and staff; payers get words of the shop's own. */
export class GroszRefusal extends Error {
  readonly status: number;
  readonly reasons: readonly string[];
  constructor(status: number, message: string, reasons: readonly string[] = []) {
    super(message);
    this.name = 'GroszRefusal';
    this.status = status;
    this.reasons = reasons;
  }
}

export class Grosz {
  readonly #access: GroszAccess;
  #token: { readonly text: string; readonly until: number } | undefined;

  constructor(access: GroszAccess) {
    this.#access = access;
  }

  /** `key` makes it safe to ask again when the answer was lost: the same key creates one transaction. */
  createTransaction(key: string, body: object): Promise<Transaction> {
    return this.#post('/transactions', key, body);
  }

  payTransaction(key: string, transactionId: string, body: object): Promise<Transaction> {
    return this.#post(`/transactions/${transactionId}/pay`, key, body);
  }

  transaction(id: string): Promise<Pick<Transaction, 'status'>> {
    return this.#ask('GET', `/transactions/${id}`);
  }

  /** Everything that is left of a payment. */
  async refundTransaction(key: string, id: string): Promise<void> {
    await this.#post(`/transactions/${id}/refunds`, key, {});
  }

  createSplit(key: string, body: object): Promise<{ transactionId: string; title: string; paymentUrl: string }> {
    return this.#post('/marketplace/v1/transaction', key, body);
  }

  paySplit(
    key: string,
    id: string,
    body: object,
  ): Promise<Pick<Transaction, 'result' | 'payments'> & { paymentUrl: string }> {
    return this.#post(`/marketplace/v1/transaction/${id}/pay`, key, body);
  }

  split(id: string): Promise<Split> {
    return this.#ask('GET', `/marketplace/v1/transaction/${id}`);
  }

  /** The status of the latest transactions of the market, by id. */
  async splitStatuses(): Promise<ReadonlyMap<string, Split['status']>> {
    const path = '/marketplace/v1/transaction?limit=100';
    const { list } = await this.#ask<{ list: Pick<Split, 'transactionId' | 'status'>[] }>('GET', path);
    return new Map(list.map(({ transactionId, status }) => [transactionId, status]));
  }

  /** Moves nothing. */
  previewRefund(id: string, body: object): Promise<RefundPreview> {
    return this.#ask('POST', `/marketplace/v1/transaction/${id}/refund?dryRun=true`, body);
  }

  refundSplit(key: string, id: string, body: object): Promise<{ amount: number }> {
    return this.#post(`/marketplace/v1/transaction/${id}/refund`, key, body);
  }

  /** The names of the market's sellers, by id. */
  async sellers(): Promise<ReadonlyMap<string, string>> {
    const { list } = await this.#ask<{ list: { id: string; name: string }[] }>('GET', '/accounts?limit=100');
    return new Map(list.map(({ id, name }) => [id, name]));
  }

  /** The domain of the shop, as the wallet vendor's session object wants it: JSON in base64. */
  async walletSession(domainName: string, displayName: string, validationUrl: string): Promise<unknown> {
    const body = { domainName, displayName, validationUrl };
    const { session } = await this.#ask<{ session: string }>('POST', '/wallet/walletpay/init', body);
    return JSON.parse(Buffer.from(session, 'base64').toString());
  }

  /** The file that the wallet vendor looks for on the shop's domain. It is public. */
  async walletAssociation(): Promise<string> {
    const answer = await fetch(`${this.#access.baseUrl}/wallet/domain-association`);
    if (!answer.ok) throw new GroszRefusal(answer.status, 'There is no domain-association file.');
    return answer.text();
  }

  /** The id is in the body: the same id with the same data is the same request, so it needs no other key. */
  async createRecurring(body: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#ask('POST', '/recurring', body);
  }

  recurring(id: string): Promise<Recurring> {
    return this.#ask('GET', `/recurring/${id}`);
  }

  async charges(id: string): Promise<readonly Charge[]> {
    return (await this.#ask<{ items: Charge[] }>('GET', `/recurring/${id}/transactions`)).items;
  }

  async coming(id: string): Promise<readonly Coming[]> {
    return (await this.#ask<{ items: Coming[] }>('GET', `/recurring/${id}/schedule?limit=6`)).items;
  }

  async changeInstrument(id: string, value: string): Promise<void> {
    const paymentInstrument = { paymentType: 'card_token', value };
    await this.#ask('POST', `/recurring/${id}/payment_instrument`, { paymentInstrument });
  }

  async cancelRecurring(id: string): Promise<void> {
    await this.#ask('POST', `/recurring/${id}/cancel`, {});
  }

  /** The sandbox's business clock. A live service has none: a real shop has its own. */
  async clock(): Promise<string> {
    return (await this.#ask<{ now: string }>('GET', '/sandbox/clock')).now;
  }

  /** Resolves when everything that became due is done, also if that takes longer than the response (202). */
  async moveClock(advance: string): Promise<void> {
    type Clock = { movingTo: string | null };
    let clock = await this.#ask<Clock>('POST', '/sandbox/clock', { advance });
    while (clock.movingTo !== null) {
      await setTimeout(500);
      clock = await this.#ask<Clock>('GET', '/sandbox/clock');
    }
  }

  /** How this amount can be paid now. */
  async ways(totalGrosz: number): Promise<{ offered: ReadonlySet<string>; cardKey: string | undefined }> {
    const [offered, cardKey] = await Promise.all([this.#offered(totalGrosz), this.#cardKey()]);
    return { offered, cardKey };
  }

  async #offered(totalGrosz: number): Promise<ReadonlySet<string>> {
    const { channels } = await this.#ask<{ channels: readonly Channel[] }>('GET', '/transactions/channels');
    const fits = ({ available, constraints }: Channel) =>
      available &&
      constraints.every(({ type, value }) =>
        type === 'min' ? totalGrosz >= Math.round(value * 100) : totalGrosz <= Math.round(value * 100),
      );
    return new Set(channels.filter(fits).map(({ id }) => id));
  }

  /**
   * The key with which browsers encrypt cards; undefined where numbers are not taken, so that cards are entered on the pay
   * page. It is public and needs no token.
   */
  async #cardKey(): Promise<string | undefined> {
    const answer = await fetch(`${this.#access.baseUrl}/cards/public-key`);
    return ((await answer.json()) as { publicKey?: string }).publicKey;
  }

  #post<T>(path: string, key: string, body: object): Promise<T> {
    return this.#ask('POST', path, body, { 'idempotency-key': key });
  }

  async #ask<T>(method: 'GET' | 'POST', path: string, body?: object, headers: Record<string, string> = {}): Promise<T> {
    const answer = await fetch(`${this.#access.baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await this.#accessToken()}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(25_000),
    });
    const content = (await answer.json()) as T & {
      errors?: { errorCode: string; fieldName: string; errorMessage: string }[];
    };
    if (answer.ok) return content;
    const { errors = [] } = content;
    const faults = errors.map(({ errorCode, fieldName }) => `${errorCode} ${fieldName}`.trim());
    throw new GroszRefusal(
      answer.status,
      `${path} answered ${answer.status}: ${faults.join(', ')}`,
      errors.map(({ errorMessage }) => errorMessage),
    );
  }

  /** A token lasts for two hours; a new one is fetched a minute before. */
  async #accessToken(): Promise<string> {
    const now = performance.now() / 1_000;
    if (this.#token && this.#token.until > now) return this.#token.text;
    const { baseUrl, clientId, clientSecret } = this.#access;
    const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret });
    const answer = await fetch(`${baseUrl}/oauth/auth`, { method: 'POST', body });
    if (!answer.ok) throw new GroszRefusal(answer.status, 'No access token: check the credentials.');
    const { access_token: text, expires_in: seconds } = (await answer.json()) as {
      access_token: string;
      expires_in: number;
    };
    this.#token = { text, until: now + seconds - 60 };
    return text;
  }
}
