import { Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { call, read } from '../../api/client.ts';
import { languageChoices, languageFrom } from '../../language/guess.ts';
import { useLanguage, useText } from '../../language/text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useNotify } from '../../ui/failed/failed.tsx';
import { Form, SelectField, TextField, type Values } from '../../ui/form.tsx';
import { commonText } from '../../ui/words.ts';
import { roleFrom } from './model.ts';
import { RoleField } from './roles.tsx';
import { usersText } from './words.ts';

export function Invite({ onClose }: { readonly onClose: () => void }) {
  const t = useText(usersText);
  const common = useText(commonText);
  const language = useLanguage();
  const queries = useQueryClient();
  const notify = useNotify();
  async function send(values: Values): Promise<void> {
    const body = {
      email: values('email').trim(),
      name: values('name').trim(),
      role: roleFrom(values('role')),
      language: languageFrom(values('language')) ?? language,
    };
    await call('POST /panel/api/users', { body });
    await queries.invalidateQueries({ queryKey: read('GET /panel/api/users').queryKey });
    notify.done(t('invited'));
    onClose();
  }
  return (
    <Dialog onClose={onClose} title={t('invite')}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t('inviteAbout')}
        </Text>
        <Form send={send} submit={t('sendInvitation')} cancel={onClose}>
          <TextField name="name" label={common('name')} maxLength={100} required withAsterisk={false} data-autofocus />
          <TextField name="email" type="email" label={common('email')} maxLength={254} required withAsterisk={false} />
          <RoleField />
          <SelectField name="language" label={t('language')} defaultValue={language} data={languageChoices} />
        </Form>
      </Stack>
    </Dialog>
  );
}
