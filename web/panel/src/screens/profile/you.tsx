import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { sessionQuery, useSession } from '../../api/session.ts';
import { languageChoices, languageFrom } from '../../language/guess.ts';
import { useText } from '../../language/text.ts';
import { useNotify } from '../../ui/failed/failed.tsx';
import { Form, SelectField, TextField, type Values } from '../../ui/form.tsx';
import { Section } from '../../ui/page.tsx';
import { commonText } from '../../ui/words.ts';
import { profileText } from './words.ts';

export function You() {
  const t = useText(profileText);
  const common = useText(commonText);
  const { user } = useSession();
  const queries = useQueryClient();
  const notify = useNotify();
  async function send(values: Values): Promise<void> {
    const language = languageFrom(values('language')) ?? user.language;
    await call('POST /panel/api/me', { body: { name: values('name').trim(), language } });
    await queries.invalidateQueries({ queryKey: sessionQuery.queryKey });
    notify.done(t('saved'));
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
        <SelectField label={t('language')} name="language" defaultValue={user.language} data={languageChoices} />
      </Form>
    </Section>
  );
}
