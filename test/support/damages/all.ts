// The table of damages: those that are made up by hand, and those that are drawn from the catalog with who must notice them.

import type { Sql } from '../../../src/database/index.ts';
import type { Damage } from '../tampering.ts';
import { draw } from './drawn.ts';
import { madeUpDamages } from './made.ts';
import { nobody, noticed, noticedAtStripe } from './noticed.ts';

export interface Damages {
  readonly damages: readonly Damage[];
  /** Of the catalog, without who must notice them. */
  readonly unlisted: readonly string[];
}

/** Everything there is in this schema. */
export async function allDamages(sql: Sql): Promise<Damages> {
  const drawn = await draw(sql);
  const listed = drawn.flatMap((damage): Damage[] => {
    const by = noticed[damage.what];
    return by === undefined ? [] : [{ ...damage, noticed: by }];
  });
  const isKnown = ({ what }: { readonly what: string }) =>
    what in noticed ||
    what in noticedAtStripe ||
    // The business has one such row, or all have the same.
    what.endsWith('is swapped') ||
    Object.keys(nobody).some((table) => what.startsWith(`${table}: `) || what.startsWith(`${table}.`));
  return {
    damages: [...madeUpDamages, ...listed],
    unlisted: drawn.filter((damage) => !isKnown(damage)).map(({ what }) => what),
  };
}
