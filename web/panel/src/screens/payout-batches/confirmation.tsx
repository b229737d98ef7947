// The password and a code of the second factor, which every signature needs.

import { useText } from '../../language/text.ts';
import { TextField, type Values } from '../../ui/form.tsx';
import { YourPassword } from '../profile/your-password.tsx';
import { batchesText } from './words.ts';

export const confirmationOf = (values: Values) => ({ password: values('password'), code: values('code').trim() });

export function Confirmation() {
  const t = useText(batchesText);
  return (
    <>
      <YourPassword />
      <TextField
        name="code"
        label={t('code')}
        description={t('codeHint')}
        autoComplete="one-time-code"
        maxLength={40}
        required
        withAsterisk={false}
      />
    </>
  );
}
