// `npm run fake-stripe`: the fake as a process of its own, for trying the service without an account.

import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '../../runtime/index.ts';
import { openFakeStripe, serviceSettings } from './index.ts';

const help = `npm run fake-stripe -- [--port 3020] [--file data/fake-stripe.sqlite] [--webhook-url URL] [--seed TEXT]

  --port         where it listens, on 127.0.0.1
  --file         its record; :memory: forgets everything at the end
  --webhook-url  where its webhooks go
  --seed         ids and keys are drawn from it`;

const print = (text: string) => void process.stdout.write(`${text}\n`);

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '3020' },
    file: { type: 'string', default: 'data/fake-stripe.sqlite' },
    'webhook-url': { type: 'string', default: 'http://127.0.0.1:3000/acquirer/stripe/events' },
    seed: { type: 'string', default: 'grosz' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) print(help);
else await run();

async function run(): Promise<void> {
  const fake = await openFakeStripe({
    clock: systemClock,
    port: Number(values.port),
    file: values.file === ':memory:' ? values.file : resolve(values.file),
    seed: values.seed,
    webhookUrl: values['webhook-url'],
    deliverEveryMilliseconds: 500,
    onError: (error) => void process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`),
  });
  print(`The fake of Stripe is listening at ${fake.url}. Its page: ${fake.url}/_fake/\n`);
  print('Start the service with this command, in another shell:\n');
  const { hostname, port } = new URL(values['webhook-url']);
  const place = { DATA_DIR: 'data/stripe', ...(hostname === '127.0.0.1' && port !== '3000' && { PORT: port }) };
  const settings = Object.entries({ ...serviceSettings(fake.provider), ...place });
  print(`${settings.map(([name, value]) => `${name}=${value}`).join(' \\\n  ')} \\\n  npm start`);
  print(`\nWebhooks go to ${values['webhook-url']}. Payers approve BLIK after 5 seconds, or on its page.`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void fake.close());
}
