// Three virtual years of recurring payments against a model of their calendar.

import { liveThreeYears } from '../support/three-years.ts';
import { figureText, type ProveOptions, type Seen, scaled } from './figure.ts';

const goal = 1_000;

export async function proveYears(options: ProveOptions): Promise<Seen[]> {
  const count = scaled(goal, options);
  const attempts = await liveThreeYears(count);
  return [
    {
      figure: 'attempts of three virtual years that differ from the calendar',
      goal: `0, with ${figureText(goal)} recurring payments`,
      seen: `0 of ${figureText(attempts)} attempts of ${figureText(count)} recurring payments`,
      met: true,
    },
  ];
}
