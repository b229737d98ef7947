import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { sessionQuery, useSession } from '../../api/session.ts';
import { commonText } from '../../i18n/common.ts';
import { profileText } from '../../i18n/profile.ts';
import { useText } from '../../i18n/text.ts';
import { useTell } from '../../ui/failed.tsx';
import { Form, SelectField, TextField, type Values } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';

export function You() {
  const t = useText(profileText);
  const common = useText(commonText);
  const { user } = useSession();
  const queries = useQueryClient();
  const tell = useTell();
  async function send(values: Values): Promise<void> {
    const language = values('language') === 'pl' ? 'pl' : 'en';
    await call('POST /panel/api/me', { body: { name: values('name').trim(), language } });
    await queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
    tell.done(t('saved'));
  }
  return (
    <Section title={t('you')} about={t('youAbout')}>
      <Form send={send} submit={common('save')}>
        <TextField label={common('email')} name="email" value={user.email} readOnly variant="filled" />
        <TextField
          label={common('name')}
          name="name"
          defaultValue={user.name}
          maxLength={100}
          required
          withAsterisk={false}
        />
        <SelectField
          label={t('language')}
          name="language"
          defaultValue={user.language}
          data={[
            { value: 'en', label: 'English' },
            { value: 'pl', label: 'Polski' },
          ]}
        />
      </Form>
    </Section>
  );
}
