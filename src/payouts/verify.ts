// Checks payouts, for `grosz verify`.

import type { Finding } from '../../contract/codes/findings.ts';
import { findingsAtMost, problemsOf, type Verifying, verifyPages } from '../database/index.ts';
import { listWrongSums, verifyFounded } from '../ledger/index.ts';
import type { Tools } from '../tools.ts';
import { openNumber, openNumberOf } from './number.ts';
import { areTermsOurs, isAccountOurs, isBlockOurs, verifySigned } from './signed.ts';
import {
  type Destination,
  listAccountsSince,
  listBlocksIn,
  listBlocksSince,
  listDestinations,
  listForgottenBlocks,
  listOtherwiseBlocked,
  listPaidAccountsSince,
  listPayoutAccountsIn,
  listPayoutsSince,
  listRunsSince,
  listTermsIn,
  listTermsSince,
  listWrongPayouts,
  listWrongRuns,
  listWrongTransits,
  payoutJournals,
  payoutSums,
} from './store/verify.ts';

type VerifyTools = Pick<Tools, 'vault'>;

/** Each payout, bank account, run or journal that contradicts the others. */
export async function verifyPayouts(tools: VerifyTools, verifying: Verifying): Promise<Finding[]> {
  const { sql, books } = verifying;
  const payouts = { table: 'payout', key: 'id', changed: listPayoutsSince };
  const runs = { table: 'payout_run', key: 'id', changed: listRunsSince };
  const accounts = { table: 'account', key: 'id', changed: listPaidAccountsSince };
  return [
    ...(await verifyPages(verifying, payouts, async (page) => [
      ...(await listWrongPayouts(sql, page)),
      ...(await problemsOf(await listDestinations(sql, page), (destination) =>
        goesToItsAccount(tools, destination)
          ? []
          : [{ code: 'payout_to_other_account', parameters: { id: destination.id } }],
      )),
    ])),
    ...(await verifyPages(verifying, runs, (page) => listWrongRuns(sql, page))),
    ...(await verifyPages(verifying, accounts, (page) => listWrongTransits(sql, page))),
    ...(await verifySettings(tools, verifying)),
    ...(await verifyFounded(verifying, payoutJournals)),
    ...(books ? await listWrongSums(sql, books, payoutSums) : []),
  ];
}

/** Bank accounts, terms and blocks that nobody of ours wrote, or that are not there any more. */
async function verifySettings(tools: VerifyTools, verifying: Verifying): Promise<Finding[]> {
  const { sql, since } = verifying;
  const places = { table: 'payout_account', key: 'id', changed: listAccountsSince };
  const terms = { table: 'payout_terms', key: 'account_id', changed: listTermsSince };
  const blocks = { table: 'payout_block', key: 'id', changed: listBlocksSince };
  return [
    ...(await verifyPages(verifying, places, async (page) =>
      problemsOf(await listPayoutAccountsIn(sql, page), (row) =>
        isAccountOurs(tools, row) ? [] : [{ code: 'payout_account_changed', parameters: { id: row.id } }],
      ),
    )),
    ...(await verifyPages(verifying, terms, async (page) => [
      ...(await problemsOf(await listTermsIn(sql, page), (row) =>
        areTermsOurs(tools, row) ? [] : [{ code: 'payout_terms_changed', parameters: { id: row.accountId } }],
      )),
      ...(await listOtherwiseBlocked(sql, page)),
    ])),
    ...(await verifyPages(verifying, blocks, async (page) =>
      problemsOf(await listBlocksIn(sql, page), (row) =>
        isBlockOurs(tools, row) ? [] : [{ code: 'payout_block_changed', parameters: { id: row.id } }],
      ),
    )),
    ...(since ? [] : await listForgottenBlocks(sql, findingsAtMost)),
    ...(await verifySigned(tools, sql)),
  ];
}

function goesToItsAccount({ vault }: VerifyTools, { place, ...payout }: Destination): boolean {
  if (!place || place.holder !== payout.holder || place.numberEnding !== payout.numberEnding) return false;
  try {
    return openNumberOf(vault, payout).reveal() === openNumber(vault, place).reveal();
  } catch {
    return false;
  }
}
