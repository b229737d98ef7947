// Secrets of people of the panel, for the search in dumps: passwords, sessions, second factors, and links of mails, some
// sent and some waiting.

import { Secret as OtpSecret, TOTP } from 'otpauth';
import { linkFor } from '../../src/identity/index.ts';
import { findUserByEmail } from '../../src/identity/session/store.ts';
import { inNewestMail } from '../support/mail.ts';
import { aPassword, aPerson } from '../support/panel.ts';
import { sendMails } from '../support/rooms.ts';
import type { Service, TestMerchant } from '../support/service.ts';

type Named = readonly [what: string, secret: string];

const link = /\/panel\/password#([\w-]+)/;

export async function usePanel(service: Service, merchant: TestMerchant): Promise<Named[]> {
  const { world } = service;
  const owner = await aPerson(service, 'owner', merchant.id);
  const { secret } = (await owner.ask('POST', '/panel/api/me/totp', { body: { password: aPassword } })).body;
  const code = new TOTP({ secret: OtpSecret.fromBase32(secret) }).generate({
    timestamp: world.wall.now().epochMilliseconds,
  });
  const { recoveryCodes } = (await owner.ask('POST', '/panel/api/me/totp/confirm', { body: { code } })).body;
  const { clientSecret } = (await owner.ask('POST', '/panel/api/keys', { body: { name: 'Till', kind: 'full' } })).body;
  const links: Named[] = [];
  for (const sent of [true, false]) {
    const staff = await aPerson(service, 'staff', merchant.id);
    await service.ask('POST', '/panel/api/password/forgot', { body: { email: staff.email } });
    const invited = `invited-${sent}@example.com`;
    await owner.ask('POST', '/panel/api/users', { body: { email: invited, name: 'New', role: 'staff' } });
    await service.rooms.identity.tools.afterwards.drain();
    if (sent) await sendMails(world);
    links.push(['link of a new password', await inNewestMail(world, staff.email, link)]);
    links.push(['link of an invitation', await inNewestMail(world, invited, link)]);
  }
  const user = await findUserByEmail(world.db.sql, owner.email);
  if (user)
    links.push(['printed link', link.exec(await linkFor(service.rooms.identity.tools, user, false))?.[1] ?? '']);
  const found: Named[] = [
    ...links,
    ['password', aPassword],
    ['session', owner.cookie.split('=')[1] ?? ''],
    ['secret of an authenticator app', secret],
    ['recovery code', String(recoveryCodes?.[0] ?? '')],
    ['client secret of the panel', clientSecret],
  ];
  const missing = found.filter(([, text]) => typeof text !== 'string' || text.length < 8).map(([what]) => what);
  if (missing.length > 0) throw new Error(`Nothing to search for: ${missing.join(', ')}.`);
  return found;
}
