// The files without effects whose mutants are generated, with their own tests, which take milliseconds.

export interface PureFile {
  readonly file: string;
  readonly tests: readonly string[];
  /** Functions of it that do something; the table has their mutants. */
  readonly without?: readonly string[];
}

const beside = (file: string): PureFile => ({ file, tests: [file.replace(/\.ts$/, '.test.ts')] });

export const pureFiles: readonly PureFile[] = [
  beside('src/kernel/money.ts'),
  beside('src/kernel/canonical.ts'),
  beside('src/kernel/instants.ts'),
  beside('src/kernel/ulid.ts'),
  { file: 'src/kernel/ids.ts', tests: ['src/kernel/ulid.test.ts'] },
  beside('src/recurring/schedule.ts'),
  beside('src/recurring/rules.ts'),
  beside('src/recurring/pace.ts'),
  { ...beside('src/ledger/chain.ts'), without: ['sealJournals', 'sealAll', 'sealChain'] },
  beside('src/ledger/rules.ts'),
  beside('src/refunds/rules.ts'),
  beside('src/refunds/shares.ts'),
  beside('src/disputes/rules.ts'),
  beside('src/disputes/shares.ts'),
  beside('src/statements/rules.ts'),
  beside('src/verification/standing.ts'),
  beside('src/transactions/rules.ts'),
  beside('src/marketplace/rules.ts'),
  beside('src/banking/rules.ts'),
  beside('src/banking/outgoing/rules.ts'),
  beside('src/banking/charges/rules.ts'),
  { file: 'src/banking/charges/step.ts', tests: ['src/banking/charges/rules.test.ts'] },
  beside('src/reconciliation/judge.ts'),
  beside('src/reconciliation/rules.ts'),
  beside('src/reconciliation/changes.ts'),
  {
    file: 'src/reconciliation/kinds.ts',
    tests: ['src/reconciliation/rules.test.ts', 'src/reconciliation/totals.test.ts'],
  },
  beside('src/accounts/rules.ts'),
  beside('src/identity/session/rules.ts'),
  beside('src/panel/overview/rules.ts'),
  beside('src/cards/rules.ts'),
  beside('src/notifications/delivery/rules.ts'),
  beside('src/notifications/delivery/lane.ts'),
  beside('src/notifications/delivery/shares.ts'),
  beside('src/wallet/domains/rules.ts'),
  { file: 'src/wallet/token/chain.ts', tests: ['src/wallet/token/open.test.ts'] },
  beside('src/identity/audit/rules.ts'),
  beside('src/identity/mask.ts'),
  { file: 'src/identity/mask-names.ts', tests: ['src/identity/mask.test.ts'] },
  { file: 'src/identity/mask-cards.ts', tests: ['src/identity/mask.test.ts'] },
  beside('src/outbound/classify.ts'),
  { file: 'src/outbound/policy.ts', tests: ['src/outbound/classify.test.ts'] },
  beside('src/panel/requests/rules.ts'),
  beside('src/pages/pay/rules.ts'),
  beside('src/acquirer/rules.ts'),
  beside('src/acquirer/signature.ts'),
  beside('src/wallet/session/validation-url.ts'),
  beside('src/stripe/rules.ts'),
  beside('src/stripe/keys.ts'),
  beside('src/stripe/instrument.ts'),
  { file: 'src/stripe/declines.ts', tests: ['src/stripe/rules.test.ts'] },
  beside('src/stripe/pace.ts'),
  beside('src/payouts/bank-days.ts'),
  beside('src/payouts/due.ts'),
  beside('src/bankfiles/reference.ts'),
  beside('src/bankfiles/values.ts'),
  { file: 'src/bankfiles/dates.ts', tests: ['src/bankfiles/values.test.ts'] },
  beside('src/bankfiles/encoding.ts'),
  beside('src/bankfiles/payments/iban.ts'),
  beside('src/bankfiles/payments/letters.ts'),
  beside('src/bankfiles/payments/rules.ts'),
  {
    file: 'src/bankfiles/payments/elixir0.ts',
    tests: ['src/bankfiles/payments/elixir0.test.ts', 'src/bankfiles/payments/write.test.ts'],
  },
  { file: 'src/bankfiles/payments/pain001.ts', tests: ['src/bankfiles/payments/write.test.ts'] },
  { file: 'src/bankfiles/payments/write.ts', tests: ['src/bankfiles/payments/write.test.ts'] },
  ...[
    ...['camt', 'camt-entry', 'camt-paths', 'scopes', 'tally', 'sequence', 'fault'],
    ...['mt940', 'mt940-fields', 'mt940-details', 'pain002', 'xml', 'read'],
  ].map((name) => ({
    file: `src/bankfiles/${name}.ts`,
    tests: ['src/bankfiles/read.test.ts', 'src/bankfiles/sequence.test.ts'],
  })),
];
