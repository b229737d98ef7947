import { ApiError } from '../../api/failure.ts';
import { useText } from '../../language/text.ts';
import { PasswordField, type Values } from '../../ui/form.tsx';
import { signInText } from './words.ts';

/** A new password, typed twice. */
export function NewPasswordFields() {
  const t = useText(signInText);
  return (
    <>
      <PasswordField
        name="password"
        label={t('newPassword')}
        description={t('passwordRule')}
        autoComplete="new-password"
        minLength={12}
        maxLength={256}
        required
        withAsterisk={false}
      />
      <PasswordField
        name="repeat"
        label={t('repeatPassword')}
        autoComplete="new-password"
        required
        withAsterisk={false}
      />
    </>
  );
}

export function useNotTheSame(): string {
  return useText(signInText)('notTheSame');
}

/** What was typed; refuses two different texts as the service would. */
export function newPasswordOf(values: Values, notTheSame: string): string {
  const password = values('password');
  if (password !== values('repeat')) throw new ApiError(400, [{ code: '', field: 'repeat', message: notTheSame }], '');
  return password;
}
