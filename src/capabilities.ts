// The rooms, each built on those before it, and the list of what they provide. A new room is one line in each.

import type { WorkName } from '../contract/codes/works.ts';
import { type Merchant, openAccounts } from './accounts/index.ts';
import { type Callback, type HandleCallback, openCallbacks } from './acquirer/index.ts';
import { openBanking } from './banking/index.ts';
import { openBatches } from './batches/index.ts';
import type { Capability } from './capability.ts';
import { openCards } from './cards/index.ts';
import { Nodes } from './database/index.ts';
import { openDisputes } from './disputes/index.ts';
import { allFailures } from './failures.ts';
import { idempotencyRoom, openIdempotency } from './http/index.ts';
import { openIdentity } from './identity/index.ts';
import { openLedger } from './ledger/index.ts';
import { openMarketplace } from './marketplace/index.ts';
import { type NotificationOptions, openNotifications } from './notifications/index.ts';
import { openPages } from './pages/index.ts';
import { openPanel } from './panel/index.ts';
import { openPayouts } from './payouts/index.ts';
import { openReconciliation } from './reconciliation/index.ts';
import { openRecurring } from './recurring/index.ts';
import { openRefunds } from './refunds/index.ts';
import type { Work } from './runtime/index.ts';
import { openSandbox } from './sandbox/index.ts';
import { openSettlements } from './settlements/index.ts';
import {
  openDevices,
  openHouseBank,
  openSimulatedBank,
  openSimulatedVendor,
  type Simulator,
} from './simulators/index.ts';
import { findAbsence, openStatements } from './statements/index.ts';
import { stripeRoom } from './stripe/index.ts';
import type { Tools } from './tools.ts';
import { openTransactions, type Titles } from './transactions/index.ts';
import { openVerification } from './verification/index.ts';
import { version } from './version.ts';
import { openWallet, readSetup } from './wallet/index.ts';

export type Rooms = Awaited<ReturnType<typeof openRooms>>;

export interface RoomOptions extends NotificationOptions {
  /** The simulated bank, if it runs in this process; never in live mode. */
  readonly bank: Simulator | undefined;
  /** Generates titles of transactions; random by default. */
  readonly titles?: Titles | undefined;
}

export async function openRooms(tools: Tools, { bank, ...options }: RoomOptions) {
  const { built, keys, nodes, devices } = await openOwners(tools, options);
  const { banking, identity, notifications, wallet } = built;
  const owners: readonly Capability[] = Object.values(built);
  const handle: HandleCallback = (acquirer, callback) => handleCallback(tools, below, acquirer, callback);
  const reconciliation = openReconciliation(tools, { nodes, outgoing: banking.outgoing }, handle);
  const statements = openStatements(tools, { nodes, payouts: built.payouts.bank });
  const below: readonly Capability[] = [...owners, reconciliation, statements];
  const simulated = bank && openSimulatedBank(tools, bank, (callback) => handle(bank.name, callback));
  const house = tools.config.mode === 'sandbox' ? openHouseBank(tools.clock, tools.config.bankFile, bank) : undefined;
  const simulators = [simulated, devices, house].flatMap((one) => one ?? []);
  const acquirer: readonly Capability[] = [openCallbacks(tools, handle), ...simulators];
  const works = worksOf([...acquirer, ...below]);
  const sandbox = tools.config.mode === 'sandbox' ? openSandbox(tools, bank, works, nodes) : undefined;
  const verification = openVerification(tools, { ledger: built.ledger, nodes }, () => capabilities);
  const api: readonly Capability[] = [...acquirer, ...below, ...(sandbox ? [sandbox] : [])];
  const panel = openPanel(tools, {
    identity,
    signing: notifications.signing,
    wallet,
    payouts: built.payouts,
    api: api.flatMap(({ routes = [] }) => routes),
    installation: {
      version,
      parked: () => api.flatMap(({ parked }) => parked ?? []),
      works: () => worksOf(capabilities),
      verification,
      reconciliation,
      batches: built.batches,
      statements,
      safeguarding: built.ledger.safeguarding,
    },
  });
  const capabilities: readonly Capability[] = [...api, verification, panel];
  return {
    ...built,
    reconciliation,
    statements,
    verification,
    panel,
    keys,
    nodes,
    sandbox,
    /** Our account at a bank; undefined in live mode. */
    house: house?.house,
    /** The simulated vendor of the wallet and its devices; undefined in live mode. */
    devices,
    capabilities,
    works: [...works, ...verification.works, ...panel.works],
  };
}

/** The rooms that own money and what belongs to it, each with those below it. */
async function openOwners(tools: Tools, { titles, ...options }: Omit<RoomOptions, 'bank'>) {
  const nodes = new Nodes(tools.db, tools.wall, tools.random);
  const keys = openIdempotency({ ...tools, nodes });
  const idempotency = idempotencyRoom<Merchant>(keys, tools, nodes);
  const ledger = await openLedger(tools);
  const cards = await openCards<Merchant>(tools);
  const notifications = await openNotifications<Merchant>(tools, options);
  const accounts = openAccounts(tools);
  const identity = openIdentity(tools, { sendsMail: notifications.hasMailTransport });
  const { wallet, devices } = await openWalletAndDevices(tools);
  const banking = openBanking(tools);
  const transactions = openTransactions(tools, banking, cards.keys, wallet.tokens, { ...notifications, titles });
  const refunds = openRefunds(tools, notifications, banking.outgoing);
  const recurring = openRecurring(tools, banking, { ...notifications, ...transactions });
  const disputes = openDisputes(tools, notifications, { outgoing: banking.outgoing, refunds });
  const marketplace = openMarketplace({
    ...tools,
    wallet: wallet.tokens,
    transactions,
    refunds,
    sendsMail: notifications.sendsMail,
  });
  const settlements = openSettlements(tools, notifications);
  const payouts = openPayouts(tools, notifications);
  const batches = openBatches(tools, identity, findAbsence);
  const pages = openPages({ ...tools, failures: allFailures, cards: cards.keys, wallet, transactions });
  const built = {
    idempotency,
    ledger,
    cards,
    notifications,
    accounts,
    identity,
    wallet,
    banking,
    stripe: stripeRoom,
    transactions,
    refunds,
    recurring,
    disputes,
    marketplace,
    settlements,
    payouts,
    batches,
    pages,
  };
  return { built, keys, nodes, devices };
}
/** In the sandbox there is a simulated vendor beside the configured ones. */
async function openWalletAndDevices(tools: Tools) {
  const setup = await readSetup(tools);
  const vendor = tools.config.mode === 'sandbox' ? openSimulatedVendor(tools, setup.own) : undefined;
  return { wallet: openWallet(tools, setup, vendor), devices: vendor && openDevices(tools, vendor) };
}

export function worksOf(capabilities: readonly Capability[]): Work<WorkName>[] {
  return capabilities.flatMap(({ works = [] }) => works);
}

/** Stops what the rooms run in the background, higher rooms first. */
export async function closeRooms({ capabilities }: Pick<Rooms, 'capabilities'>): Promise<void> {
  for (const { close } of capabilities.toReversed()) await close?.();
}

/**
 * Passes a callback of an acquirer to the room that owns its key; durable when it resolves.
 */
export async function handleCallback(
  { log }: Pick<Tools, 'log'>,
  capabilities: readonly Capability[],
  acquirer: string,
  callback: Callback,
): Promise<void> {
  for (const { callback: handle } of capabilities.toReversed()) {
    if (handle && (await handle(callback, acquirer))) return;
  }
  log.warn({ acquirer, kind: callback.kind }, 'a callback has an unknown key');
}
