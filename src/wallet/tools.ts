import type { Outbound } from '../outbound/index.ts';
import type { Tools } from '../tools.ts';
import type { WalletSetup } from './model.ts';

/** Tools of the use cases of this room. */
export interface WalletTools extends Tools {
  readonly setup: WalletSetup;
  /** Connects to the vendor only, with our certificate. */
  readonly vendor: Outbound;
  /** Fetches association files. */
  readonly fetcher: Outbound;
}
