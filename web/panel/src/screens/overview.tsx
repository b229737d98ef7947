import { commonText } from '../i18n/common.ts';
import { screenText } from '../i18n/screens.ts';
import { useText } from '../i18n/text.ts';
import { Empty } from '../ui/empty.tsx';
import { Page } from '../ui/page.tsx';

export default function Overview() {
  const t = useText(screenText);
  const common = useText(commonText);
  return (
    <Page title={t('overview')}>
      <div className="card">
        <Empty title={common('emptyHere')} />
      </div>
    </Page>
  );
}
