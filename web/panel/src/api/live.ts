// What changes, as the service tells it. A stream that is fetched: an EventSource could not send X-View-As.

import type { liveKinds } from '../../../../contract/panel/live.ts';
import { send } from './client.ts';
import { ApiError } from './failure.ts';

export type LiveKind = (typeof liveKinds)[number];

interface LiveEvent {
  /** `ready`, `changed` or `ended`. */
  readonly event: string;
  readonly kinds: readonly LiveKind[];
}

/** A block of lines, such as `event: changed` and `data: {"kinds":["money"]}`; comments have no event. */
function readBlock(block: string): LiveEvent {
  const [, event = '', data = '{}'] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
  const { kinds = [] } = JSON.parse(data) as { kinds?: readonly LiveKind[] };
  return { event, kinds };
}

async function* eventsIn(body: ReadableStream<BufferSource>): AsyncGenerator<LiveEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const blocks = `${rest}${piece.value}`.split('\n\n');
    rest = blocks.pop() ?? '';
    yield* blocks.map(readBlock);
  }
}

/** Ends early when the signal is aborted. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  const over = AbortSignal.any([signal, AbortSignal.timeout(milliseconds)]);
  return new Promise((resolve) => {
    if (over.aborted) resolve();
    else over.addEventListener('abort', () => resolve(), { once: true });
  });
}

const longestPause = 60_000;

/** A second at first, up to a minute, and not all browsers at the same moment. */
function pauseAfter(failures: number): number {
  const [draw = 0] = crypto.getRandomValues(new Uint8Array(1));
  return Math.min(longestPause, 1_000 * 2 ** (failures - 1)) * (0.5 + draw / 512);
}

const isFinal = (error: unknown) => error instanceof ApiError && [401, 403, 404].includes(error.status);

/**
 * Tells which kinds changed until the signal is aborted or nobody is signed in. Connects again when the connection ends;
 * `missed` is told afterwards, because anything may have changed meanwhile.
 */
export async function follow(
  signal: AbortSignal,
  onChange: (kinds: readonly LiveKind[]) => void,
  missed: readonly LiveKind[],
): Promise<void> {
  let connected = false;
  for (let failures = 1; !signal.aborted; failures += 1) {
    try {
      const { body } = await send('GET /panel/api/live', {}, { signal });
      for await (const { event, kinds } of body ? eventsIn(body) : []) {
        if (event === 'ready') {
          if (connected) onChange(missed);
          connected = true;
          failures = 0;
        } else if (kinds.length > 0) onChange(kinds);
      }
    } catch (error) {
      if (signal.aborted || isFinal(error)) return;
    }
    await pause(pauseAfter(Math.max(1, failures)), signal);
  }
}
