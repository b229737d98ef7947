// The only timers. Everything that repeats or waits uses these, so that it can be stopped cleanly.

/** Resolves after the delay, or immediately when the signal aborts. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const timer = setTimeout(done, milliseconds);
    function done(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    }
    signal?.addEventListener('abort', done, { once: true });
  });
}

/** Lets everything else that is due run first. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

/** Runs the work after the delay, unless the returned function is called first. */
export function later(milliseconds: number, work: () => void): () => void {
  const timer = setTimeout(work, milliseconds);
  return () => clearTimeout(timer);
}

/** The same for a process that need not stay alive for it. */
export function laterIfAlive(milliseconds: number, work: () => void): () => void {
  const timer = setTimeout(work, milliseconds).unref();
  return () => clearTimeout(timer);
}

export interface Loop {
  /** Resolves when the round in progress has ended; no further round starts. */
  stop(): Promise<void>;
}

/** Runs rounds `everyMilliseconds` apart. A failed round is reported, and the next one follows regardless. */
export function startLoop(
  everyMilliseconds: number,
  round: (signal: AbortSignal) => Promise<void>,
  onError: (error: unknown) => void,
): Loop {
  const stopping = new AbortController();
  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await round(stopping.signal).catch(onError);
      await pause(everyMilliseconds, stopping.signal);
    }
  }
  const running = run();
  return {
    stop() {
      stopping.abort();
      return running;
    },
  };
}

/** Runs `work` for every item, at most `atOnce` concurrently; results are in the order of the items. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  if (items.length <= atOnce) return Promise.all(items.map(work));
  const results: Result[] = [];
  const queue = items.entries();
  const lane = async () => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return results;
}

/** Works on what is generated, `atOnce` at a time; after a failure it starts nothing more and ends what it started. */
export async function generateInParallel<Item>(
  items: AsyncGenerator<Item>,
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const lane = async () => {
    for await (const item of items) await work(item);
  };
  const lanes = await Promise.allSettled(Array.from({ length: atOnce }, lane));
  const failed = lanes.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
}

/** Rejects with `message` on timeout. The work itself continues; its late result is ignored. */
export async function within<T>(milliseconds: number, message: string, promise: Promise<T>): Promise<T> {
  const over = new AbortController();
  try {
    return await Promise.race([
      promise,
      pause(milliseconds, over.signal).then(() => {
        throw new Error(message);
      }),
    ]);
  } finally {
    promise.catch(() => undefined);
    over.abort();
  }
}
