// One object of Node's is kept, so that process.nextTick stays fast.
//
// Each tick is an object with computed keys. V8 forgets the shape of such objects when it collects garbage at a moment at
// which there are none; when the next one is made it takes the shape for a second one, and then looks up each key by hand
// for as long as the process lives: 350 ns instead of 50, and each request has several ticks. As long as one tick is kept,
// the shape is.

import { createHook } from 'node:async_hooks';

let kept: object | undefined;

export function keepTickShape(): void {
  if (kept) return;
  const hook = createHook({
    init(_id, type, _trigger, tick) {
      if (type === 'TickObject') kept = tick;
    },
  });
  hook.enable();
  process.nextTick(() => undefined);
  hook.disable();
}
