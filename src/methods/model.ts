// What a payment method says about itself. Everything that differs between methods is asked here, by the id of the channel.

import type { Language } from '../../contract/languages.ts';
import type { MethodName } from '../../contract/methods.ts';
import type { refundContexts } from '../../contract/refunds.ts';
import type { CardShown, Instrument } from '../acquirer/index.ts';
import type { CardKeys, KeptCard, PlainCard } from '../cards/index.ts';
import type { AccountId, Money } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import type { UsedToken, WalletTokens } from '../wallet/index.ts';

export interface GivenAlias {
  readonly value: string;
  readonly type: 'UID' | 'PAYID';
  readonly label?: string;
}

/** The data of a request that pays immediately, by method. */
export interface PaymentData {
  readonly blikPaymentData?: {
    readonly blikToken?: string;
    readonly aliases?: GivenAlias | readonly GivenAlias[];
  };
  readonly cardPaymentData?: { readonly card?: string; readonly token?: string; readonly save?: boolean };
  readonly walletPayPaymentData?: string;
}

export type DataField = keyof PaymentData;

/** What the check of a setup needs. */
export interface SetupTools {
  readonly wallet: Pick<WalletTokens, 'isAvailable'>;
}

/** What reading an instrument needs. */
export interface MethodTools extends Tools {
  readonly cards: CardKeys;
  readonly wallet: WalletTokens;
}

/** What the request pays for: wallet data must be made for this amount. */
export interface ToPay {
  readonly amount: Money;
  /** Undefined for a transaction that is not created yet. */
  readonly id?: string;
  /** The attempt of this request, if an earlier run of it may have used the token. */
  readonly attemptId?: string;
}

/** The data of a request on its way to an instrument. */
export interface Reading {
  readonly merchantId: AccountId;
  readonly data: PaymentData;
  /** The path of the data in the body: `pay.` in E1, empty in E2. */
  readonly prefix: string;
  /** Called only for data that is made for one amount, and for methods with limits. */
  readonly find: () => ToPay | Promise<ToPay>;
}

export interface ReadyInstrument {
  readonly channelId: number;
  readonly instrument: Instrument;
  /** `merchant`: a saved card, charged without its payer. */
  readonly initiator: 'payer' | 'merchant';
  /** The reference of the card token that it is paid with. */
  readonly cardToken: string | null;
  /** The card to save under a token, if the payer asked for it. Nothing is saved before there is an attempt. */
  readonly save: PlainCard | KeptCard | null;
  /** The wallet token that the attempt uses up. */
  readonly walletToken: UsedToken | null;
  /** The only acquirer that can charge it; undefined: any that is sent what the payer typed. */
  readonly acquirer?: string;
  /** What the payer typed, where an acquirer asks for it and the transaction has none. */
  readonly payerEmail?: string;
  /** What is known of a card that no number is known of. */
  readonly cardShown?: CardShown;
}

/** A wallet token that was already sent for the same transaction: the response is repeated. */
export interface RepeatedToken {
  readonly repeats: string;
  /** Null if the token is too old to be decrypted again. */
  readonly ready: ReadyInstrument | null;
}

/** What payers read about a method, in one language. */
export interface MethodWords {
  /** Where they choose, and on the receipt. */
  readonly name: string;
  readonly hint: string;
  /** In mails, if the name is only right on the page: later nobody knows which device it was. */
  readonly mail?: string;
  /** The form of a method whose payer continues on a page of the acquirer. */
  readonly form?: { readonly title: string; readonly hint: string; readonly go: string };
}

/**
 * The form of the pay page. `redirect`: a button that leads to the acquirer, with the words of the method. Forms of
 * other kinds are in src/pages/pay/forms.ts.
 */
export type FormKind = 'blik' | 'card' | 'wallet' | 'transfer' | 'redirect';

export interface Refunding {
  readonly context: (typeof refundContexts)[number];
  /** BLIK has statuses of its own. */
  readonly statuses: 'usual' | 'blik';
}

/** What the files of this folder say. */
export interface MethodBehavior {
  /** The field of a request whose data pays immediately. */
  readonly dataField?: DataField;
  /** Read-only. Turns the data into what the acquirer charges. Reports all faults together; secrets stay secrets. */
  readonly read: (tools: MethodTools, reading: Reading) => ReadyInstrument | Promise<ReadyInstrument | RepeatedToken>;
  readonly form: FormKind;
  /** Whether its form works in a frame of a merchant's page: others lead to pages that no frame shows. */
  readonly framed?: true;
  /** Payers confirm in the app of their bank. */
  readonly confirmedInApp?: true;
  /** What a transaction says that names no way of its own (docs/api.md#paying-on-site). */
  readonly paidAs: 'pay_by_link' | 'sale';
  /** Undefined: payments cannot be refunded. */
  readonly refund?: Refunding;
  /** The instrument of recurring payments; undefined if it cannot recur. */
  readonly recurring?: 'card_token' | 'blik_payid';
  /** Amounts in decimal notation; undefined: those of every transaction. */
  readonly limits?: { readonly least: number; readonly most: number };
  /** Methods that need to be set up, for accounts that have not done so. */
  readonly setup?: {
    readonly isDone: (tools: SetupTools, merchantId: AccountId) => boolean | Promise<boolean>;
    readonly missing: string;
  };
}

export interface Method extends MethodBehavior {
  readonly method: MethodName;
  readonly id: number;
  readonly groupId: number;
  readonly name: string;
  readonly fullName: string;
  /** Whether the payer can be sent to the acquirer's page at once, without any payment data. */
  readonly instantRedirection: boolean;
  readonly words: Readonly<Record<Language, MethodWords>>;
}
