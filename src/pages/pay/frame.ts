// The payment form in a frame of a merchant's page: which pages may have it, what it offers there, and what it tells.

import type { MethodName } from '../../../contract/methods.ts';
import { methods } from '../../methods/index.ts';
import type { PayerView } from '../../transactions/index.ts';
import type { State } from './rules.ts';

/** In whose page the form stands. */
export interface Frame {
  /** Registered by the merchant: it may show the form, and messages go there only. */
  readonly origin: string;
  readonly theme: Theme | undefined;
  /** What each address within the frame repeats. */
  readonly query: string;
}

/** That of the merchant's page; undefined: as the payer's device prefers. */
export type Theme = 'light' | 'dark';

/** The query of the frame's address. */
export interface FrameQuery {
  readonly origin?: unknown;
  readonly lang?: unknown;
  readonly only?: unknown;
  readonly theme?: unknown;
}

/** Undefined if the merchant has not registered the origin. */
export function readFrame({ origin, lang, only, theme }: FrameQuery, { merchant }: PayerView): Frame | undefined {
  const known = merchant.page.embedOrigins.find((registered) => registered === origin);
  if (known === undefined) return undefined;
  const kept = Object.entries({ origin, lang, only, theme }).filter((pair): pair is [string, string] => {
    const [, value] = pair;
    return typeof value === 'string' && value !== '' && value.length <= 300;
  });
  return {
    origin: known,
    theme: theme === 'light' || theme === 'dark' ? theme : undefined,
    query: new URLSearchParams(kept).toString(),
  };
}

/**
 * The methods whose form works in a frame, or one of them: others lead to pages that no frame shows, and the wallet works
 * only in pages of a registered domain.
 */
export function viewIn({ only }: FrameQuery, view: PayerView): PayerView {
  const framed = methods.filter((one) => one.framed);
  const wanted = framed.filter(({ method }) => method === only);
  const ids = (wanted.length > 0 ? wanted : framed).map(({ id }) => id);
  const channels = view.merchant.channels.filter((id) => ids.includes(id));
  return { ...view, merchant: { ...view.merchant, channels } };
}

/** What a page in the frame tells about itself. No card data, no key: the merchant's page gets it. */
export interface FrameState {
  readonly state: 'form' | 'declined' | 'redirect' | Exclude<State['kind'], 'choose' | 'method' | 'confirm'>;
  readonly method?: MethodName;
  readonly reason?: string;
  /** Which one was declined: a page that is shown again tells nothing new. */
  readonly attempt?: number;
}

/** `going`: the form was just sent, and the bank wants to ask the payer. A payer who comes back is not sent there again. */
export function frameStateOf(state: State, { attemptsStarted }: PayerView, going: boolean): FrameState {
  if (state.kind === 'confirm') return { state: going ? 'redirect' : 'waiting' };
  if (state.kind !== 'choose' && state.kind !== 'method') return { state: state.kind };
  const { declined: reason } = state.before;
  const shown = state.kind === 'method' ? { method: state.method.method } : {};
  return reason === undefined
    ? { state: 'form', ...shown }
    : { state: 'declined', ...shown, reason, attempt: attemptsStarted };
}
