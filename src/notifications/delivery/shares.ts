// Who gets the free slots: endpoints take turns, and none takes all. Pure.

export interface Contender {
  readonly endpoint: string;
  readonly accountId: string;
  /** Its last try failed. */
  readonly suspect: boolean;
  /** It has not shown yet that it answers. */
  readonly unproven: boolean;
  /** Leases that it may still have. */
  readonly room: number;
}

export interface Places {
  readonly all: number;
  /** Of them, those for endpoints whose last try failed. */
  readonly suspect: number;
  /** Of them, those for one account's unproven endpoints. */
  ofAccount(accountId: string): number;
}

const failuresUntilProbed = 10;

/** Leases that an endpoint may have over all nodes: one while it is only probed, few until it has shown that it answers. */
export function laneSize(failures: number, provenSize: number | undefined, sizeAtFirst: number): number {
  if (failures >= failuresUntilProbed) return 1;
  return failures > 0 ? sizeAtFirst : (provenSize ?? sizeAtFirst);
}

/**
 * How many places each endpoint gets: one each in their order, then a second one each and so on, as far as places, its
 * account's share and its own room go. Those whose last try failed come after all others.
 */
export function sharePlaces(contenders: readonly Contender[], places: Places): Map<string, number> {
  const shares = new Map<string, number>();
  const left = { all: places.all, suspect: places.suspect, accounts: new Map<string, number>() };
  const accountLeft = (accountId: string) => left.accounts.get(accountId) ?? places.ofAccount(accountId);

  function giveOne({ endpoint, accountId, suspect, unproven, room }: Contender): boolean {
    const share = shares.get(endpoint) ?? 0;
    if (left.all <= 0 || share >= room) return false;
    if ((suspect && left.suspect <= 0) || (unproven && accountLeft(accountId) <= 0)) return false;
    left.all -= 1;
    if (suspect) left.suspect -= 1;
    if (unproven) left.accounts.set(accountId, accountLeft(accountId) - 1);
    shares.set(endpoint, share + 1);
    return true;
  }

  for (const suspect of [false, true]) {
    let hungry = contenders.filter((contender) => contender.suspect === suspect);
    while (hungry.length > 0) hungry = hungry.filter(giveOne);
  }
  return shares;
}
