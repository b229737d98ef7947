// Changes what an account shows to payers.

import { notValid } from '../../../contract/codes/english/values.ts';
import { type AccountId, refuseFault } from '../../kernel/index.ts';
import type { Tools } from '../../tools.ts';
import { lockAccount } from '../store.ts';
import { logoBytesAtMost, logoPixelsAtMost, readLogo } from './logo.ts';
import { originsFrom } from './origins.ts';
import { findPayPage, type MailSwitches, type PayPageSettings, savePayPage, usualPayPage } from './store.ts';

export interface PayPageChange {
  readonly color?: string | null;
  readonly language?: string | null;
  readonly mails?: Partial<MailSwitches>;
  /** Null removes it. */
  readonly logo?: Uint8Array | null;
  readonly embedOrigins?: readonly string[];
  readonly cardUrl?: string | null;
}

/** What is not given stays. Returns all settings as they are afterwards. */
export function changePayPage(tools: Tools, id: AccountId, change: PayPageChange): Promise<PayPageSettings> {
  const { logo: given, mails, embedOrigins: origins, ...others } = change;
  const logo = given ? logoOf(given) : given;
  if (change.cardUrl && !URL.canParse(change.cardUrl)) refuseFault(notValid('cardUrl', 'web_url'));
  const embedOrigins = origins && originsFrom(origins, tools.config.mode === 'sandbox');
  return tools.db.atomic(async (sql) => {
    await lockAccount(sql, id);
    const before = (await findPayPage(sql, id)) ?? usualPayPage;
    const changed = {
      ...before,
      ...others,
      mails: { ...before.mails, ...mails },
      ...(embedOrigins && { embedOrigins }),
      ...(logo === undefined ? {} : { logoHash: logo?.hash ?? null }),
    };
    const color = changed.color?.toLowerCase() ?? null;
    await savePayPage(sql, id, { ...changed, color }, logo, tools.clock.now());
    return { ...changed, color };
  });
}

function logoOf(bytes: Uint8Array) {
  if (bytes.length > logoBytesAtMost)
    refuseFault(notValid('logo', 'kibibytes_at_most', { limit: logoBytesAtMost / 1_024 }));
  const { size, ...logo } = readLogo(bytes) ?? refuseFault(notValid('logo', 'image'));
  if (Math.max(size.width, size.height) > logoPixelsAtMost) {
    refuseFault(notValid('logo', 'pixels_at_most', { limit: logoPixelsAtMost }));
  }
  return logo;
}
