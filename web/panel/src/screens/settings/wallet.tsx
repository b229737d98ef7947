import { screenText } from '../../i18n/screens.ts';
import { useText } from '../../i18n/text.ts';
import { walletText } from '../../i18n/wallet.ts';
import { Page } from '../../ui/page.tsx';
import { Certificates } from './certificates.tsx';
import { Domains } from './domains.tsx';

export default function Wallet() {
  const t = useText(walletText);
  const screen = useText(screenText);
  return (
    <Page title={screen('wallet')} about={t('about')}>
      <Domains />
      <Certificates />
    </Page>
  );
}
