// What hostile input costs before it is refused: the worst texts for every endpoint, form, query and header.

import { endpoints } from '../../contract/endpoints.ts';
import { type Cost, costsOf, costText, isTooExpensive, millisecondsAtMost, ratioAtMost } from '../support/cpu.ts';
import { acquirerPlaces, endpointPlace, formPlaces, headerPlaces, shopPlaces } from '../support/places.ts';
import { aMerchant, aService } from '../support/service.ts';
import { figureText, isOver, type ProveOptions, type Seen } from './figure.ts';

export async function proveHostile(options: ProveOptions): Promise<Seen[]> {
  const service = await aService({ config: { requestsPerSecond: 1_000_000 } });
  const merchant = await aMerchant(service, {}, 'operator');
  const places = [
    ...endpoints.map((endpoint) => endpointPlace(service, merchant, endpoint)),
    ...headerPlaces(service, merchant),
    ...(await formPlaces(service, merchant)),
    ...(await acquirerPlaces(service)),
    ...(await shopPlaces(service, merchant)),
  ];
  const costs: Cost[] = [];
  for (const place of places) {
    if (isOver(options)) break;
    costs.push(...(await costsOf(place, () => void service.world.wall.advance({ milliseconds: 60 }))));
  }
  const byRatio = costs.toSorted((left, right) => right.ratio - left.ratio);
  for (const cost of byRatio.slice(0, 5)) options.print(`  ${costText(cost)}`);
  const longest = Math.max(...costs.map(({ milliseconds }) => milliseconds));
  return [
    {
      figure: 'CPU of the most expensive refused input, against a plain body of the same size',
      goal: `at most ${ratioAtMost} times, ${millisecondsAtMost} ms for 64 KiB`,
      seen: `${byRatio[0]?.ratio.toFixed(1)} times, ${longest.toFixed(1)} ms, of ${figureText(costs.length)} at ${places.length} places`,
      met: costs.length > 0 && !costs.some((cost) => isTooExpensive(cost) || cost.status >= 500),
    },
  ];
}
