// Titles of transactions, `TR-XXXX-XXXXXXX` (docs/decisions/0003).
//
// Titles come in runs: within a run they have a common prefix, and the rest increases in random steps. Rows written
// together are then adjacent in the unique index, on one page instead of one page per row: with 64 rows per statement
// this saves a seventh of the database's time. Runs are short, so a title does not reveal how many transactions there
// are; and collisions are as rare as with fully random titles.

import { base32In } from '../kernel/index.ts';
import type { Random } from '../runtime/index.ts';

export interface Titles {
  /** The next title; almost certainly unique, and the database enforces it. */
  draw(): string;
}

const form = 'TR-XXXX-XXXXXXX';
const places = 11;
const countedPlaces = 4;
const bitsOfPlace = 5;
const countEnd = 1 << (countedPlaces * bitsOfPlace);
/** Steps are 1 to this, so a run has about 500 titles. */
const stepAtMost = 4_096;
const drawsAtMost = 5;

export function openTitles(random: Random): Titles {
  const values = new Uint8Array(places);
  let counted = countEnd;

  /** Draws the prefix of the next run, such that no title contains `-TST`. */
  function beginRun(): void {
    for (let drawn = 0; drawn < drawsAtMost; drawn += 1) {
      values.set(random.bytes(places - countedPlaces));
      if (!base32In(form, values).includes('-TST')) return;
    }
    throw new Error('No title could be drawn.');
  }

  return {
    draw() {
      const [high = 0, low = 0] = random.bytes(2);
      counted += 1 + (((high << 8) | low) % stepAtMost);
      if (counted >= countEnd) {
        beginRun();
        counted %= stepAtMost;
      }
      for (let place = 0; place < countedPlaces; place += 1) {
        values[places - 1 - place] = counted >> (place * bitsOfPlace);
      }
      return base32In(form, values);
    },
  };
}
