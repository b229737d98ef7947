import { getClock, getFaults, moveClock, setFaults } from '../../contract/sandbox.ts';
import type { Merchant } from '../accounts/index.ts';
import { Answered, on, onChecked, type Route } from '../http/index.ts';
import { type Fault, refuse } from '../kernel/index.ts';
import type { Faults, Simulator } from '../simulators/index.ts';
import type { Tools } from '../tools.ts';
import { type Move, targetOf } from './advance.ts';
import { type ClockMoves, clockShown } from './move.ts';

const success = 'success' as const;

/** Exactly one of the two must be given. */
function moveFaults(body: unknown): Fault[] {
  const { advance: by, to } = (body ?? {}) as { advance?: unknown; to?: unknown };
  if (by === undefined && to === undefined)
    return [{ code: 'field_required', field: 'advance', devMessage: 'Send either advance or to.' }];
  if (by !== undefined && to !== undefined)
    return [
      {
        code: 'unexpected_field',
        field: 'to',
        message: 'advance and to cannot be used together.',
        devMessage: 'Send either advance or to.',
      },
    ];
  return [];
}

function moveOf({ advance: by, to }: { advance?: string; to?: string }): Move {
  if (by !== undefined) return { advance: Temporal.Duration.from(by) };
  return { to: Temporal.Instant.from(to ?? refuse('field_required', 'to')) };
}

/** Registered in the sandbox only: in live mode these paths do not exist. */
export const sandboxRoutes = (tools: Tools, bank: Simulator | undefined, moves: ClockMoves): Route<Merchant>[] => {
  const bankOf = (): Simulator => bank ?? refuse('not_found', '', 'The simulated bank does not run in this process.');
  const shown = async (requestId: string) => ({ result: success, requestId, ...(await clockShown(tools)) });
  return [
    on(getClock, async ({ requestId }) => shown(requestId)),
    onChecked(moveClock, {
      faults: moveFaults,
      check: ({ body }) => targetOf(tools, moveOf(body)),
      handle: async ({ requestId, run, checked }) => {
        // The target is committed before the clock moves: a retry continues to the same one.
        const target = Temporal.Instant.from(await run.once(async (_sql, to) => to.toString(), checked));
        await (run.resumed ? moves.follow(target) : moves.begin(target));
        const answer = await shown(requestId);
        const isDone = answer.movingTo === null && Temporal.Instant.compare(answer.now, target) >= 0;
        if (isDone) return answer;
        // On a busy machine the time may be over before anybody sees that it is being moved.
        return new Answered(202, { ...answer, movingTo: answer.movingTo ?? target.toString() });
      },
    }),
    on(getFaults, async ({ requestId }) => ({ result: success, requestId, faults: bankOf().faults() })),
    on(setFaults, async ({ body, requestId }) => {
      bankOf().setFaults(body as Faults);
      return { result: success, requestId, faults: bankOf().faults() };
    }),
  ];
};
