export default {
  kind: 'Kind',

  parkedAbout:
    'What the bank could not resolve. Ask the bank, then decide. Captures that nobody knows are kept for their payers until then.',
  nothingParked: 'Nothing is parked',
  nothingParkedHint: 'Payments, charges and refunds whose result the bank cannot tell appear here.',
  since: 'Since',
  why: 'Why',
  decide: 'Decide',
  decideTitle: 'Decide about {amount}',
  decision: 'What the bank says',
  captured: 'The money moved',
  not_captured: 'No money moved',
  confirmedAmount: 'Amount that the bank confirmed',
  confirmedHint: 'Such as 49.90. Another amount than that of the payment is never booked.',
  notAmount: 'Enter an amount such as 49.90.',
  decided: 'Decided.',
  final: 'A decision cannot be taken back.',
  history: 'What happened before',
  amounts: 'bank {bank}, books {books}',
} as const;
