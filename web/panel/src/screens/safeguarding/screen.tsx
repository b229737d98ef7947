import { useQuery } from '@tanstack/react-query';
import { read } from '../../api/client.ts';
import type { Answer } from '../../api/endpoints.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { screenText } from '../../menu/words.ts';
import { Facts } from '../../ui/facts.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Note } from '../../ui/status.tsx';
import { safeguardingText } from './words.ts';

const path = 'GET /panel/api/operator/safeguarding';
type Figure = Answer<typeof path>['safeguarding'];

export default function SafeguardingScreen() {
  const t = useText(safeguardingText);
  const screen = useText(screenText);
  const found = useQuery(read(path));
  return (
    <Page title={screen('safeguarding')} about={t('about')}>
      <Loaded query={found}>{({ safeguarding }) => <Shown figure={safeguarding} />}</Loaded>
    </Page>
  );
}

type Part = Exclude<keyof Figure, 'currency'>;

function Shown({ figure }: { readonly figure: Figure }) {
  const t = useText(safeguardingText);
  const format = useFormat();
  const amount = (part: Part) => format.amount(figure[part], figure.currency);
  const facts = (...parts: readonly Part[]) =>
    parts.map((part) => ({ label: t(part), value: <span className="numeric">{amount(part)}</span> }));
  return (
    <>
      {figure.shortfall > 0 ? <Note tone="bad">{t('missing', { amount: amount('shortfall') })}</Note> : null}
      <Section title={t('heldTitle')}>
        <Facts facts={facts('bank', 'acquirers', 'held')} />
      </Section>
      <Section title={t('owedTitle')}>
        <Facts facts={facts('accounts', 'payers', 'unknown', 'owed')} />
      </Section>
      <Section title={t('ownTitle')} about={t('ownAbout')}>
        <Facts facts={facts('own', 'movable')} />
      </Section>
    </>
  );
}
