// What a statement adds up to.

import { decimalText } from '../kernel/index.ts';
import { FileFault } from './fault.ts';
import type { StatementEnd } from './model.ts';

export class Tally {
  readonly #openingMinor: bigint | null;
  #entries = 0;
  #notBooked = 0;
  #sumMinor = 0n;

  constructor(openingMinor: bigint | null) {
    this.#openingMinor = openingMinor;
  }

  /** The number of the entry that is being read. */
  get next(): number {
    return this.#entries + 1;
  }

  add(amountMinor: bigint): void {
    this.#entries += 1;
    this.#sumMinor += amountMinor;
  }

  skip(): void {
    this.#notBooked += 1;
  }

  /** Checks the number of entries that the bank states; some banks include those that are not booked yet, others do not. */
  expect(said: number | null): void {
    const found = this.#entries + this.#notBooked;
    if (said === null || said === this.#entries || said === found) return;
    throw new FileFault({ code: 'entries_differ', parameters: { said, found } });
  }

  /** Throws unless the opening balance and the entries add up to the closing balance; a notice has no balances. */
  end(closingMinor: bigint | null, closingOn: string | null = null): StatementEnd {
    const opening = this.#openingMinor;
    if (opening !== null && closingMinor !== null && opening + this.#sumMinor !== closingMinor) {
      throw new FileFault({
        code: 'sums_differ',
        parameters: {
          opening: decimalText(opening),
          lines: decimalText(this.#sumMinor),
          closing: decimalText(closingMinor),
        },
      });
    }
    return { closingMinor, closingOn, entries: this.#entries, sumMinor: this.#sumMinor, notBooked: this.#notBooked };
  }
}
