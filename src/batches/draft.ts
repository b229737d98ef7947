// A batch from the payouts that wait for one. What the bank's file cannot have is left out and goes on waiting: it would stop
// the file of everybody else.

import type { LeftOutReason } from '../../contract/codes/batches.ts';
import { paymentFileSentences } from '../../contract/codes/english/payment-files.ts';
import { sentenceOf } from '../../contract/codes/message.ts';
import { type BankProfile, type PaymentFileProblem, paymentProblem } from '../bankfiles/index.ts';
import type { Sql } from '../database/index.ts';
import { notAnOperator } from '../identity/index.ts';
import { refuse } from '../kernel/index.ts';
import type { Payout } from '../payouts/index.ts';
import { mapInTurns } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';
import { listPayers, lockBankAccount, type Payer, profileFor } from '../treasury/index.ts';
import { batchEmpty, payingAccountMissing, payoutsNotPossible } from './failures.ts';
import type { Batch, Signer } from './model.ts';
import { paymentOf } from './payment.ts';
import { insertDraft, isOperator, listFree } from './store/batches.ts';

/** A payout that a file of the account that pays cannot have. */
interface LeftOut {
  readonly payoutId: string;
  readonly reason: LeftOutReason;
  /** The same in a sentence, with what is wrong. */
  readonly message: string;
}

interface Drafted extends Batch {
  /** The oldest of them. */
  readonly leftOut: readonly LeftOut[];
}

const reasons: Partial<Record<PaymentFileProblem['code'], LeftOutReason>> = {
  country_not_served: 'country',
  name_empty: 'holder',
  line_break: 'holder',
  letters_unknown: 'holder',
  text_too_long: 'holder',
  character_not_in_encoding: 'holder',
  separator_in_text: 'holder',
  amount_too_large: 'amount',
};

const leftOutOf = (payoutId: string, problem: PaymentFileProblem): LeftOut => ({
  payoutId,
  reason: reasons[problem.code] ?? 'other',
  message: sentenceOf(paymentFileSentences, problem),
});

const leftOutAtMost = 100;
const pageRows = 5_000;

/** Why it is left out. A number that was not sealed for it is for the signature and `grosz verify` to find. */
function problemOf(vault: Tools['vault'], profile: BankProfile, payerIban: string, payout: Payout) {
  let payment: ReturnType<typeof paymentOf>;
  try {
    payment = paymentOf(vault, payout);
  } catch {
    return undefined;
  }
  return paymentProblem(profile, payerIban, payment);
}

/** The oldest payouts that one file can have. */
async function choose(vault: Tools['vault'], sql: Sql, { number }: Payer, profile: BankProfile) {
  const ids: string[] = [];
  const leftOut: LeftOut[] = [];
  for (let after = ''; ids.length < profile.paymentsAtMost; ) {
    const page = await listFree(sql, 'PLN', after, pageRows);
    const problems = await mapInTurns(page, (payout) => problemOf(vault, profile, number, payout));
    for (const [place, { id }] of page.entries()) {
      const problem = problems[place];
      if (problem === undefined) ids.push(id);
      else if (leftOut.length < leftOutAtMost) leftOut.push(leftOutOf(id, problem));
    }
    if (page.length < pageRows) break;
    after = page.at(-1)?.id ?? after;
  }
  return { ids: ids.slice(0, profile.paymentsAtMost), leftOut };
}

/** Of this account, or of the only one there is. */
export interface Drafting {
  readonly payingAccountId?: string | undefined;
  readonly by: Signer;
}

/** A draft with all payouts that are in no batch and fit into a file, as many as one has at most. Nothing moves. */
export function draftBatch(
  { clock, db, ids, vault }: Pick<Tools, 'clock' | 'db' | 'ids' | 'vault'>,
  { payingAccountId, by }: Drafting,
): Promise<Drafted> {
  return db.atomic(async (sql) => {
    if (!(await isOperator(sql, by))) refuse(notAnOperator);
    const accounts = await listPayers(sql);
    const [only, ...others] = accounts.filter(({ id }) => payingAccountId === undefined || id === payingAccountId);
    if (!only || others.length > 0) return refuse(payingAccountMissing, 'payingAccountId');
    await lockBankAccount(sql, only.id);
    const profile = await profileFor(sql, only.profile, 'PLN');
    const chosen = await choose(vault, sql, only, profile);
    const [first] = chosen.leftOut;
    if (chosen.ids.length === 0 && first) {
      refuse(payoutsNotPossible, '', `Payout ${first.payoutId}: ${first.message}`);
    }
    const createdAt = clock.now();
    const draft = {
      id: ids.ulid(createdAt),
      bankAccountId: only.id,
      payerHolder: only.holder,
      profile: only.profile,
      currency: 'PLN' as const,
      createdById: by.id,
      createdBy: by.email,
      createdAt,
    };
    const batch = (await insertDraft(sql, draft, chosen.ids)) ?? refuse(batchEmpty);
    return { ...batch, leftOut: chosen.leftOut };
  });
}
