// The endpoints of the API for people: the same routes under /panel/api/merchant, with the session instead of a token.

import type { Endpoint } from '../../contract/endpoint.ts';
import type { Merchant } from '../accounts/index.ts';
import type { Call, Question, Route } from '../http/index.ts';
import { accountOf, type Person } from '../identity/index.ts';

const prefix = '/panel/api/merchant';

/** Where the panel's endpoints are. */
export const panelPath = '/panel/api/';

/** Whether it is one of the API once more. */
export const isMirrored = (path: string) => path.startsWith(`${prefix}/`);

/** People have no tokens of the API, and health checks need nobody. */
function isForPeople({ access, tag }: Endpoint): boolean {
  return access !== 'none' && tag !== 'Access';
}

/** The clock and the faults of the sandbox are of all accounts. */
function isOfNoAccount({ access, tag }: Endpoint): boolean {
  return access === 'operator' || (tag === 'Sandbox' && access === 'read');
}

/** The account on screen; operators also use what concerns no account. */
function callerOf(person: Person, endpoint: Endpoint): Merchant {
  return isOfNoAccount(endpoint) ? (person.account ?? (person as unknown as Merchant)) : accountOf(person);
}

export function mirrorRoutes(routes: readonly Route<Merchant>[]): Route<Person>[] {
  return routes.filter(({ endpoint }) => isForPeople(endpoint)).map(mirrorRoute);
}

function mirrorRoute({ endpoint, admit, check, handle, faults }: Route<Merchant>): Route<Person> {
  const forMerchant = <Q extends Question<Endpoint, Person>>(question: Q) => ({
    ...question,
    caller: callerOf(question.caller as Person, endpoint),
  });
  return {
    endpoint: { ...endpoint, path: `${prefix}${endpoint.path}` },
    ...(admit ? { admit: (person) => admit(callerOf(person, endpoint)) } : {}),
    ...(check ? { check: (question) => check(forMerchant(question) as unknown as Question<Endpoint, Merchant>) } : {}),
    handle: (call) => handle(forMerchant(call) as unknown as Call<Endpoint, Merchant, unknown>),
    faults: faults && ((body, person) => faults(body, callerOf(person, endpoint))),
  };
}
