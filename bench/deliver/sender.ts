// Our side: events in the outbox of several merchants, then the real sender until every result is written.

import { join } from 'node:path';
import { methods } from '../../contract/methods.ts';
import { createAccount } from '../../src/accounts/index.ts';
import { readConfig } from '../../src/config.ts';
import { type AccountId, money } from '../../src/kernel/index.ts';
import { insertEvents, type NewEvent, transactionNotification } from '../../src/notifications/index.ts';
import { openService } from '../../src/open.ts';
import { given, serveParent } from '../support/child.ts';

interface Given {
  readonly dataDir: string;
  readonly databaseUrl: string;
  readonly url: string;
  readonly merchants: number;
}

const { dataDir, databaseUrl, url, merchants } = given<Given>();
const environment = {
  MODE: 'sandbox',
  DATA_DIR: dataDir,
  DATABASE_URL: databaseUrl,
  ALLOW_HTTP_CALLBACKS: 'true',
  ALLOW_PRIVATE_CALLBACKS: 'true',
};
const service = await openService(readConfig(environment), databaseUrl, {
  name: 'deliver',
  logFile: join(dataDir, 'grosz.log'),
});

const { tools } = service;

const accounts: { id: AccountId; event: () => NewEvent }[] = [];
for (let index = 0; index < merchants; index += 1) {
  const made = await createAccount(tools, tools.db.sql, {
    kind: 'merchant',
    name: `Shop ${index}`,
    email: 'shop@example.com',
    testMode: true,
  });
  const event = (): NewEvent => ({
    id: tools.ids.ulid(),
    accountId: made.id,
    type: 'transaction',
    subjectId: tools.ids.ulid(),
    url,
    payload: transactionNotification({
      merchantNumber: made.merchantNumber,
      title: 'TR-BENC-HBENCH1',
      createdAt: tools.clock.now(),
      zone: 'Europe/Warsaw',
      hiddenDescription: 'order-1024',
      amount: money(12_345n, 'PLN'),
      paid: money(12_345n, 'PLN'),
      description: 'Order 1024',
      status: 'TRUE',
      error: 'none',
      payerEmail: 'jan.nowak@example.com',
      testMode: true,
      channelId: methods.blik.id,
      securityCode: made.securityCode,
    }),
    createdAt: tools.clock.now(),
  });
  accounts.push({ id: made.id, event });
}

serveParent(
  { body: accounts[0]?.event().payload.body ?? '' },
  async ({ count }: { count: number }) => {
    const events = Array.from({ length: count }, (_, index) => accounts[index % merchants]?.event()).filter(
      (event) => event !== undefined,
    );
    await insertEvents(tools.db.sql, tools.vault, events);
    const start = performance.now();
    await service.rooms.notifications.sender.drain();
    return { perSecond: count / ((performance.now() - start) / 1_000) };
  },
  () => service.close(),
);
