// The texts of the pay page that every language must have.

import type { DeclineReason, TestOutcome } from '../../../acquirer/index.ts';

export interface Words {
  /** Labels the choice of another language. */
  readonly language: string;
  readonly summary: string;
  /** Next to the amount, before and after it is paid. */
  readonly amount: string;
  readonly sum: string;
  readonly merchant: string;
  readonly description: string;
  readonly number: string;
  /** The parts of a marketplace transaction. */
  readonly sellers: (count: number) => string;
  readonly moreProducts: (count: number) => string;
  readonly secure: string;
  readonly testMode: string;
  readonly testValues: string;
  readonly outcomes: Readonly<Record<TestOutcome, string>>;
  readonly choose: string;
  readonly noMethod: string;
  readonly otherWays: string;
  readonly pay: (amount: string) => string;
  readonly sending: string;
  readonly blik: { readonly title: string; readonly label: string; readonly hint: string; readonly paste: string };
  readonly card: {
    readonly title: string;
    readonly number: string;
    readonly expiry: string;
    readonly expiryShape: string;
    readonly code: string;
    /** While the brand is not known, and for its number of digits. */
    readonly codeHint: string;
    readonly codeHints: Readonly<Record<3 | 4, string>>;
    /** Labels the list of brands. */
    readonly accepted: string;
    readonly save: (merchant: string) => string;
    /** What is true without script too. */
    readonly direct: string;
    /** Shown once the page's script will encrypt. */
    readonly encrypted: string;
    /** Where the card is typed into the fields of the payment provider. */
    readonly vendor: {
      readonly loading: string;
      readonly direct: string;
      /** If those cannot be shown. */
      readonly missing: string;
      /** In a frame, which they are never shown in. */
      readonly elsewhere: string;
      readonly go: string;
    };
  };
  readonly transfer: {
    readonly title: string;
    readonly hint: string;
    readonly go: string;
    readonly search: string;
    /** `{count}` is written by the page's script. */
    readonly found: string;
    readonly notListed: { readonly title: string; readonly text: string };
    /** Without a list of banks: the bank is chosen on another page, whose name payers know. */
    readonly away: {
      readonly title: string;
      readonly hint: (page: string) => string;
      readonly go: (page: string) => string;
    };
  };
  /** Where the payment provider asks for the address of the payer; `neededBy` where it has a name that payers know. */
  readonly email: { readonly label: string; readonly hint: string; readonly neededBy: (page: string) => string };
  readonly wallet: {
    readonly title: string;
    readonly hint: string;
    readonly go: string;
    /** If the browser has no wallet. */
    readonly missing: string;
    readonly failed: string;
  };
  readonly stillOpen: string;
  readonly faults: {
    readonly title: string;
    readonly blik: string;
    /** An empty card number. */
    readonly missing: string;
    /** A card of a brand that is not accepted. */
    readonly brand: string;
    readonly number: string;
    readonly expiry: string;
    readonly expired: string;
    readonly code: string;
    /** For brands whose code has four digits. */
    readonly longCode: string;
    /** What the provider's fields made of the card is not valid any more. */
    readonly token: string;
    readonly email: string;
  };
  /** What the page's script says while the service cannot be reached. */
  readonly network: { readonly unreachable: string; readonly notSent: string; readonly offline: string };
  readonly waiting: {
    readonly blikTitle: string;
    readonly blikText: string;
    readonly title: string;
    readonly text: string;
    /** `{time}` is counted down by the page's script. */
    readonly left: string;
    readonly long: string;
    readonly veryLong: string;
    readonly noScript: string;
    readonly check: string;
  };
  readonly confirm: { readonly title: string; readonly text: string; readonly go: string; readonly going: string };
  readonly paid: {
    readonly title: string;
    readonly text: (merchant: string) => string;
    readonly beforeTitle: string;
    readonly beforeText: string;
    readonly refundedTitle: string;
    readonly refundedText: string;
    readonly date: string;
    readonly method: string;
    readonly close: string;
  };
  readonly toShop: string;
  /** `{seconds}` is counted down by the page's script. */
  readonly forward: string;
  readonly stay: string;
  readonly declined: string;
  /** Begins the title of the window. */
  readonly declinedTitle: string;
  readonly reasons: Readonly<Record<DeclineReason, string>>;
  readonly exhausted: { readonly title: string; readonly text: string };
  readonly canceled: { readonly title: string; readonly text: string; readonly givenBack: string };
  readonly expired: { readonly title: string; readonly text: string };
  readonly cancel: {
    readonly link: string;
    readonly linkWithoutShop: string;
    readonly title: string;
    readonly text: string;
    readonly yes: string;
    readonly no: string;
  };
  readonly notFound: { readonly title: string; readonly text: string };
  readonly failed: { readonly title: string; readonly text: string; readonly again: string };
  readonly refusedForm: {
    readonly title: string;
    readonly unreadable: string;
    readonly text: string;
    readonly again: string;
  };
  /** A frame in a page that the merchant has not registered. */
  readonly refusedFrame: { readonly title: string; readonly text: (origin: string) => string; readonly go: string };
  /** In the foot: who runs the service. */
  readonly operator: (name: string) => string;
  readonly terms: string;
  readonly support: string;
  /** Next to the code that a phone can scan. */
  readonly phone: { readonly title: string; readonly text: string };
}
