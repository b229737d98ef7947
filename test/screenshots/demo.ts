// A demo in a temporary folder, with a month of business, for screenshots. Everything goes over HTTP, as for merchants.

import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quietPort } from '../../src/embedded/index.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

interface Client {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** What `demo.json` has. */
interface DemoFile {
  readonly shopUrl: string;
  readonly panel: { readonly email: string; readonly password: string };
  readonly merchant: Client & { readonly id: string };
}

export interface Demo {
  readonly url: string;
  readonly file: DemoFile;
  /** A transaction that is paid and refunded in part. */
  readonly refundedId: string;
  /** Where a payer pays a transaction that waits. */
  readonly payUrl: string;
  /** A request of the demo merchant. */
  ask(method: string, path: string, body?: object): Promise<Body>;
  /** Moves the demo's clock. */
  advance(duration: string): Promise<unknown>;
  stop(): Promise<void>;
}

type Body = Record<string, never>;

async function send(url: string, method: string, headers: Record<string, string>, body?: object): Promise<Response> {
  const json = body ? { 'content-type': 'application/json' } : {};
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...json },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  return response;
}

async function start(): Promise<{ url: string; file: DemoFile; stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'grosz-screenshots-'));
  const port = await quietPort();
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [main, 'start'], {
    env: { PATH, HOME, PORT: String(port), DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  let printed = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      printed += part;
      if (printed.includes('Ctrl-C')) resolve();
    });
    void ended.then(() => reject(new Error(`The demo did not start:\n${printed}`)));
  }).catch(async (error) => {
    await stop();
    throw error;
  });
  return { url: `http://127.0.0.1:${port}`, file: JSON.parse(await readFile(join(folder, 'demo.json'), 'utf8')), stop };
}

/** Requests of somebody who is signed in to the panel. */
async function signIn(url: string, email: string, password: string) {
  const api = `${url}/panel/api`;
  const signedIn = await send(`${api}/sign-in`, 'POST', {}, { email, password });
  const cookie = signedIn.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  const { csrfToken } = (await (await send(`${api}/session`, 'GET', { cookie })).json()) as { csrfToken: string };
  return (path: string, body: object) => send(`${api}${path}`, 'POST', { cookie, 'x-csrf-token': csrfToken }, body);
}

const payers = [
  { name: 'Anna Kowalska', email: 'anna.kowalska@example.com' },
  { name: 'Jan Nowak', email: 'jan.nowak@example.com' },
  { name: 'Zofia Wójcik', email: 'zofia@example.com' },
  { name: 'Piotr Lewandowski', email: 'piotr.l@example.com' },
  { name: 'Maria Zielińska', email: 'maria.z@example.com' },
];
const goods = ['Oolong tea, 250 g', 'Teapot, blue', 'Two cups', 'Matcha set', 'Gift box'];
const prices = [39.9, 129, 58.5, 84, 219.99, 24.5, 47];
/** So that the overview of 30 days has something to compare with. */
const days = 61;
const accepted = '777123';
const declined = '222000';

const savedViews = [
  ['Paid, 100 and more', 'status=paid&amountFrom=100'],
  ['Waiting', 'status=pending'],
];

type Ask = Demo['ask'];

/** The number decides everything, so that each run has the same business. */
async function order(ask: Ask, number: number): Promise<{ id: string; payUrl: string }> {
  const payer = payers[number % payers.length];
  const { transactionId, transactionPaymentUrl } = await ask('POST', '/transactions', {
    amount: prices[number % prices.length],
    description: goods[number % goods.length],
    hiddenDescription: `order-${1_000 + number}`,
    payer,
  });
  return { id: transactionId ?? '', payUrl: transactionPaymentUrl ?? '' };
}

async function pay(ask: Ask, id: string, blikToken: string): Promise<void> {
  await ask('POST', `/transactions/${id}/pay`, { groupId: 150, blikPaymentData: { blikToken } });
}

/** One of fifteen is canceled, one of twelve declined; of the others one of seventeen is refunded. */
async function oneOrder(ask: Ask, number: number): Promise<void> {
  const { id } = await order(ask, number);
  if (number % 15 === 0) await ask('POST', `/transactions/${id}/cancel`);
  else if (number % 12 === 0) await pay(ask, id, declined);
  else {
    await pay(ask, id, accepted);
    if (number % 17 === 0) await ask('POST', `/transactions/${id}/refunds`);
  }
}

/** Between two and six orders a day. */
async function doBusiness(ask: Ask, nextDay: () => Promise<unknown>): Promise<void> {
  let number = 0;
  for (let day = 0; day < days; day += 1) {
    for (let left = 2 + ((day * 7) % 5); left > 0; left -= 1) {
      number += 1;
      await oneOrder(ask, number);
    }
    await nextDay();
  }
}

/** `business`: two months of it. */
export async function openDemo(business: boolean): Promise<Demo> {
  const { url, file, stop } = await start();
  try {
    const { clientId, clientSecret } = file.merchant;
    const body = { client_id: clientId, client_secret: clientSecret };
    const { access_token } = (await (await send(`${url}/oauth/auth`, 'POST', {}, body)).json()) as Record<
      string,
      string
    >;
    const ask: Ask = async (method, path, given) => {
      const headers = { authorization: `Bearer ${access_token}` };
      return (await send(`${url}${path}`, method, headers, given)).json() as Promise<Body>;
    };
    // Only operators move the clock.
    const operate = await signIn(url, 'operator@example.com', file.panel.password);
    const own = await signIn(url, file.panel.email, file.panel.password);
    const advance = async (duration: string) => {
      const moved = await operate('/merchant/sandbox/clock', { advance: duration });
      while ((await ask('GET', '/sandbox/clock')).movingTo !== null);
      return moved;
    };
    if (business) await doBusiness(ask, () => advance('P1D'));
    const refunded = await order(ask, 3);
    await pay(ask, refunded.id, accepted);
    await ask('POST', `/transactions/${refunded.id}/refunds`, { amount: 20 });
    await advance('PT1H');
    const { payUrl } = await order(ask, 4);
    for (const [name, query] of savedViews) await own('/views', { screen: 'transactions', name, query });
    return { url, file, refundedId: refunded.id, payUrl, ask, advance, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
