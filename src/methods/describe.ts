// Puts together what the contract and a method's own file say. What a file leaves out is as for most methods.

import { languages } from '../../contract/languages.ts';
import { type MethodName, methods, type RedirectKind } from '../../contract/methods.ts';
import type { Instrument } from '../acquirer/index.ts';
import type { Method, MethodBehavior, ReadyInstrument, Refunding } from './model.ts';
import { methodWords } from './words.ts';

/** Those whose payer continues on a page of the acquirer. */
type RedirectName = {
  [Name in MethodName]: (typeof methods)[Name] extends { redirect: string } ? Name : never;
}[MethodName];

type Own = Omit<MethodBehavior, 'paidAs'> & Partial<Pick<MethodBehavior, 'paidAs'>>;

export const usualRefund: Refunding = { context: 'transactional', statuses: 'usual' };

export function describe(method: MethodName, own: Own): Method {
  const { id, groupId, name, fullName } = methods[method];
  return {
    method,
    id,
    groupId,
    name,
    fullName,
    instantRedirection: 'redirect' in methods[method],
    words: Object.fromEntries(
      languages.map((language) => [language, methodWords[language][method]]),
    ) as Method['words'],
    paidAs: 'pay_by_link',
    ...own,
  };
}

/** A method without data: its form is a button, unless the file says otherwise. */
export function describeRedirect(method: RedirectName, own: Partial<Own>): Method {
  const { id, redirect: kind }: { id: number; redirect: RedirectKind } = methods[method];
  return describe(method, { form: 'redirect', read: () => byPayer(id, { kind }), ...own });
}

export function byPayer(channelId: number, instrument: Instrument): ReadyInstrument {
  return { channelId, instrument, initiator: 'payer', cardToken: null, save: null, walletToken: null };
}
