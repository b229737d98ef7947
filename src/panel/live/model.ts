import type { liveKinds } from '../../../contract/panel/live.ts';

export type LiveKind = (typeof liveKinds)[number];

/** Who follows which account. */
export interface Viewer {
  readonly userId: string;
  readonly sessionId: string;
  readonly accountId: string;
}
