// The mails of invitations and new passwords. Pure.

import { renderMail } from '../../notifications/index.ts';
import type { User } from '../model.ts';
import type { LinkPurpose } from '../table.ts';

interface Words {
  readonly subject: string;
  readonly intro: string;
  readonly button: string;
  readonly after: string;
}

const words: Record<User['language'], Record<LinkPurpose, Words>> = {
  pl: {
    invitation: {
      subject: 'Zaproszenie do panelu Grosz',
      intro: 'Masz już dostęp do panelu płatności. Ustaw hasło, aby się zalogować.',
      button: 'Ustaw hasło',
      after: 'Link działa raz i wygasa po siedmiu dniach. Jeśli to pomyłka, zignoruj tę wiadomość.',
    },
    reset: {
      subject: 'Nowe hasło do panelu Grosz',
      intro: 'Otrzymaliśmy prośbę o nowe hasło do panelu płatności.',
      button: 'Ustaw nowe hasło',
      after:
        'Link działa raz i wygasa po godzinie. Jeśli to nie Twoja prośba, zignoruj tę wiadomość: hasło się nie zmieni.',
    },
  },
  en: {
    invitation: {
      subject: 'Invitation to the Grosz panel',
      intro: 'You have access to the payment panel. Set a password to sign in.',
      button: 'Set a password',
      after: 'The link works once and expires after seven days. If you did not expect it, ignore this message.',
    },
    reset: {
      subject: 'New password for the Grosz panel',
      intro: 'We received a request for a new password for the payment panel.',
      button: 'Set a new password',
      after:
        'The link works once and expires after an hour. If it was not you, ignore this message: your password stays the same.',
    },
  },
};

const automatic = { pl: 'Ta wiadomość została wysłana automatycznie.', en: 'This message was sent automatically.' };
const greeting = { pl: 'Dzień dobry,', en: 'Hello,' };
const labels = {
  pl: { user: 'Użytkownik', account: 'Konto', role: 'Rola' },
  en: { user: 'User', account: 'Account', role: 'Role' },
};
const roles: Record<User['language'], Record<User['role'], string>> = {
  pl: { owner: 'właściciel', staff: 'pracownik', read_only: 'tylko odczyt', operator: 'operator' },
  en: { owner: 'owner', staff: 'staff', read_only: 'read only', operator: 'operator' },
};

/** An invitation says to which account, null for operators, and what one may do there. */
export function renderLinkMail(
  user: User,
  purpose: LinkPurpose,
  url: string,
  accountName: string | null,
): ReturnType<typeof renderMail> {
  const { subject, intro, button, after } = words[user.language][purpose];
  const label = labels[user.language];
  const account: [string, string][] = accountName === null ? [] : [[label.account, accountName]];
  const role: [string, string] = [label.role, roles[user.language][user.role]];
  return renderMail({
    language: user.language,
    subject,
    greeting: greeting[user.language],
    intro,
    facts: [...(purpose === 'invitation' ? [...account, role] : []), [label.user, user.email]],
    link: { text: button, url },
    after,
    automatic: automatic[user.language],
  });
}
