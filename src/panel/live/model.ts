import type { liveKinds } from '../../../contract/panel/live.ts';

export type LiveKind = (typeof liveKinds)[number];
