// The demo shop: a merchant's own site, on its own port, in the same process as the service.

import { type Shop, startShop } from '../../examples/shop/server.ts';
import { changePayPage, embedOriginsAtMost, findPayPage, usualPayPage } from '../accounts/index.ts';
import { onceIn } from '../http/index.ts';
import { type AccountId, knownId, type PosId, Refusal } from '../kernel/index.ts';
import { StartFault } from '../runtime/index.ts';
import { type DemoFile, openDemo } from '../sandbox/index.ts';
import { deviceScriptPath } from '../simulators/index.ts';
import type { Tools } from '../tools.ts';
import { registerDomain } from '../wallet/index.ts';

const portsAtMost = 20;

/** The demo and its shop, on the port after the service's or the next free one; `close` stops the shop. */
export async function openDemoWithShop(tools: Tools): Promise<{ demo: DemoFile; close: () => Promise<void> }> {
  const { port } = tools.config;
  for (let candidate = port + 1; candidate <= Math.min(port + portsAtMost, 65_535); candidate += 1) {
    const demo = await openDemo(tools, candidate);
    const shop = await openShop(tools, demo, candidate);
    if (!shop) continue;
    // As the merchant would in the panel.
    const merchant = { id: knownId<AccountId>(demo.merchant.id), posId: knownId<PosId>(demo.merchant.posId) };
    const warn = (text: string) => (error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      tools.log.warn({ err: error }, text);
    };
    // Without it the shop's wallet button fails; everything else works.
    await registerDomain(tools, merchant, demo.merchant.walletDomain, onceIn(tools.db)).catch(
      warn('the domain of the demo shop could not be registered for the wallet'),
    );
    // Without it the shop's form falls back to a link to the pay page.
    await allowForm(tools, merchant.id, shop.url).catch(
      warn('the origin of the demo shop could not be registered for the embedded form'),
    );
    return { demo, close: () => shop.close() };
  }
  throw new StartFault(`The demo shop found no free port after ${port}. Set PORT to another one.`);
}

/** Where the shop changes the card of a subscription. */
const cardPage = '/subscriptions#{id}';

/** The shop shows the embedded form and changes cards, on whichever port it is this time; the newest are kept. */
async function allowForm(tools: Tools, id: AccountId, url: string): Promise<void> {
  const page = (await findPayPage(tools.db.sql, id)) ?? usualPayPage;
  const isKnown = page.embedOrigins.includes(url);
  const embedOrigins = isKnown ? page.embedOrigins : [...page.embedOrigins, url].slice(-embedOriginsAtMost);
  const cardUrl = cardUrlOf(page, url);
  if (!isKnown || cardUrl !== page.cardUrl) await changePayPage(tools, id, { cardUrl, embedOrigins });
}

/** What somebody set or cleared in the panel stays; the page of this shop, also of an earlier port, is ours. */
export function cardUrlOf(
  { cardUrl, embedOrigins }: Pick<typeof usualPayPage, 'cardUrl' | 'embedOrigins'>,
  url: string,
): string | null {
  const isOurs = cardUrl === null ? embedOrigins.length === 0 : embedOrigins.some((one) => cardUrl === one + cardPage);
  return isOurs ? url + cardPage : cardUrl;
}

/** Undefined if the port is in use: only listening can tell, an earlier check would be outdated. */
async function openShop({ config, log }: Tools, demo: DemoFile, port: number): Promise<Shop | undefined> {
  try {
    return await startShop({
      host: config.host,
      port,
      dataDir: config.dataDir,
      grosz: { baseUrl: demo.baseUrl, ...demo.merchant },
      market: { baseUrl: demo.baseUrl, ...demo.partner },
      walletScript: `${demo.baseUrl}${deviceScriptPath}`,
      onError: (error) => log.error({ err: error }, 'the demo shop failed'),
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined;
    throw error;
  }
}
