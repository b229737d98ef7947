// Finds card numbers in text, whatever stands between their digits. Pure.

/**
 * Thirteen digits of any script or more, with any number of spaces, dashes, dots, bars and invisible characters between
 * them: hidden without a closer look. Each start reads at most thirteen digits, so it is linear.
 */
const digitRun = /\p{Nd}(?:[\s\p{Cf}\p{Pd}.|_·•−]*\p{Nd}){12,}/gu;

/** Digits with anything but letters between them. Dates, times and lists of numbers look like that too. */
const looseRun = /\p{Nd}(?:[^\p{L}\p{Nd}]*\p{Nd}){12,}/gu;

/** The text without card numbers. */
export function withoutCards(text: string, mask: string): string {
  const plain = text.replaceAll(digitRun, mask);
  return plain.replaceAll(looseRun, (run) => withoutLooseCards(run, mask));
}

interface Group {
  readonly digits: string;
  readonly start: number;
  readonly end: number;
}

/** Hides what has the length, the beginning, the check digit and the grouping of a card number. */
function withoutLooseCards(run: string, mask: string): string {
  const groups = run
    .matchAll(/\p{Nd}+/gu)
    .map(
      (found): Group => ({
        digits: found[0].normalize('NFKC'),
        start: found.index,
        end: found.index + found[0].length,
      }),
    )
    .toArray();
  let shown = '';
  let from = 0;
  for (let first = 0; first < groups.length; first += 1) {
    const last = endOfCard(groups, first);
    if (last === undefined) continue;
    shown += run.slice(from, groups[first]?.start) + mask;
    from = groups[last]?.end ?? run.length;
    first = last;
  }
  return shown + run.slice(from);
}

/** The last group of the card number that begins with this group, if one does. */
function endOfCard(groups: readonly Group[], first: number): number | undefined {
  let digits = '';
  let isSpelled = true;
  for (let last = first; last < groups.length && digits.length < 19; last += 1) {
    const group = groups[last]?.digits ?? '';
    isSpelled &&= group.length === 1;
    // Groups of cards have three digits or more; digits one by one are a number that is spelled out.
    if (!isSpelled && group.length < 3) return undefined;
    digits += group;
    if (digits.length > 1 && !cardStart.test(digits)) return undefined;
    if (isCardNumber(digits)) return last;
  }
  return undefined;
}

/** The first digits of card numbers. */
const cardStart = /^(?:[3-6]|2[2-7])/;

function isCardNumber(digits: string): boolean {
  return digits.length >= 13 && digits.length <= 19 && hasCheckDigit(digits);
}

const zero = '0'.charCodeAt(0);

function hasCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - place) - zero;
    sum += place % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2;
  }
  return sum % 10 === 0;
}
