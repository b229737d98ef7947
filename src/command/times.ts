// Times on the command line.

import { StartFault } from '../runtime/index.ts';
import { type Invocation, optionText } from './command.ts';

/** Nothing here is older, and later years have no four digits. */
const [firstYear, lastYear] = [1970, 9999];

/** The time that an option names, in UTC if it is a day; undefined if it was not given. */
export function readTime(invocation: Invocation, name: string): Temporal.Instant | undefined {
  const text = optionText(invocation, name);
  if (text === undefined) return undefined;
  const at = instantIn(text);
  if (!at) throw new StartFault(`--${name} must be a day such as 2026-03-10 or a time such as 2026-03-10T09:00:00Z.`);
  const { year } = at.toZonedDateTimeISO('UTC');
  if (year < firstYear || year > lastYear)
    throw new StartFault(`--${name} must be in the years ${firstYear} to ${lastYear}, such as 2026-03-10.`);
  return at;
}

function instantIn(text: string): Temporal.Instant | undefined {
  try {
    return Temporal.Instant.from(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text);
  } catch {
    return undefined;
  }
}
