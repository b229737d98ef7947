// grosz bank: the simulated bank as a separate process, behind the HTTP protocol of docs/acquirer.md.

import { type Offer, offersFromWire } from '../acquirer/index.ts';
import { readSome, unknownSettings } from '../config.ts';
import { openLog, StartFault, startLoop, systemClock, systemRandom } from '../runtime/index.ts';
import type { Values } from '../setting.ts';
import { table } from '../settings.ts';
import { checkFaults, type Faults, openBankHost, openSimulator } from '../simulators/index.ts';
import { type Command, type Invocation, optionText } from './command.ts';

const deliverEveryMilliseconds = 1_000;

const exampleOffers = '[{"method":"blik","currency":"PLN","leastMinor":100,"mostMinor":500000}]';

/** Of the environment. */
const rows = { file: table.bankFile, keys: table.acquirer.parts.keys, logLevel: table.logLevel };

interface Settings extends Values<typeof rows> {
  readonly host: string;
  readonly port: number;
  readonly url: string;
  readonly callbackUrl: string;
  readonly faults: Faults | undefined;
  /** Undefined: everything. */
  readonly offers: readonly Offer[] | undefined;
}

/** Reports all faults together, as everywhere. */
function readSettings(invocation: Invocation): Settings {
  const wrong: string[] = [];
  const host = optionText(invocation, 'host') ?? '127.0.0.1';
  const port = optionText(invocation, 'port') ?? '3010';
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535) wrong.push('--port must be a port number.');
  const url = optionText(invocation, 'url') ?? `http://${host}:${port}`;
  if (!isWebAddress(url)) wrong.push('--url must be an http or https URL.');
  const callbackUrl = optionText(invocation, 'callback-url') ?? 'http://127.0.0.1:3000/acquirer/callback';
  if (!isWebAddress(callbackUrl)) wrong.push('--callback-url must be an http or https URL.');
  const faults = readFaults(optionText(invocation, 'faults'), wrong);
  const offers = readOffers(optionText(invocation, 'offers'), wrong);
  const settings = readSome(rows, invocation.environment, wrong);
  // It needs none, but a wrong one is a mistake.
  if (invocation.environment.MODE) readSome({ mode: table.mode }, invocation.environment, wrong);
  if (wrong.length > 0) throw new StartFault(wrong.join('\n'));
  return { host, port: Number(port), url: url.replace(/\/+$/, ''), callbackUrl, faults, offers, ...settings };
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function readFaults(text: string | undefined, wrong: string[]): Faults | undefined {
  if (text === undefined) return undefined;
  try {
    const faults = JSON.parse(text) as Faults;
    checkFaults(faults);
    return faults;
  } catch (error) {
    wrong.push(
      `--faults must be JSON such as {"lostAnswer":{"probability":0.1,"seed":7}}. ${(error as Error).message}`,
    );
    return undefined;
  }
}

function readOffers(text: string | undefined, wrong: string[]): readonly Offer[] | undefined {
  if (text === undefined) return undefined;
  const read = offersFromWire({ kind: 'offers', offers: tryJson(text) });
  if (read.kind === 'offers') return read.offers;
  wrong.push(`--offers must be JSON such as ${exampleOffers}.${read.kind === 'refused' ? ` ${read.why}.` : ''}`);
  return undefined;
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function run(invocation: Invocation): Promise<void> {
  if (invocation.environment.MODE === 'live') throw new StartFault('There is no simulated bank in live mode.');
  const { host, port, url, file, keys, callbackUrl, faults, offers, logLevel } = readSettings(invocation);
  for (const unknown of unknownSettings(invocation.environment)) invocation.print(`Warning: ${unknown}`);
  const log = openLog({ level: logLevel });
  const simulator = openSimulator({ file, clock: systemClock, random: systemRandom(), log, pagesUrl: `${url}/bank` });
  const closing: (() => Promise<unknown>)[] = [() => simulator.close()];
  try {
    if (faults) simulator.setFaults(faults);
    const { app, onCallback } = await openBankHost({ simulator, keys, wall: systemClock, log, callbackUrl, offers });
    closing.unshift(() => app.close());
    await app.listen({ host, port }).catch((error: NodeJS.ErrnoException) => {
      throw new StartFault(`Port ${port} of ${host} cannot be used (${error.code}). Choose another with --port.`);
    });
    const loop = startLoop(
      deliverEveryMilliseconds,
      async () => void (await simulator.deliverDue(onCallback)),
      (error) => log.error({ err: error }, 'callbacks could not be sent'),
    );
    closing.unshift(() => loop.stop());
    invocation.print(`The simulated bank is listening at ${url}`);
    await invocation.ended;
  } finally {
    for (const close of closing) await close();
  }
  invocation.print(`Stopped. The record is ${file}.`);
}

export const bank: Command = {
  name: 'bank',
  summary: 'Runs the simulated bank as a separate process.',
  usage: '[--port 3010] [--host 127.0.0.1] [--url URL] [--callback-url URL] [--faults JSON] [--offers JSON]',
  details: `Implements the protocol of docs/acquirer.md; the service connects to it with ACQUIRER_URL and
the same ACQUIRER_SECRET.
  --url            its public URL, for links to its pages (http://HOST:PORT)
  --callback-url   where it sends results (http://127.0.0.1:3000/acquirer/callback)
  --faults         scenarios to switch on, {"NAME": {"probability": 0.1, "seed": 7}}; {} switches all off
  --offers         what it says that it takes, such as ${exampleOffers}
                   (everything)
Its record is BANK_FILE, or bank.sqlite in DATA_DIR. It uses the system clock and does not follow a sandbox clock.`,
  options: {
    port: { type: 'string' },
    host: { type: 'string' },
    url: { type: 'string' },
    'callback-url': { type: 'string' },
    faults: { type: 'string' },
    offers: { type: 'string' },
  },
  words: 0,
  run,
};
