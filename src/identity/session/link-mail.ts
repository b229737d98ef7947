// The mails of invitations and new passwords.

import { renderMail } from '../../notifications/index.ts';
import type { User } from '../model.ts';
import type { LinkPurpose } from '../table.ts';
import { linkMailWords } from './words.ts';

/** An invitation says to which account, null for operators, and what one may do there. */
export function renderLinkMail(
  user: User,
  purpose: LinkPurpose,
  url: string,
  accountName: string | null,
): ReturnType<typeof renderMail> {
  const words = linkMailWords[user.language];
  const account: [string, string][] = accountName === null ? [] : [[words.account, accountName]];
  const role: [string, string] = [words.role, words[`role_${user.role}`]];
  return renderMail({
    language: user.language,
    subject: words[`${purpose}_subject`],
    greeting: words.greeting,
    intro: words[`${purpose}_intro`],
    facts: [...(purpose === 'invitation' ? [...account, role] : []), [words.user, user.email]],
    link: { text: words[`${purpose}_button`], url },
    after: words[`${purpose}_after`],
    automatic: words.automatic,
  });
}
