// `npm run bench`: runs every benchmark. `npm run bench -- NAME` runs one.

import { measureCharge } from './charge.ts';
import { measureClaim } from './claim.ts';
import { measureCreate } from './create.ts';
import { measureDeliver } from './deliver.ts';
import { measureList } from './list.ts';
import { measureMarketplace } from './marketplace.ts';
import { measurePage } from './page.ts';
import { measurePanel } from './panel.ts';
import { measurePay } from './pay.ts';
import { measurePaymentFiles } from './payment-files.ts';
import { measureReconcile } from './reconcile.ts';
import { measureRefund } from './refund.ts';
import { measureScale } from './scale.ts';
import { measureShards } from './scale-shards.ts';
import { measureSettlement } from './settlement.ts';
import { measureStart } from './start.ts';
import { measureStatements } from './statements.ts';
import { measureVerify } from './verify.ts';
import { measureWallet } from './wallet.ts';

interface Benchmark {
  readonly name: string;
  readonly summary: string;
  /** Prints its table and returns whether every goal was met. */
  run(options: readonly string[]): Promise<boolean>;
}

const benchmarks: readonly Benchmark[] = [
  {
    name: 'create',
    summary: 'creating transactions, against a route that only answers and against one insert a request',
    run: measureCreate,
  },
  {
    name: 'charge',
    summary: 'charging recurring payments, against bare SQL and a job queue; --full: at 5 million stored, too',
    run: measureCharge,
  },
  {
    name: 'pay',
    summary: 'creating, paying and notifying the merchant, against recurring charges; CPU by stage',
    run: measurePay,
  },
  {
    name: 'deliver',
    summary: 'deliveries of notifications, against a bare HTTP loop to the same receiver',
    run: measureDeliver,
  },
  {
    name: 'claim',
    summary: 'claims of notifications beside 10 and 1 million endpoints with something pending',
    run: measureClaim,
  },
  {
    name: 'refund',
    summary: 'refunds on one merchant, against bare SQL; lists of refunds at 10 thousand and 1 million',
    run: measureRefund,
  },
  {
    name: 'reconcile',
    summary:
      "a million captures against the bank's statement, and how the time grows without statistics; a number: another size",
    run: measureReconcile,
  },
  {
    name: 'statements',
    summary: "a million entries of a bank's statement, as camt.053 and as MT940, checked and imported: time and memory",
    run: measureStatements,
  },
  {
    name: 'payment-files',
    summary:
      'a payment file of 100 thousand payments, as pain.001 and as Elixir-0: time and memory; a number: another size',
    run: measurePaymentFiles,
  },
  {
    name: 'verify',
    summary: 'verifying a million payments, and ten thousand new ones; a number: another size',
    run: measureVerify,
  },
  {
    name: 'marketplace',
    summary: 'marketplace payments with 1, 10 and 100 children, against bare SQL that writes the same rows',
    run: measureMarketplace,
  },
  {
    name: 'list',
    summary: 'lists of transactions at 10 thousand and 1 million',
    run: measureList,
  },
  {
    name: 'panel',
    summary: 'the screens of the panel at 10 thousand and 1 million transactions; a number: another size',
    run: measurePanel,
  },
  {
    name: 'settlement',
    summary: 'a settlement of a million lines: cut, and as a file; a number: another size',
    run: measureSettlement,
  },
  {
    name: 'page',
    summary: 'the pay page rendered, against a route that only answers',
    run: measurePage,
  },
  {
    name: 'scale',
    summary: 'payments of 1, 100 and 10,000 merchants, through 1, 2 and 4 processes; numbering and sealing',
    run: measureScale,
  },
  {
    name: 'shards',
    summary: 'a simulation: merchants of very different size placed on shards, the load of the hottest one',
    run: measureShards,
  },
  {
    name: 'start',
    summary: 'cold and warm starts, against the embedded PostgreSQL alone',
    run: measureStart,
  },
  {
    name: 'wallet',
    summary: 'verifying and decrypting wallet tokens, against the bare curve operations',
    run: measureWallet,
  },
];

function list(): string {
  return benchmarks.map(({ name, summary }) => `  ${name.padEnd(15)}${summary}\n`).join('');
}

const [name, ...options] = process.argv.slice(2);
const chosen = name === undefined ? benchmarks : benchmarks.filter((benchmark) => benchmark.name === name);
if (chosen.length === 0) {
  process.stderr.write(`There is no benchmark called ${name}. These exist:\n${list()}`);
  process.exit(1);
}
if (name === undefined) process.stdout.write(`Benchmarks:\n${list()}\n`);
let met = true;
for (const benchmark of chosen) met = (await benchmark.run(options)) && met;
process.exitCode = met ? 0 : 1;
