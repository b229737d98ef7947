// The size of Node's thread pool, which signs notifications, hashes passwords and reads files.
//
// Node starts four threads on any machine. On two cores, four signatures at a time keep the main thread waiting; when
// they are done, it works alone and a core idles. With a thread per core `bench -- pay` used 1.81 instead of 1.69 of two
// cores (three pairs of runs) and paid 7 % more per second (56 pairs of 3 s). UV_THREADPOOL_SIZE=4 switches it off.

import { availableParallelism } from 'node:os';

const leastThreads = 2;
const usualThreads = 4;

/** A thread per core, but never more than Node starts by itself. */
export const poolThreads = Math.max(leastThreads, Math.min(usualThreads, availableParallelism()));

/** Call this before anything uses the pool: Node sizes it once. A size set in the environment is kept. */
export function sizeThreadPool(environment: NodeJS.ProcessEnv): void {
  environment.UV_THREADPOOL_SIZE ||= String(poolThreads);
}
