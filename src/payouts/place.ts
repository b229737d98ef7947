// Where the payouts of an account go: whose number it is, and who verified it.

import { endingOf } from '../bankfiles/index.ts';
import { type AccountId, refuse, type Secret } from '../kernel/index.ts';
import type { Tools } from '../tools.ts';
import { bankAccountMissing, payeeAltered, sameAccount, verifiedByGiver } from './failures.ts';
import type { PayoutAccount } from './model.ts';
import { openNumber, sealNumber } from './number.ts';
import { isAccountOurs, signAccount, signing } from './signed.ts';
import { cancelCreated } from './step.ts';
import { listCreatedOf } from './store/payouts.ts';
import { findPlace, insertPlace, updatePlace } from './store/settings.ts';
import { type MailTools, mailPlace } from './tell.ts';
import { openTerms } from './terms.ts';

type PlaceTools = Pick<Tools, 'clock' | 'db' | 'ids' | 'vault'>;
type GivingTools = PlaceTools & MailTools;

/** So long nothing goes to a number that replaces another one. */
export const holdAfterChange = Temporal.Duration.from({ hours: 72 });

export interface GivenAccount {
  readonly accountId: AccountId;
  /** A valid IBAN. */
  readonly number: Secret;
  readonly holder: string;
  /** An email address. */
  readonly givenBy: string;
}

/** What was changed: `before` is the account that it replaced. */
export interface Replaced {
  readonly place: PayoutAccount;
  readonly before: PayoutAccount | undefined;
}

/**
 * Replaces the bank account of an account. Payouts that are in no batch are canceled, because nobody knows any more where they
 * should go; the new account waits for an operator, and for 72 hours if it replaces one.
 */
export function givePayoutAccount(tools: GivingTools, given: GivenAccount): Promise<Replaced> {
  const { db, clock, ids, vault } = tools;
  const { accountId, number, holder, givenBy } = given;
  return db.atomic(async (sql) => {
    await openTerms(tools, sql, accountId);
    return signing(tools, sql, 'payout_account', async () => {
      const before = await findPlace(sql, accountId);
      // One that somebody else wrote can be replaced like any other, and stays unsigned, so that `verify` still finds it.
      const isOurs = before && isAccountOurs(tools, before);
      if (isOurs && openNumber(vault, before).reveal() === number.reveal() && before.holder === holder) {
        refuse(sameAccount);
      }
      const now = clock.now();
      const id = ids.ulid(now);
      const place = signAccount(tools, {
        id,
        accountId,
        numberSealed: sealNumber(vault, id, number),
        numberEnding: endingOf(number.reveal()),
        holder,
        givenBy,
        givenAt: now,
        holdUntil: before ? now.add(holdAfterChange) : now,
        verifiedBy: null,
        verifiedAt: null,
        replacedAt: null,
      });
      const ended = before && { ...before, replacedAt: now };
      const replaced = ended && (isOurs ? signAccount(tools, withoutMac(ended)) : ended);
      if (replaced) await updatePlace(sql, replaced);
      await insertPlace(sql, place);
      await cancelCreated(tools, sql, await listCreatedOf(sql, accountId), {
        code: 'account_replaced',
        parameters: {},
      });
      await mailPlace(tools, sql, place, before);
      return {
        before: before ? [before] : [],
        after: [...(replaced ? [replaced] : []), place],
        result: { place, before },
      };
    });
  });
}

/** An operator says that the account belongs to its holder. Whoever gave the number cannot. */
export function verifyPayoutAccount(
  tools: PlaceTools,
  { accountId, id, by }: { readonly accountId: AccountId; readonly id?: string; readonly by: string },
): Promise<PayoutAccount> {
  const { db, clock } = tools;
  return db.atomic(async (sql) => {
    await openTerms(tools, sql, accountId);
    return signing(tools, sql, 'payout_account', async () => {
      const before = await findPlace(sql, accountId);
      // What the operator has looked at may have been replaced meanwhile.
      if (!before || (id !== undefined && before.id !== id)) return refuse(bankAccountMissing);
      if (!isAccountOurs(tools, before)) return refuse(payeeAltered);
      if (before.verifiedAt) return { before: [], after: [], result: before };
      if (before.givenBy === by) return refuse(verifiedByGiver);
      const place = signAccount(tools, { ...withoutMac(before), verifiedBy: by, verifiedAt: clock.now() });
      await updatePlace(sql, place);
      return { before: [before], after: [place], result: place };
    });
  });
}

const withoutMac = ({ mac: _mac, ...row }: PayoutAccount) => row;
