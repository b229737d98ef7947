// The shop's server: Node's own http, one SQLite file.

import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Checkouts } from './checkout.ts';
import { get } from './get.ts';
import { Grosz, type GroszAccess } from './grosz.ts';
import { send } from './http.ts';
import { Market, type MarketAccess } from './market-routes.ts';
import { type NotificationSecrets, openNotifications } from './notifications.ts';
import { Orders } from './orders.ts';
import { faultPage } from './pages.ts';
import type { Parts } from './parts.ts';
import { post } from './post.ts';
import { Subscriptions } from './subscriptions.ts';

export interface ShopOptions {
  readonly host: string;
  readonly port: number;
  /** For `shop.sqlite`. */
  readonly dataDir: string;
  readonly grosz: GroszAccess & NotificationSecrets;
  /** The account of the market; without it there is none. */
  readonly market?: MarketAccess;
  /** The wallet vendor's script, which provides the session object where the browser itself has none. */
  readonly walletScript?: string;
  readonly onError?: (error: unknown) => void;
}

export interface Shop {
  readonly url: string;
  close(): Promise<void>;
}

const lockedMilliseconds = 5_000;

/** Another shop may have the file open, of a second start on the same folder: they take turns. */
function openFile(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: lockedMilliseconds });
  db.exec('pragma journal_mode = wal');
  return db;
}

const script = 'text/javascript';

/** The files for the browser, by their path. */
async function readFiles(): Promise<Parts['files']> {
  const types = { 'shop.css': 'text/css', 'shop.js': script, 'wallet.js': script, 'form.js': script };
  const read = async ([name, type]: [string, string]) => {
    const body = await readFile(new URL(`./web/${name}`, import.meta.url), 'utf8');
    return [`/${name}`, { type, body }] as const;
  };
  return new Map(await Promise.all(Object.entries(types).map(read)));
}

async function openParts(options: ShopOptions, db: DatabaseSync): Promise<Parts> {
  const { host, walletScript, onError, grosz: access } = options;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${options.port}`;
  const now = () => new Date();
  const orders = new Orders(db);
  const grosz = new Grosz(access);
  const subscriptions = new Subscriptions(db, grosz, url);
  let association: string | undefined;
  return {
    host,
    url,
    baseUrl: access.baseUrl,
    now,
    orders,
    grosz,
    checkout: new Checkouts(grosz, orders, url, now),
    subscriptions,
    receive: openNotifications(access, orders, subscriptions, now),
    market: options.market && new Market(options.market, db, url, now),
    walletScript,
    files: await readFiles(),
    association: async () => {
      association ??= await grosz.walletAssociation();
      return association;
    },
    onError,
  };
}

function answering(parts: Parts): RequestListener {
  const { url, baseUrl, walletScript, onError } = parts;
  const vendor = walletScript === undefined ? '' : new URL(walletScript).origin;
  const origins = { grosz: new URL(baseUrl).origin, vendor };
  return async (request, response) => {
    try {
      const address = new URL(request.url ?? '/', url);
      const found = await (request.method === 'POST'
        ? post(parts, address.pathname, request)
        : get(parts, address, request));
      send(response, found ?? { status: 404, body: faultPage('Not found', 'There is no such page.') }, origins);
    } catch (error) {
      onError?.(error);
      send(response, { status: 502, body: faultPage('That did not work', 'Please try again in a moment.') });
    }
  };
}

function listen(server: Server, { host, port }: Pick<ShopOptions, 'host' | 'port'>): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
}

/** Starts the shop; it answers once this resolves. */
export async function startShop(options: ShopOptions): Promise<Shop> {
  const db = openFile(join(options.dataDir, 'shop.sqlite'));
  const parts = await openParts(options, db);
  const server = createServer(answering(parts));
  await listen(server, options).catch((error: unknown) => {
    db.close();
    throw error;
  });
  return {
    url: parts.url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          db.close();
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
