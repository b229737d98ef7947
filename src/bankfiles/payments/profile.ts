// How a bank takes payment files. A profile is data: what a bank asks for differently is another profile, not other code.

import type { WritableEncoding } from '../encoding.ts';
import type { FileCurrency } from '../model.ts';

export const paymentFormats = ['pain.001.001.03', 'pain.001.001.09', 'elixir-0'] as const;
export type PaymentFormat = (typeof paymentFormats)[number];

/** One of the codes of ISO 20022, or the bank's own. */
export type CodeOrOwn = { readonly code: string } | { readonly own: string };

export interface BankProfile {
  readonly name: string;
  readonly format: PaymentFormat;
  readonly currency: FileCurrency;
  /** Where the accounts are: all of SEPA, or these countries. */
  readonly countries: 'SEPA' | readonly string[];
  /** SEPA is for EUR only. With PLN, the bank says whether it wants one. */
  readonly serviceLevel: CodeOrOwn | null;
  /** How banks tell Elixir, Express Elixir and Sorbnet apart. */
  readonly localInstrument: CodeOrOwn | null;
  /** One line of the statement for the whole file, or one for each payment. */
  readonly bookedAsBatch: boolean;
  readonly chargeBearer: 'SLEV' | 'SHAR' | null;
  /** How the payer's bank is named: by the Polish sort code of the account, or not at all. */
  readonly payerBank: 'sort_code' | 'not_provided';
  readonly encoding: WritableEncoding;
  /** What the bank accepts beside A to Z, a to z, digits and spaces. Anything else is written in these characters. */
  readonly characters: string;
  /** Not written: banks refuse addresses in lines, and need none for these payments. */
  readonly addresses: false;
  readonly nameAtMost: number;
  readonly titleAtMost: number;
  readonly amountAtMostMinor: bigint;
  readonly paymentsAtMost: number;
  /** Where the bank is: its clock decides which day it is. */
  readonly zone: string;
}

const polishLetters = 'ąćęłńóśźżĄĆĘŁŃÓŚŹŻ';
/**
 * Of those that every bank of SEPA accepts, all but `/`, `?` and `:`. They begin fields in MT940: a payee called
 * `Jan/RTRN/AC04` could make a payout look returned in our own statement.
 */
const sepaCharacters = "-().,'+";

const everywhere = { localInstrument: null, bookedAsBatch: false, addresses: false, zone: 'Europe/Warsaw' } as const;

export const builtInProfiles = {
  'iso20022-sepa': {
    ...everywhere,
    name: 'iso20022-sepa',
    format: 'pain.001.001.09',
    currency: 'EUR',
    countries: 'SEPA',
    serviceLevel: { code: 'SEPA' },
    chargeBearer: 'SLEV',
    payerBank: 'not_provided',
    encoding: 'UTF-8',
    characters: sepaCharacters,
    nameAtMost: 70,
    titleAtMost: 140,
    amountAtMostMinor: 99_999_999_999n,
    paymentsAtMost: 100_000,
  },
  'iso20022-pl': {
    ...everywhere,
    name: 'iso20022-pl',
    format: 'pain.001.001.03',
    currency: 'PLN',
    countries: ['PL'],
    serviceLevel: null,
    chargeBearer: 'SHAR',
    payerBank: 'sort_code',
    encoding: 'UTF-8',
    characters: sepaCharacters + polishLetters,
    nameAtMost: 140,
    titleAtMost: 140,
    amountAtMostMinor: 99_999_999_999n,
    paymentsAtMost: 100_000,
  },
  elixir0: {
    ...everywhere,
    name: 'elixir0',
    format: 'elixir-0',
    currency: 'PLN',
    countries: ['PL'],
    serviceLevel: null,
    chargeBearer: null,
    payerBank: 'sort_code',
    encoding: 'windows-1250',
    // No comma either: it separates fields.
    characters: `-().+${polishLetters}`,
    nameAtMost: 140,
    titleAtMost: 140,
    // From a million zlotys on, payments do not go through Elixir.
    amountAtMostMinor: 99_999_999n,
    paymentsAtMost: 100_000,
  },
} as const satisfies Record<string, BankProfile>;
