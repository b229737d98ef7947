import type { TranslationOf } from '../../runtime/index.ts';
import type en from './words.en.ts';

export default {
  invitation_subject: 'Zaproszenie do panelu Grosz',
  invitation_intro: 'Masz już dostęp do panelu płatności. Ustaw hasło, aby się zalogować.',
  invitation_button: 'Ustaw hasło',
  invitation_after: 'Link działa raz i wygasa po siedmiu dniach. Jeśli to pomyłka, zignoruj tę wiadomość.',
  reset_subject: 'Nowe hasło do panelu Grosz',
  reset_intro: 'Otrzymaliśmy prośbę o nowe hasło do panelu płatności.',
  reset_button: 'Ustaw nowe hasło',
  reset_after:
    'Link działa raz i wygasa po godzinie. Jeśli to nie Twoja prośba, zignoruj tę wiadomość: hasło się nie zmieni.',
  automatic: 'Ta wiadomość została wysłana automatycznie.',
  greeting: 'Dzień dobry,',
  user: 'Użytkownik',
  account: 'Konto',
  role: 'Rola',
  role_owner: 'właściciel',
  role_staff: 'pracownik',
  role_read_only: 'tylko odczyt',
  role_operator: 'operator',
} satisfies TranslationOf<typeof en>;
