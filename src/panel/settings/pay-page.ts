// What an account shows to payers: P95, P96.

import { notValid } from '../../../contract/codes/english/values.ts';
import * as contract from '../../../contract/panel/pay-page.ts';
import { changePayPage, findPayPage, type PayPageSettings, usualPayPage } from '../../accounts/index.ts';
import { on, type Route } from '../../http/index.ts';
import { accountOf, done, type Person } from '../../identity/index.ts';
import { refuseFault } from '../../kernel/index.ts';
import type { Tools } from '../../tools.ts';

export function payPageRoutes(tools: Tools): Route<Person>[] {
  const { baseUrl } = tools.config;
  const serialize = ({ logoHash, language, color, mails, embedOrigins, cardUrl }: PayPageSettings) => ({
    color,
    mails,
    cardUrl,
    embedOrigins: [...embedOrigins],
    language: (language ?? null) as 'pl' | null,
    logoUrl: logoHash === null ? null : `${baseUrl}/assets/logos/${logoHash}`,
  });
  return [
    on(contract.getPayPage, async ({ caller, requestId }) => {
      const settings = (await findPayPage(tools.db.sql, accountOf(caller).id)) ?? usualPayPage;
      return { ...done(requestId), payPage: serialize(settings) };
    }),
    on(contract.changePayPage, async ({ caller, body: { logo, color, language, cardUrl, ...others }, requestId }) => {
      const settings = await changePayPage(tools, accountOf(caller).id, {
        ...others,
        // Empty takes back; null would mean "not given".
        ...(color !== undefined && { color: color || null }),
        ...(language !== undefined && { language: language || null }),
        ...(cardUrl !== undefined && { cardUrl: cardUrl || null }),
        ...(logo !== undefined && { logo: logo === '' ? null : bytesOf(logo) }),
      });
      return { ...done(requestId), payPage: serialize(settings) };
    }),
  ];
}

function bytesOf(base64: string): Uint8Array {
  const bytes = Buffer.from(base64, 'base64');
  return bytes.toString('base64') === base64 ? bytes : refuseFault(notValid('logo', 'base64'));
}
