// grosz payouts: where the payouts of an account go, and who may be paid. Each by a named operator.

import { findSettings } from '../accounts/index.ts';
import { type AccountId, idFrom } from '../kernel/index.ts';
import type { Service } from '../open.ts';
import { blockPayouts, findPlace, ibanFrom, releasePayouts, verifyPayoutAccount } from '../payouts/index.ts';
import { StartFault } from '../runtime/index.ts';
import type { Tools } from '../tools.ts';
import { type Invocation, optionText } from './command.ts';
import { confirmingOf, signing } from './confirming.ts';

type Action = (service: Service, invocation: Invocation) => Promise<void>;

function fail(message: string): never {
  throw new StartFault(message);
}

const signature = 'whose signature it is';

async function accountOf({ db }: Tools, text: string): Promise<AccountId> {
  const id = idFrom<AccountId>(text);
  return id && (await findSettings(db.sql, id)) ? id : fail(`There is no account "${text}".`);
}

/** The number is asked for: what is written on a command line is in logs. */
const give: Action = async (service, invocation) => {
  const { tools, rooms } = service;
  const accountId = await accountOf(tools, invocation.words[1] ?? '');
  const holder = optionText(invocation, 'holder')?.trim() ?? fail('Missing --holder NAME: whose bank account it is.');
  if (holder.length < 1 || holder.length > 70) fail('The holder has 1 to 70 characters.');
  const confirming = await confirmingOf(invocation, signature);
  const number = ibanFrom(await invocation.ask('IBAN, or a Polish number')) ?? fail('This is not a valid number.');
  const signed = { command: 'payouts', action: 'give_payout_account', email: confirming.email, accountId };
  const { place, before } = await signing(tools, invocation, signed, async () => {
    const { email } = await rooms.batches.confirm(confirming);
    return rooms.payouts.givePlace({ accountId, number, holder, givenBy: email });
  });
  invocation.print(
    `Payouts of ${accountId} go to ...${place.numberEnding} of ${holder} once somebody else verifies it.`,
  );
  if (before) invocation.print(`It replaces ...${before.numberEnding}: nothing goes there before ${place.holdUntil}.`);
};

/** What an operator does with an account, with its word in the audit log; `work` returns what to print. */
const byOperator =
  (action: string, work: (tools: Tools, accountId: AccountId, by: string) => Promise<string>): Action =>
  async (service, invocation) => {
    const { tools, rooms } = service;
    const accountId = await accountOf(tools, invocation.words[1] ?? '');
    const confirming = await confirmingOf(invocation, signature);
    const signed = { command: 'payouts', action, email: confirming.email, accountId };
    const done = await signing(tools, invocation, signed, async () => {
      const { email } = await rooms.batches.confirm(confirming);
      return work(tools, accountId, email);
    });
    invocation.print(done);
  };

/** What is signed is shown first, and if somebody replaces it meanwhile it is not signed. */
const verify: Action = async (service, invocation) => {
  const { tools, rooms } = service;
  const accountId = await accountOf(tools, invocation.words[1] ?? '');
  const place = await findPlace(tools.db.sql, accountId);
  if (place)
    invocation.print(
      `...${place.numberEnding} of ${place.holder}, given by ${place.givenBy} on ${place.givenAt}: compare it with what you know.`,
    );
  const confirming = await confirmingOf(invocation, signature);
  const signed = { command: 'payouts', action: 'verify_payout_account', email: confirming.email, accountId };
  const { numberEnding, holder } = await signing(tools, invocation, signed, async () => {
    const { email: by } = await rooms.batches.confirm(confirming);
    return verifyPayoutAccount(tools, { accountId, by, ...(place && { id: place.id }) });
  });
  invocation.print(`The bank account ...${numberEnding} of ${holder} is verified.`);
};

const block = byOperator('block_payouts', async (tools, accountId, by) => {
  await blockPayouts(tools, accountId, by);
  return `${accountId} gets no payouts until it is released.`;
});

const release = byOperator('release_payouts', async (tools, accountId, by) => {
  await releasePayouts(tools, accountId, by);
  return `${accountId} gets payouts again.`;
});

/** The actions of this file. */
export const accountActions = { give, verify, block, release } as const;
export const accountWords = { give: 1, verify: 1, block: 1, release: 1 } as const;
