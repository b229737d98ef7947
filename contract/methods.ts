// The payment methods as the wire has them. Their numbers stand here and nowhere else: the contract imports nothing, and
// everything else, also the panel in the browser, may import it. What a method does is in src/methods/<name>.ts.

interface MethodOnWire {
  /** The id of its channel. */
  readonly id: number;
  /** Payers see channels in groups: each method has its own. */
  readonly groupId: number;
  readonly name: string;
  readonly fullName: string;
  /** If the payer continues on a page of the acquirer and nothing else is needed: the kind of instrument there. */
  readonly redirect?: string;
}

/** In the order of their channels, as responses list them. */
export const methods = {
  transfer: { id: 21, groupId: 101, name: 'Bank transfer', fullName: 'Instant bank transfer', redirect: 'transfer' },
  card: { id: 53, groupId: 103, name: 'Card', fullName: 'Payment card' },
  blik: { id: 64, groupId: 150, name: 'BLIK', fullName: 'BLIK' },
  wallet: { id: 75, groupId: 170, name: 'Wallet', fullName: 'Wallet on this device' },
  online_wallet: { id: 106, groupId: 106, name: 'Online wallet', fullName: 'Online wallet', redirect: 'onlineWallet' },
} as const satisfies Readonly<Record<string, MethodOnWire>>;

export type MethodName = keyof typeof methods;
export const methodNames = Object.keys(methods) as MethodName[];

const all: readonly MethodOnWire[] = Object.values(methods);
export const channelIds: readonly number[] = all.map(({ id }) => id);
/** For the reference. */
export const channelList = all.map(({ id, name }) => `${id} ${name}`).join(', ');

export type RedirectKind = Extract<(typeof methods)[MethodName], { redirect: string }>['redirect'];
export const redirectKinds = all.flatMap(({ redirect }) => redirect ?? []) as RedirectKind[];

/** How examples show a method: ids in responses are strings. */
export function shownMethod(method: MethodName): { readonly channelId: string; readonly groupId: string } {
  const { id, groupId } = methods[method];
  return { channelId: String(id), groupId: String(groupId) };
}
