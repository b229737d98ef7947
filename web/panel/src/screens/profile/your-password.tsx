import { useText } from '../../language/text.ts';
import { PasswordField } from '../../ui/form.tsx';
import { profileText } from './words.ts';

/** Asked for before anything that protects the account is changed. */
export function YourPassword() {
  const t = useText(profileText);
  return (
    <PasswordField
      name="password"
      label={t('yourPassword')}
      description={t('whyPassword')}
      autoComplete="current-password"
      required
      withAsterisk={false}
      data-autofocus
    />
  );
}
