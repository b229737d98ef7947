import { notValid } from '../../../contract/codes/english/values.ts';
import { giveBankAccount } from '../../../contract/panel/bank-account.ts';
import { on, type Route } from '../../http/index.ts';
import { accountOf, confirmOwner, done, type Identity, type Person } from '../../identity/index.ts';
import { refuseFault, Secret } from '../../kernel/index.ts';
import { ibanFrom, type Payouts } from '../../payouts/index.ts';

/** Of a person who has signed in with a stolen session, neither the password nor the second factor is there. */
export const bankAccountRoutes = (
  identity: Pick<Identity, 'tools'>,
  payouts: Pick<Payouts, 'givePlace'>,
): Route<Person>[] => [
  on(giveBankAccount, async ({ caller, body, requestId }) => {
    const { id } = accountOf(caller);
    const number = ibanFrom(body.iban) ?? refuseFault(notValid('iban', 'bank_account'));
    const { password, code } = body;
    const confirmation = { email: caller.user.email, password: new Secret(password), code };
    const { email: givenBy } = await confirmOwner(identity.tools, confirmation, id);
    const { place } = await payouts.givePlace({ accountId: id, number, holder: body.holder.trim(), givenBy });
    return { ...done(requestId), ending: place.numberEnding, holder: place.holder };
  }),
];
