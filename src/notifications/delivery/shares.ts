// Shares the free capacity among endpoints: round robin, so that none takes all. Pure.

export interface Contender {
  readonly endpoint: string;
  readonly accountId: string;
  /** Its last attempt failed. */
  readonly suspect: boolean;
  /** It has not responded successfully yet. */
  readonly unproven: boolean;
  /** How many more leases it may have. */
  readonly room: number;
}

export interface Places {
  readonly all: number;
  /** Of these, the maximum for endpoints whose last attempt failed. */
  readonly suspect: number;
  /** Of these, the maximum for unproven endpoints of an account. */
  ofAccount(accountId: string): number;
}

const failuresUntilProbed = 10;

/** Leases of an endpoint across all nodes: one while it is only probed, a few until it is proven. */
export function laneSize(failures: number, provenSize: number | undefined, sizeAtFirst: number): number {
  if (failures >= failuresUntilProbed) return 1;
  return failures > 0 ? sizeAtFirst : (provenSize ?? sizeAtFirst);
}

/**
 * How many places each endpoint gets: one each in their order, then a second one each, and so on, within the available
 * places, its account's share and its own limit. Endpoints whose last attempt failed come last.
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
