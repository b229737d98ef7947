// Card numbers, codes, secrets, tokens and links that let one in, in logs and dumps: payments of every kind and people of
// the panel run at the most verbose log level, then every line of the log, every row of every table and the bank's file
// are searched.

import { readFileSync } from 'node:fs';
import { readAccountSecrets } from '../../src/accounts/index.ts';
import { readText } from '../../src/database/index.ts';
import { aTransaction, encryptCard, payBlik, payCard, settleAll } from '../support/payments.ts';
import { aReceiver } from '../support/receiver.ts';
import { aRecurring } from '../support/recurring.ts';
import { aMerchant, aService, type Service, type TestMerchant } from '../support/service.ts';
import type { ProveOptions, Seen } from './figure.ts';
import { usePanel } from './panel-secrets.ts';

/** Numbers with a valid check digit, and distinctive codes. */
const cards = [
  { number: '4111111111111111', expiry: '12/39', code: '907' },
  { number: '5555555555554444', expiry: '11/38', code: '863' },
  { number: '4012888888881881', expiry: '10/37', code: '741' },
];
const aliasSecret = 'alias-of-the-payer-7f3a';

async function useEverything(service: Service, merchant: TestMerchant, url: string): Promise<void> {
  const callbacks = { notification: { url } };
  for (const card of cards) {
    for (const amount of [10.01, 10.02, 10.05]) {
      const id = await aTransaction(service, merchant, { amount, callbacks });
      await payCard(service, merchant, id, { card: encryptCard(service, card), save: true });
    }
    // As it must never be sent: in plain text, in the wrong places. It is refused, and must not be stored.
    const id = await aTransaction(service, merchant, { callbacks });
    await payCard(service, merchant, id, { card: `${card.number}|${card.expiry}|${card.code}` });
    await service.ask('POST', `/transactions/${id}/pay`, { token: merchant.token, body: { channelId: 53, card } });
    await service.ask('GET', `/transactions/${id}?card=${card.number}`, { token: merchant.token });
    await service.ask('GET', `/transactions/${card.number}`, { token: merchant.token });
    await service.ask('GET', `/cards/${card.number}`, { token: merchant.token });
    await service.ask('POST', '/transactions', { token: merchant.token, raw: `{"card": "${card.number}"` });
  }
  await payBlik(service, merchant, await aTransaction(service, merchant, { callbacks }), '777903');
  await aRecurring(service, merchant, {
    paymentInstrument: { paymentType: 'card_token', value: aliasSecret },
    callbackUrl: url,
  });
  await service.ask('POST', '/oauth/auth', {
    body: { client_id: merchant.clientId, client_secret: 'wrong-secret-51c9' },
  });
  await service.ask('GET', `/transactions?token=${merchant.token}`, {
    headers: { authorization: 'Bearer wrong-token-88d1' },
  });
  await settleAll(service.world);
}

/** Every row of every table as text. */
async function dump(service: Service): Promise<{ table: string; text: string }[]> {
  const { sql } = service.world.db;
  const tables = await sql.many((row) => readText(row, 'name'))`
    select table_name as name from information_schema.tables where table_schema = 'public' order by 1`;
  const dumps: { table: string; text: string }[] = [];
  for (const table of tables) {
    const query = [`select to_jsonb(dumped)::text as row from ${table} as dumped`] as unknown as TemplateStringsArray;
    const rows = await sql.many((row) => readText(row, 'row'))(query);
    dumps.push({ table, text: rows.map(withBytes).join('\n') });
  }
  return dumps;
}

/** A row, and what its binary columns say; lines that mail programs broke are joined. */
function withBytes(row: string): string {
  const bytes = row.matchAll(/\\\\x([0-9a-f]+)/g).map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1'));
  return [row, ...bytes].join('\n').replaceAll(/=\r?\n/g, '');
}

function fileText(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

export async function proveSecrets({ print }: ProveOptions): Promise<Seen[]> {
  const logLines: string[] = [];
  const service = await aService({ logLines, catchMail: true });
  const receiver = await aReceiver();
  const merchant = await aMerchant(service);
  await useEverything(service, merchant, receiver.url);
  const ofPeople = await usePanel(service, merchant);
  await service.rooms.panel.requests.flush();
  const account = await readAccountSecrets(service.world, merchant.id);
  const tokens = receiver.received.flatMap(({ body }) => new URLSearchParams(body).get('card_token') ?? []);
  if (tokens.length === 0) throw new Error('No card token came: the search would prove nothing.');
  const secrets: readonly (readonly [string, string])[] = [
    ...cards.flatMap(({ number, expiry, code }): [string, string][] => [
      ['card number', number],
      ['card data', `${number}|${expiry}`],
      // A three-digit code is searched together with its expiry: alone it would occur in any number.
      ['card code', `${expiry}|${code}`],
      ['card code', `"code":"${code}"`],
      ['card code', `"code": "${code}"`],
    ]),
    ['client secret', merchant.clientSecret],
    ['access token', merchant.token],
    ['security code', account.securityCode.reveal()],
    ['webhook secret', account.webhookSecret.reveal()],
    ['recurring instrument', aliasSecret],
    ['refused client secret', 'wrong-secret-51c9'],
    ['refused access token', 'wrong-token-88d1'],
    ...ofPeople,
    ...new Set(tokens).values().map((token): [string, string] => ['card token', token]),
  ];
  const places = [
    { place: 'log', text: logLines.join('\n') },
    ...(await dump(service)).map(({ table, text }) => ({ place: `table ${table}`, text })),
    ...['', '-wal'].map((end) => ({ place: `bank file${end}`, text: fileText(`${service.world.bankFile}${end}`) })),
  ];
  const found = places.flatMap(({ place, text }) =>
    secrets.filter(([, secret]) => text.includes(secret)).map(([what]) => `${what} in ${place}`),
  );
  const kinds = [...new Set(found)];
  for (const note of kinds) print(`  ${note}`);
  return [
    {
      figure: 'card numbers, codes, secrets, tokens, links that let one in, found in logs and dumps',
      goal: '0',
      seen:
        kinds.length === 0
          ? `0 of ${secrets.length}, in ${logLines.length} lines and ${places.length - 1} dumps`
          : kinds.join('; '),
      met: kinds.length === 0 && logLines.length > 0,
    },
  ];
}
