// For tests: a process that shares a bank file with others. It charges the same keys as its siblings, prints the
// responses, and takes callbacks until there are none.

import { money, Secret } from '../../src/kernel/index.ts';
import { openLog, systemClock, systemRandom } from '../../src/runtime/index.ts';
import { openSimulator } from '../../src/simulators/bank/simulator.ts';

const [file = '', minor = '0', count = '0'] = process.argv.slice(2);
const bank = openSimulator({
  file,
  clock: systemClock,
  random: systemRandom(),
  log: openLog({ level: 'silent' }),
  pagesUrl: 'http://127.0.0.1:3010/bank',
});

const answers: string[] = [];
for (let index = 0; index < Number(count); index += 1) {
  const answer = await bank.charge({
    key: `shared-${index}`,
    merchant: 'MERCHANT-1',
    initiator: 'payer',
    amount: money(BigInt(minor), 'PLN'),
    instrument: { kind: 'blik', code: new Secret('777000'), aliases: [] },
    description: '',
    returnUrl: '',
    deadlineMilliseconds: 60_000,
  });
  answers.push(answer.kind === 'approved' ? String(answer.amount.minor) : answer.kind);
}
const callbacks: string[] = [];
while ((await bank.deliverDue(async ({ key }) => void callbacks.push(key))) > 0);
await bank.close();
process.stdout.write(JSON.stringify({ answers, callbacks }));
