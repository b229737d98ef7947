import { IconMapPinOff } from '@tabler/icons-react';
import { useText } from '../language/text.ts';
import { ButtonLink } from './link.tsx';
import { Empty } from './list/empty.tsx';
import { Page } from './page.tsx';
import { commonText } from './words.ts';

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
