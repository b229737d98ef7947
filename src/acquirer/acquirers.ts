// The acquirers of an installation. A row is the matter of the one that it names, whatever became of it; routes choose
// only for new charges.

import type { Check } from '../../contract/codes/checks.ts';
import type { Log } from '../runtime/index.ts';
import { StartFault } from '../runtime/index.ts';
import { absentAcquirer } from './absent.ts';
import type { Activity } from './activity.ts';
import type { Acquirer } from './port.ts';
import type { Receiver } from './receive.ts';
import type { KnownRoutes } from './routes.ts';
import { isOffered, type RouteFacts, routesFor } from './rules.ts';

/** An acquirer that is open. */
export interface OpenAcquirer {
  /** As in ACQUIRERS, in routes and in the address of its callbacks; the ledger and every row have that of the acquirer. */
  readonly name: string;
  readonly acquirer: Acquirer;
  /** False: switched off. It goes on with what it began, and takes no new charges. */
  readonly takesNew: boolean;
  /** True: this database has never used it, and this process only looks. Nothing may be written for it. */
  readonly isNew?: boolean;
  /**
   * How many recurring charges it is sent per second and node, unless CHARGES_PER_SECOND says otherwise; undefined: no
   * limit.
   */
  readonly chargesPerSecond?: number | undefined;
  /** Whose money it moves, in its own words, such as an account or an address; undefined: nobody's. */
  readonly account?: string | undefined;
  /** Asks it whether everything is set up as it must be. Moves no money. */
  check?(waited: Waited): AsyncIterable<Check>;
  /** How callbacks over HTTP are read; undefined: it has none. */
  readonly receiver?: Receiver | undefined;
  close?(): Promise<void>;
}

/** What a test of an acquirer waits for. */
export interface Waited {
  /** Whether anything genuine came from it since. */
  cameSince(at: Temporal.Instant): Promise<boolean>;
}

/** Chooses for a new charge: in the order in which they are tried; empty: nobody takes it. */
export type ChooseAcquirers = (facts: RouteFacts) => readonly Acquirer[];

export interface Acquirers {
  /** Those that take new charges in the order of ACQUIRERS, then those that are switched off. */
  readonly list: readonly OpenAcquirer[];
  /** That of a row. One that nobody configured any more has no effect, and every answer of it is `unknown`. */
  named(name: string): Acquirer;
  /** The choice by the routes as they are, or were a moment ago. */
  choice(): Promise<ChooseAcquirers>;
  /** The only one that can charge something, such as a card that it keeps; undefined while it does not take it. */
  pinned(name: string, facts: RouteFacts): Acquirer | undefined;
  /** After a change by this process. */
  routesChanged(): void;
  /** How they behave; undefined: nobody watches them. */
  readonly activity?: Activity | undefined;
}

/** Refuses two of one name: their rows would be mixed up. */
export function openAcquirers(
  { log, activity }: { readonly log: Log; readonly activity?: Activity },
  list: readonly OpenAcquirer[],
  known: Pick<KnownRoutes, 'get' | 'forget'>,
): Acquirers {
  const names = list.map(({ acquirer }) => acquirer.name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) {
    throw new StartFault(`Two acquirers have the name ${twice} in the ledger. Set ACQUIRER_NAME to another one.`);
  }
  const byName = new Map(list.map(({ acquirer }) => [acquirer.name, acquirer]));
  const byKind = new Map(list.map(({ name, acquirer }) => [name, acquirer]));
  const choices = list.map(({ name, takesNew, acquirer }) => ({
    name,
    takesNew,
    // Read each time, because offers may change.
    get offers() {
      return acquirer.offers;
    },
  }));
  return {
    list,
    activity,
    named: (name) => byName.get(name) ?? absentAcquirer(name, log),
    async choice() {
      const routes = await known.get();
      return (facts) => routesFor(facts, routes, choices).flatMap((name) => byKind.get(name) ?? []);
    },
    pinned(name, facts) {
      const one = list.find(({ acquirer }) => acquirer.name === name);
      return one?.takesNew && isOffered(one.acquirer.offers, facts) ? one.acquirer : undefined;
    },
    routesChanged: () => known.forget(),
  };
}
