import { IconLock } from '@tabler/icons-react';
import { type Session, useSession, type Who } from '../api/session.ts';
import { type KeyOf, useText } from '../language/text.ts';
import { ButtonLink } from '../ui/link.tsx';
import { Empty } from '../ui/list/empty.tsx';
import { Missing } from '../ui/missing.tsx';
import { Page } from '../ui/page.tsx';
import { commonText } from '../ui/words.ts';
import { shellText } from './words.ts';

const needs = {
  account: 'needsAccount',
  sandbox: 'needsAccount',
  write: 'needsWrite',
  owner: 'needsOwner',
  accountOwner: 'needsOwner',
  marketplace: 'needsMarketplace',
  operator: 'needsOperator',
  sandboxOperator: 'needsOperator',
} as const satisfies Partial<Record<Who, KeyOf<typeof shellText>>>;

/** What somebody lacks for a screen; undefined if nobody has it here. */
function lackOf({ account, viewing, mode }: Session, who: Who): KeyOf<typeof shellText> | undefined {
  if (who === 'anyone' || (mode === 'live' && (who === 'sandbox' || who === 'sandboxOperator'))) return undefined;
  if (who === 'marketplace' && account?.kind === 'seller') return 'sellersMarketplace';
  if (viewing && who !== 'marketplace') return 'needsLeaving';
  return account === null && who !== 'operator' && who !== 'sandboxOperator' ? 'needsAccount' : needs[who];
}

/** A screen that exists, for others: who may see it. */
export function Forbidden({ who }: { readonly who: Who }) {
  const t = useText(shellText);
  const common = useText(commonText);
  const lack = lackOf(useSession(), who);
  if (lack === undefined) return <Missing />;
  return (
    <Page title={t('forbidden')}>
      <Empty
        icon={IconLock}
        title={t(lack)}
        action={
          <ButtonLink to="/" variant="default" mt="sm">
            {common('toOverview')}
          </ButtonLink>
        }
      />
    </Page>
  );
}
