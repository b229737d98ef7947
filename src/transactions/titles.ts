// Titles of transactions, `TR-XXXX-XXXXXXX` (docs/decisions.md 3).
//
// They come in runs: titles of one run begin alike, and the rest counts up in steps that are drawn. Rows written together
// then stand together in the index that keeps titles unique, on one of its pages instead of on as many as there are rows:
// with 64 rows a statement that saves the database a seventh of its time. A run is short, so a title does not reveal how
// many transactions all merchants have; and one made twice is as rare as if every character were drawn.

import { base32In } from '../kernel/index.ts';
import type { Random } from '../platform/index.ts';

export interface Titles {
  /** The next title; almost certainly unique, and the database enforces it. */
  draw(): string;
}

const form = 'TR-XXXX-XXXXXXX';
const places = 11;
const countedPlaces = 4;
const bitsOfPlace = 5;
const countEnd = 1 << (countedPlaces * bitsOfPlace);
/** Steps are from 1 to this, so a run has about 500 titles. */
const stepAtMost = 4_096;
const drawsAtMost = 5;

export function openTitles(random: Random): Titles {
  const values = new Uint8Array(places);
  let counted = countEnd;

  /** What the titles of the next run begin with: never such that they would contain `-TST`. */
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
