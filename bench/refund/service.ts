// The service, as `serve` runs it, with one merchant whose payments can be refunded.

import { join } from 'node:path';
import { build } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openService } from '../../src/open.ts';
import { given, portOf, serveParent } from '../support/child.ts';
import { type SeededMerchant, seedMerchant, seedPaid } from './seed.ts';

export interface ServiceGiven {
  readonly dataDir: string;
  readonly databaseUrl: string;
  readonly paid: number;
}

export interface ServiceReady {
  readonly port: number;
  readonly merchant: SeededMerchant;
}

const { dataDir, databaseUrl, paid } = given<ServiceGiven>();
const config = readConfig({
  MODE: 'sandbox',
  DATA_DIR: dataDir,
  DATABASE_URL: databaseUrl,
  REQUESTS_PER_SECOND: '1000000',
});
const service = await openService(config, databaseUrl, { name: 'bench', logFile: join(dataDir, 'grosz.log') });
const merchant = await seedMerchant(service.tools);
await seedPaid(databaseUrl, merchant, paid);
const app = await build(service.tools, service.rooms);
await app.listen({ host: '127.0.0.1', port: 0 });
const ready: ServiceReady = { port: portOf(app), merchant };
serveParent(
  ready,
  () => ({}),
  async () => {
    await app.close();
    await service.close();
  },
);
