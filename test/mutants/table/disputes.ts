// Mutants of disputes.

import type { Mutant } from '../mutant.ts';

const tests = 'test/disputes/disputes.test.ts';

export const disputesMutants: readonly Mutant[] = [
  {
    file: 'src/disputes/receive.ts',
    line: 'if (charge && charge.acquirer !== acquirer) {',
    instead: 'if (charge && charge.acquirer === undefined) {',
    bug: 'an acquirer takes money of a charge that went through another one',
    tests: { [tests]: ['of a charge of another acquirer, or that was declined'] },
  },
  {
    file: 'src/disputes/receive.ts',
    line: 'if (heard && heard.lostMinor > 0n) {',
    instead: 'if (heard && heard.lostMinor < 0n) {',
    bug: 'a merchant bears a dispute that an operator decided is ours',
    tests: { [tests]: ['that we bear, and whose charge is paid afterwards'] },
  },
  {
    file: 'src/disputes/receive.ts',
    line: 'if (heard && (isHeard || !before)) await updateClaimed(sql, heard.id, tools.clock.now());',
    instead: '',
    bug: 'a dispute that was claimed is parked three days later as if nobody had it',
    tests: { [tests]: ['whatever comes first, it is booked once'] },
  },
  {
    file: 'src/disputes/unclaimed.ts',
    line: 'amountMinor: borne - row.lostMinor, at: now };',
    instead: 'amountMinor: borne, at: now };',
    bug: 'what we bear of a dispute is booked again with each decision',
    tests: { [tests]: ['is parked, and our loss'] },
  },
  {
    file: 'src/disputes/receive.ts',
    line: "for (const key of unsent) await tools.outgoing.settleIn(sql, { key, result: { kind: 'hold' } });",
    instead: '',
    bug: 'a refund is sent while the bank takes the same money back',
    tests: { [tests]: ['that were not sent are held'] },
  },
  {
    file: 'src/disputes/receive.ts',
    line: "return { parkedAt: next.parkedAt ?? tools.clock.now(), parkedWhy: 'refunded_too' };",
    instead: 'return kept(before);',
    bug: 'nobody is told that the payer gets the money twice',
    tests: { [tests]: ['that were sent: an operator is told'] },
  },
  {
    file: 'src/disputes/receive.ts',
    line: "if (origin !== 'marketplace') return [{ accountId: merchantId, minor }];",
    instead: 'if (minor > 0n) return [{ accountId: merchantId, minor }];',
    bug: 'the partner bears what its sellers were paid',
    tests: { [tests]: ['is shared as a refund is'] },
  },
  {
    file: 'src/disputes/shares.ts',
    line: 'return { accountId, availableMinor: taken, owedMinor: minor - taken };',
    instead: 'return { accountId, availableMinor: taken, owedMinor: 0n };',
    bug: 'what the balance does not cover is lost',
    tests: { [tests]: ['that the balance does not cover'] },
  },
  {
    file: 'src/refunds/change.ts',
    line: "if (settled.step.kind === 'released' && (await isPaidTwice(sql, id))) refuse(paymentDisputed);",
    instead: '',
    bug: 'a held refund is released while the bank takes the same money back',
    tests: { [tests]: ['that were not sent are held'] },
  },
  {
    file: 'src/refunds/split.ts',
    line: 'if (isDisputed(amountMinor, leftMinor, disputedMinor)) refuse(paymentDisputed);',
    instead: '',
    bug: 'a disputed payment over several sellers is refunded',
    tests: { [tests]: ['is shared as a refund is'] },
  },
  {
    file: 'src/reconciliation/store/lines.ts',
    line: 'where acquirer = ${acquirer} and told_at is null and kind in',
    instead: 'where acquirer = ${acquirer} and told_at is null and amount_minor > 0 and kind in',
    bug: 'a merchant bears what the acquirer did not take after all',
    tests: { 'test/reconciliation/dispute-lines.test.ts': ['taken, then gone', 'given back, then gone'] },
  },
  {
    file: 'src/disputes/unclaimed.ts',
    line: "if (begun.kind === 'step' && (await insertFirst(tools, sql, about, begun.facts, now))) return;",
    instead: "if (begun.kind !== 'step' || (await insertFirst(tools, sql, about, begun.facts, now))) return;",
    bug: 'we bear what the acquirer did not take after all, of a charge that nobody has',
    tests: { 'test/reconciliation/dispute-lines.test.ts': ['of a charge that nobody has: taken, then gone'] },
  },
  {
    file: 'src/disputes/verify.ts',
    line: '...(await listUnsettled(sql, verifying.now)),',
    instead: '',
    bug: 'nobody is told that the acquirer keeps what merchants have, or does not take what they bear',
    tests: { 'test/reconciliation/dispute-lines.test.ts': ['lost, and never taken: named after 3 days'] },
  },
  {
    file: 'src/disputes/store/verify.ts',
    line: 'is distinct from wanted.minor or there.is_both) as agrees',
    instead: 'is distinct from wanted.minor) as agrees',
    bug: 'a merchant is lent money by a forged dispute',
    tests: { 'test/reconciliation/dispute-lines.test.ts': ['borne by another, or lent to oneself'] },
  },
  {
    file: 'src/disputes/store/verify.ts',
    line: 'where step.dispute_id = dispute.id and share.account_id <> dispute.merchant_id',
    instead: 'where step.dispute_id = dispute.id and share.account_id = dispute.transaction_id',
    bug: 'a merchant bears a dispute of a payment that was not its own',
    tests: { 'test/reconciliation/dispute-lines.test.ts': ['borne by another, or lent to oneself'] },
  },
  {
    file: 'src/disputes/store/verify.ts',
    line: 'or claimed_at is null and parked_at is null and park_at > ${now.add(patience).add(patience)}',
    instead: '',
    bug: 'no operator is ever asked about a dispute of nobody, and verify is silent',
    tests: { 'test/reconciliation/dispute-lines.test.ts': ['of a charge that nobody has, that is never asked about'] },
  },
  {
    file: 'src/disputes/rules.ts',
    line: 'const borne = keptMinor < 0n ? 0n : least(keptMinor, before);',
    instead: 'const borne = before;',
    bug: 'accounts never get back what the acquirer did not keep',
    tests: {
      'test/reconciliation/dispute-lines.test.ts': [
        'lost, and never taken: the statement stands, as an operator decides',
      ],
    },
  },
  {
    file: 'src/disputes/rules.ts',
    line: 'const borne = keptMinor < 0n ? 0n : least(keptMinor, before);',
    instead: 'const borne = keptMinor;',
    bug: 'an operator makes a merchant bear what was won',
    tests: {
      'test/reconciliation/dispute-lines.test.ts': [
        'won, and never given back: the statement stands, as an operator decides',
      ],
    },
  },
  {
    file: 'src/disputes/rules.ts',
    line: 'const offMinor = keptMinor - before - lostMinor;',
    instead: 'const offMinor = keptMinor - before;',
    bug: 'what was our loss is off for ever',
    tests: { 'test/reconciliation/dispute-lines.test.ts': ['that was our loss, and is given back after all'] },
  },
  {
    file: 'src/disputes/unsettled.ts',
    line: 'const amountMinor = lostMinor - dispute.lostMinor;',
    instead: 'const amountMinor = lostMinor;',
    bug: 'what the acquirer gave back after all stays our loss',
    tests: { 'test/reconciliation/dispute-lines.test.ts': ['that was our loss, and is given back after all'] },
  },
  {
    file: 'src/disputes/unsettled.ts',
    line: 'const settled = await unparkSettled(db.sql);',
    instead: 'const settled = 0;',
    bug: 'what the acquirer corrected waits for an operator for ever',
    tests: { 'test/reconciliation/dispute-lines.test.ts': ['that the acquirer is to correct'] },
  },
  {
    file: 'src/disputes/store/verify.ts',
    line: 'or park_at between ${now} and ${now.add(patience).add(patience)}))',
    instead: 'or park_at > ${now}))',
    bug: 'no operator is ever asked about an unsettled dispute, and verify is silent',
    tests: { 'test/reconciliation/dispute-lines.test.ts': ['one that somebody made wait until 9999'] },
  },
  {
    file: 'src/disputes/store/verify.ts',
    line: 'or dispute.lost_minor <> (select coalesce(sum(amount_minor), 0) from dispute_loss where dispute_id = dispute.id)',
    instead: '',
    bug: 'a made-up loss of a dispute is noticed by nobody but in sums',
    tests: { 'test/reconciliation/dispute-lines.test.ts': ['a loss that somebody changes is noticed'] },
  },
];
