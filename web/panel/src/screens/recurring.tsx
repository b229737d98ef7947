import { useNavigate } from '@tanstack/react-router';
import { listText } from '../i18n/list.ts';
import { recurringText } from '../i18n/recurring.ts';
import { screenText } from '../i18n/screens.ts';
import { useText } from '../i18n/text.ts';
import { Form, TextField } from '../ui/form.tsx';
import { Page, Section } from '../ui/page.tsx';

export default function RecurringPayments() {
  const t = useText(recurringText);
  const list = useText(listText);
  const screen = useText(screenText);
  const navigate = useNavigate();
  return (
    <Page title={screen('recurring')} about={t('about')}>
      <Section title={t('open')}>
        <Form submit={t('open')} send={(values) => navigate({ to: `/recurring/${values('id').trim()}` })}>
          <TextField name="id" label={list('id')} required withAsterisk={false} maw="24rem" className="mono" />
        </Form>
      </Section>
    </Page>
  );
}
