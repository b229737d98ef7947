// Stands in for `node:test` while mutants run: thousands of runs of the same tests in one process, each of which ends at
// its first failure. Has only what tests of pure code use; anything else is missing and fails before the first mutant.

type Work = (context: Context) => unknown;
type Hook = () => unknown;

interface Context {
  after(hook: Hook): void;
  test(name: string, work: Work): Promise<void>;
}

interface Suite {
  readonly outer: Suite | undefined;
  readonly before: Hook[];
  readonly after: Hook[];
  readonly beforeEach: Hook[];
  readonly afterEach: Hook[];
  readonly work: (() => Promise<void>)[];
}

const suiteIn = (outer: Suite | undefined): Suite => ({
  outer,
  before: [],
  after: [],
  beforeEach: [],
  afterEach: [],
  work: [],
});

let current = suiteIn(undefined);
let tests = 0;

const workOf = (given: readonly unknown[]) => given.findLast((one) => typeof one === 'function') as Work | undefined;

/** Runs the hooks of the outermost suite first. */
async function hooks(of: Suite | undefined, kind: 'beforeEach' | 'afterEach'): Promise<void> {
  if (!of) return;
  if (kind === 'beforeEach') await hooks(of.outer, kind);
  for (const hook of of[kind]) await hook();
  if (kind === 'afterEach') await hooks(of.outer, kind);
}

async function runTest(owner: Suite, work: Work): Promise<void> {
  const ends: Hook[] = [];
  const context: Context = { after: (hook) => void ends.push(hook), test: (_, inner) => runTest(owner, inner) };
  tests += 1;
  try {
    await hooks(owner, 'beforeEach');
    await work(context);
  } finally {
    for (const end of ends) await end();
    await hooks(owner, 'afterEach');
  }
}

export function test(...given: readonly unknown[]): void {
  const [owner, work] = [current, workOf(given)];
  if (work) owner.work.push(() => runTest(owner, work));
}

export function suite(...given: readonly unknown[]): void {
  const [outer, work] = [current, workOf(given) as Hook | undefined];
  const own = suiteIn(outer);
  outer.work.push(() => runSuite(own));
  current = own;
  const begun: unknown = work?.();
  current = outer;
  // Its tests would become those of another suite.
  if (begun instanceof Promise) throw new Error('A suite of pure tests must not be async.');
}

export { suite as describe, test as it };
export const before = (hook: Hook) => void current.before.push(hook);
export const after = (hook: Hook) => void current.after.push(hook);
export const beforeEach = (hook: Hook) => void current.beforeEach.push(hook);
export const afterEach = (hook: Hook) => void current.afterEach.push(hook);

async function runSuite({ before: first, work, after: last }: Suite): Promise<void> {
  for (const hook of first) await hook();
  try {
    for (const one of work) await one();
  } finally {
    for (const hook of last) await hook();
  }
}

/** Runs what was registered since the last call, until the first failure, which it throws; returns how many tests ran. */
export async function runRegistered(): Promise<number> {
  const registered = current;
  current = suiteIn(undefined);
  tests = 0;
  await runSuite(registered);
  return tests;
}

/** Forgets what was registered: a file that could not be loaded leaves half of its tests. */
export function forgetRegistered(): void {
  current = suiteIn(undefined);
}
