// What the addresses of the shop share.

import type { Checkouts } from './checkout.ts';
import type { Grosz } from './grosz.ts';
import type { Market } from './market-routes.ts';
import type { openNotifications } from './notifications.ts';
import type { Orders } from './orders.ts';
import type { Subscriptions } from './subscriptions.ts';

export interface Parts {
  readonly host: string;
  readonly url: string;
  readonly baseUrl: string;
  readonly now: () => Date;
  readonly orders: Orders;
  readonly grosz: Grosz;
  readonly checkout: Checkouts;
  readonly subscriptions: Subscriptions;
  readonly receive: ReturnType<typeof openNotifications>;
  readonly market: Market | undefined;
  /** The wallet vendor's script. */
  readonly walletScript: string | undefined;
  /** Files for the browser, by their path. */
  readonly files: ReadonlyMap<string, { readonly type: string; readonly body: string }>;
  /** Of the wallet's domain check. */
  readonly association: () => Promise<string>;
  readonly onError: ((error: unknown) => void) | undefined;
}
