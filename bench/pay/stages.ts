// Attributes the main thread's time to the stages of a payment: a sample belongs to the innermost frame that has a
// stage. What the driver or the HTTP server does in a turn of its own, such as reading rows, belongs to no stage of
// ours and is listed separately.

import type { Profiler } from 'node:inspector';

/** Share of the busy time, by stage. */
export type Shares = Readonly<Record<string, number>>;

export const stages: readonly (readonly [name: string, place: RegExp])[] = [
  ['garbage collection', /^\(garbage collector\)/],
  ['kernel calls and other native code', /^\(program\)/],
  ['bank and its file', /\/src\/acquirer\//],
  ['signing', /\/src\/notifications\/signing\//],
  ['delivery', /\/src\/notifications\/delivery\/|\/src\/platform\/outbound\/|\/node_modules\/undici\//],
  ['settling', /\/src\/(transactions\/(settle|notify|rules|store\/attempts)|ledger|notifications|banking)/],
  ['creating and paying', /\/src\/(transactions|kernel|accounts|cards)\//],
  ['HTTP', /\/src\/platform\/http\/|\/node_modules\/(fastify|find-my-way|light-my-request)\/|^\S+ node:(_http|http)/],
  ['database driver', /\/node_modules\/pg|\/src\/platform\/db\//],
];

const idle = /^\((idle|root)\)/;

export function sharesOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Shares {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const places = new Map(nodes.map(({ id, callFrame }) => [id, `${callFrame.functionName || '?'} ${callFrame.url}`]));
  const stageById = new Map<number, string | undefined>();
  const stageOf = (id: number): string | undefined => {
    if (stageById.has(id)) return stageById.get(id);
    const place = places.get(id) ?? '';
    const parent = parents.get(id);
    const own = idle.test(place) ? undefined : stages.find(([, pattern]) => pattern.test(place))?.[0];
    const stage = own ?? (parent === undefined ? undefined : stageOf(parent));
    stageById.set(id, stage);
    return stage;
  };
  const spent = new Map<string, number>();
  let all = 0;
  for (const [index, id] of samples.entries()) {
    const place = places.get(id) ?? '';
    if (idle.test(place)) continue;
    const stage = stageOf(id) ?? 'rest';
    const microseconds = timeDeltas[index] ?? 0;
    all += microseconds;
    spent.set(stage, (spent.get(stage) ?? 0) + microseconds);
  }
  return Object.fromEntries([...spent].map(([stage, microseconds]) => [stage, microseconds / all]));
}
