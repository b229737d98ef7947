// The chart of accounts.

import { type AccountId, knownId } from '../kernel/index.ts';

export const ledgerAccounts = {
  receivable: (acquirer: string) => `acquirer:${acquirer}:receivable`,
  /** What moved at an acquirer, and nobody knows what it was for. */
  suspense: (acquirer: string) => `acquirer:${acquirer}:suspense`,
  bankClient: 'bank:client',
  bankOwn: 'bank:own',
  /** What came to our bank account, or left it, and nobody knows what for. */
  bankUnallocated: 'bank:unallocated',
  available: (id: AccountId) => `merchant:${id}:available`,
  payoutTransit: (id: AccountId) => `merchant:${id}:payout_transit`,
  /** What an account owes us, because its balance did not cover what was taken from it. */
  owed: (id: AccountId) => `merchant:${id}:owed`,
  refundPayable: 'refund:payable',
  /** What disputes took from merchants and acquirers have not taken yet, or the reverse. */
  disputePayable: 'dispute:payable',
  payerUnallocated: 'payer:unallocated',
  processingFee: 'income:processing_fee',
  refundFee: 'income:refund_fee',
  payoutFee: 'income:payout_fee',
  acquirerFee: 'expense:acquirer_fee',
  bankFee: 'expense:bank_fee',
  loss: 'expense:loss',
} as const;

export interface LedgerAccount {
  readonly name: string;
  readonly kind: 'asset' | 'liability' | 'income' | 'expense';
  readonly floor: boolean;
}

/** The accounts of every installation; a merchant's accounts are opened with the merchant. */
export function commonAccounts(acquirers: readonly string[]): LedgerAccount[] {
  return [
    ...acquirers.flatMap((name): LedgerAccount[] => [
      { name: ledgerAccounts.receivable(name), kind: 'asset', floor: false },
      { name: ledgerAccounts.suspense(name), kind: 'liability', floor: false },
    ]),
    { name: ledgerAccounts.bankClient, kind: 'asset', floor: false },
    { name: ledgerAccounts.bankOwn, kind: 'asset', floor: false },
    { name: ledgerAccounts.bankUnallocated, kind: 'liability', floor: false },
    { name: ledgerAccounts.refundPayable, kind: 'liability', floor: false },
    { name: ledgerAccounts.disputePayable, kind: 'liability', floor: false },
    { name: ledgerAccounts.payerUnallocated, kind: 'liability', floor: false },
    { name: ledgerAccounts.processingFee, kind: 'income', floor: false },
    { name: ledgerAccounts.refundFee, kind: 'income', floor: false },
    { name: ledgerAccounts.payoutFee, kind: 'income', floor: false },
    { name: ledgerAccounts.acquirerFee, kind: 'expense', floor: false },
    { name: ledgerAccounts.bankFee, kind: 'expense', floor: false },
    { name: ledgerAccounts.loss, kind: 'expense', floor: false },
  ];
}

export function merchantAccounts(id: AccountId): LedgerAccount[] {
  return [
    { name: ledgerAccounts.available(id), kind: 'liability', floor: true },
    { name: ledgerAccounts.payoutTransit(id), kind: 'liability', floor: true },
  ];
}

/** Opened when the account owes something for the first time: nearly none does. */
export function owedAccount(id: AccountId): LedgerAccount {
  return { name: ledgerAccounts.owed(id), kind: 'asset', floor: true };
}

/** Whether an account is of the kind that its name says, and has a balance row if it must. */
export function isAsCharted({ name, kind, floor }: LedgerAccount): boolean {
  const [, acquirer] = /^acquirer:([^:]+):(?:receivable|suspense)$/.exec(name) ?? [];
  const [, merchant] = /^merchant:([0-9A-Z]{26}):(?:available|payout_transit|owed)$/.exec(name) ?? [];
  const ofMerchant = (id: AccountId) => [...merchantAccounts(id), owedAccount(id)];
  const charted = merchant ? ofMerchant(knownId(merchant)) : commonAccounts([acquirer ?? '']);
  return charted.some((one) => one.name === name && one.kind === kind && one.floor === floor);
}
