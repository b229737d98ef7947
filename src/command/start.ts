// start: everything in one process, with demo data and a shop.

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, readConfig } from '../config.ts';
import { dataFiles, logFile } from '../data-files.ts';
import { embeddedClients, stopEmbeddedPostgres } from '../embedded/index.ts';
import { Secret } from '../kernel/index.ts';
import { StartFault } from '../runtime/index.ts';
import { type DemoFile, demoFile } from '../sandbox/index.ts';
import type { Command, Invocation } from './command.ts';
import { demoPeople, openDemoPeople } from './demo-people.ts';
import { checkPort, run, runMigrations } from './run.ts';
import { openDemoWithShop } from './shop.ts';

async function emptyDataFolder(config: Config): Promise<void> {
  if (config.databaseUrl !== undefined) {
    throw new StartFault(
      '--fresh empties the data folder, not DATABASE_URL. Unset DATABASE_URL, or use an empty database.',
    );
  }
  if ((await embeddedClients(config.dataDir)) > 0) {
    throw new StartFault(`Another Grosz is running on ${config.dataDir}. Stop it before --fresh.`);
  }
  await stopEmbeddedPostgres(config.dataDir);
  // Other files in the folder are kept.
  for (const file of dataFiles) await rm(join(config.dataDir, file), { recursive: true, force: true });
}

const startAgain = ' To start over with an empty database: npm start -- --fresh (deletes the demo data)';

function printDemo(invocation: Invocation, demo: DemoFile, config: Config): void {
  const { merchant } = demo;
  invocation.print(`
Grosz is ready.

  API            ${demo.baseUrl}
  API reference  ${demo.baseUrl}/docs
  Demo shop      ${demo.shopUrl}
  Mail catcher   ${demo.mailUrl}
  Panel          ${demo.panel.url}
                 ${Object.values(demoPeople).join(', ')}
                 password ${demo.panel.password}
  Demo accounts  ${join(config.dataDir, demoFile)}
  Log            ${join(config.dataDir, logFile)}

Create a payment:

  TOKEN=$(curl -s ${demo.baseUrl}/oauth/auth \\
    -d client_id=${merchant.clientId} \\
    -d client_secret=${merchant.clientSecret} | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')

  curl -s ${demo.baseUrl}/transactions -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\
    -d '{"amount": 12.34, "description": "My first payment", "payer": {"email": "jan@example.com", "name": "Jan Nowak"}}'

Ctrl-C stops it. The data is kept; npm start -- --fresh starts over.
`);
}

function stoppedText({ dataDir, databaseUrl }: Config): string {
  const where = databaseUrl === undefined ? `in ${dataDir}` : `in the database of DATABASE_URL and in ${dataDir}`;
  return `Stopped. The data is ${where}; npm start goes on with it.`;
}

export const start: Command = {
  name: 'start',
  summary: 'Runs everything in one process, with demo data.',
  usage: '[--fresh]',
  details: `Starts the embedded PostgreSQL (unless DATABASE_URL is set), migrates the schema, creates the demo
accounts at the first start, and runs the API and the engine. Later starts keep the data.`,
  options: { fresh: { type: 'boolean' } },
  words: 0,
  async run(invocation) {
    // The demo may connect to this machine, unless the operator says otherwise.
    if (invocation.environment.MODE === 'live')
      throw new StartFault('start runs the demo. In live mode use: grosz migrate, grosz serve, grosz work.');
    const config = readConfig(invocation.environment, {
      MODE: 'sandbox',
      ALLOW_HTTP_CALLBACKS: 'true',
      ALLOW_PRIVATE_CALLBACKS: 'true',
    });
    const isLocal = config.databaseUrl === undefined;
    if (invocation.values.fresh) {
      await checkPort({ host: config.host, port: config.port, setting: 'PORT' });
      await emptyDataFolder(config);
    }
    await run(config, invocation, {
      name: 'start',
      serves: true,
      works: true,
      logFile: join(config.dataDir, logFile),
      catchMail: true,
      stopped: stoppedText(config),
      opening: isLocal ? `Starting the database in ${config.dataDir}.` : 'Connecting to DATABASE_URL.',
      prepare: async (url) => {
        await runMigrations(url, isLocal ? startAgain : '');
        invocation.print('Starting the service.');
      },
      ready: async ({ tools, rooms }) => {
        const { demo, close } = await openDemoWithShop(tools);
        const accounts = { merchantId: demo.merchant.id, partnerId: demo.partner.id };
        await openDemoPeople(rooms.identity.tools, accounts, new Secret(demo.panel.password));
        rooms.pages.link({ name: 'Demo shop', url: demo.shopUrl, about: 'Buy tea with test money.' });
        printDemo(invocation, demo, config);
        return close;
      },
    });
  },
};
