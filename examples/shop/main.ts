// The shop by itself: npx node examples/shop/main.ts [data/demo.json] [port]

import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { startShop } from './server.ts';

// Orders are for the owner of the shop alone.
process.umask(0o077);
const [file = 'data/demo.json', port = '3001'] = process.argv.slice(2);
const { baseUrl, merchant, partner } = JSON.parse(readFileSync(file, 'utf8'));
const shop = await startShop({
  host: '127.0.0.1',
  port: Number(port),
  dataDir: dirname(file),
  grosz: { baseUrl, ...merchant },
  market: { baseUrl, ...partner },
  // The vendor's script; a sandbox of Grosz has one that simulates a device.
  walletScript: `${baseUrl}/wallet/device.js`,
  onError: (error) => process.stderr.write(`${error}\n`),
});
process.stdout.write(`The shop is open at ${shop.url}\n`);
