import { IconMapPinOff } from '@tabler/icons-react';
import { commonText } from '../i18n/common.ts';
import { useText } from '../i18n/text.ts';
import { Empty } from './empty.tsx';
import { ButtonLink } from './link.tsx';
import { Page } from './page.tsx';

/** "Not found": for addresses that lead nowhere, and for what belongs to another account. */
export function Missing() {
  const t = useText(commonText);
  return (
    <Page title={t('notFound')}>
      <Empty
        icon={IconMapPinOff}
        title={t('notFoundHint')}
        action={
          <ButtonLink to="/" variant="default" mt="sm">
            {t('toOverview')}
          </ButtonLink>
        }
      />
    </Page>
  );
}
