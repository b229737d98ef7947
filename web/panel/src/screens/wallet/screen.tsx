import { useText } from '../../language/text.ts';
import { screenText } from '../../menu/words.ts';
import { Page } from '../../ui/page.tsx';
import { Certificates } from './certificates.tsx';
import { Domains } from './domains.tsx';
import { walletText } from './words.ts';

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
